import Synchronization

/// A client's subscription to a view. It ends when it is deallocated or cancelled.
///
/// A subscription does not store the client's version. The code that sends documents to the client knows the version that it sent last. It
/// requests the changes from this version to the newest version. Therefore no changes accumulate for a client that reads slowly.
public final class Subscription: Sendable {
    private static let cancelled = 0

    let feed: ViewFeed
    private let feeds: Feeds
    /// The identifier of the follower in the feed, which is at least 1. After the subscription has ended, the value is `cancelled`.
    private let id: Atomic<Int>
    /// A function that stops the expiry timer, or `nil` if the subscription does not expire.
    private let stopTimer = Mutex<(@Sendable () -> Void)?>(nil)

    init(of feed: ViewFeed, id: Int, in feeds: Feeds) {
        self.feed = feed
        self.feeds = feeds
        self.id = Atomic(id)
    }

    deinit {
        cancel()
    }

    /// Ends the subscription, unless it has already ended.
    public func cancel() {
        let id = id.exchange(Self.cancelled, ordering: .acquiringAndReleasing)
        guard id != Self.cancelled else { return }
        feeds.unfollow(feed, id)
        stopTimer.withLock { $0.take() }?()
    }

    /// Ends the subscription after a duration, and then wakes the follower.
    func expire(after time: Duration, by timers: Timers) {
        guard time > .zero else { return cancel() }
        let stop = timers.schedule(after: time) { [weak self] in self?.expire() }
        stopTimer.withLock { $0 = stop }
    }

    private func expire() {
        // The identifier is cleared first. After this, `setWake` has no effect, and `news(since:reported:)` returns `.end`.
        let id = id.exchange(Self.cancelled, ordering: .acquiringAndReleasing)
        guard id != Self.cancelled else { return }
        let wake = feed.wake(of: id)
        feeds.unfollow(feed, id)
        wake?()
    }

    /// A Boolean value that indicates whether the subscription reports no more news. This is the case if the subscription or its feed has
    /// ended, or if the view has become too large for the caller.
    var hasEnded: Bool { feed.shown(to: id.load(ordering: .acquiring)).hasEnded }

    /// Replaces the function that is called when there may be news. The function is called on any thread, and must not block. It is not
    /// called for earlier news. Therefore call ``news(since:reported:)`` after you have replaced the function.
    public func setWake(_ wake: @escaping @Sendable () -> Void) {
        feed.setWake(wake, of: id.load(ordering: .acquiring))
    }

    /// Returns the news for a client.
    ///
    /// - Parameters:
    ///   - version: The version that the client has, or `nil` for none.
    ///   - freshness: The freshness that was last reported to the client for its version.
    public func news(since version: String?, reported freshness: Freshness) -> News {
        let (hasEnded, isStale, latest) = feed.shown(to: id.load(ordering: .acquiring))
        if hasEnded { return .end }
        if let latest, latest.snapshot.version != version { return .document(feeds.changes(from: version, to: latest)) }
        if isStale { return freshness == .stale ? .nothing : .stale }
        return latest == nil || freshness == .current ? .nothing : .current
    }
}

/// The freshness of the version that a client has.
public enum Freshness: UInt8, Sendable {
    /// The version has not been compared with the view yet.
    case unknown
    /// The client has the newest version, and receives all further changes.
    case current
    /// The client may miss changes.
    case stale
}

/// The news for a client that follows a view.
public enum News: Sendable {
    /// There is nothing to report.
    case nothing
    /// The changes from the client's version to the newest version. A client that has received the changes is current.
    case document(Eventual<Document>)
    /// The client has the newest version and has missed no change. This was checked after the client asked to follow the view.
    case current
    /// The client may miss changes, because the view cannot be refreshed, or because the commits of other replicas are not received. When
    /// the client no longer misses changes, the next news is a document, or ``current`` if the client has the newest version.
    case stale
    /// The subscription has ended. The client may follow again later, possibly on another server.
    case end
}
