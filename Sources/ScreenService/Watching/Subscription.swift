import Synchronization

/// A client's subscription to a view. It ends when it is cancelled or deallocated, when it expires, when the view becomes too large for the
/// limits of followed views, or when the feed of the view ends.
///
/// A subscription does not store the client's version. The code that sends documents to the client requests the changes from the version
/// that it sent last to the newest version. Therefore no changes accumulate for a client that reads slowly.
public final class Subscription: Sendable {
    private static let cancelled = 0

    let feed: ViewFeed
    private let feeds: Feeds
    /// The identifier of the follower in the feed, or `cancelled` after the subscription has ended.
    private let id: Atomic<Int>
    private let stopExpiryTimer = Mutex<(@Sendable () -> Void)?>(nil)

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
        stopExpiryTimer.withLock { $0.take() }?()
    }

    func expire(after time: Duration, by timers: Timers) {
        guard time > .zero else { return cancel() }
        let stop = timers.schedule(after: time) { [weak self] in self?.expire() }
        stopExpiryTimer.withLock { $0 = stop }
    }

    private func expire() {
        // The identifier is cleared before the follower is woken, so that the follower then receives `.end`.
        let id = id.exchange(Self.cancelled, ordering: .acquiringAndReleasing)
        guard id != Self.cancelled else { return }
        let wake = feed.wake(of: id)
        feeds.unfollow(feed, id)
        wake?()
    }

    /// A Boolean value that indicates whether the subscription reports no more news.
    var hasEnded: Bool { feed.shown(to: id.load(ordering: .acquiring)).hasEnded }

    /// Replaces the function that is called when there may be news. The new function is called on any thread, and must not block. It is not
    /// called for earlier news, so call ``news(since:reported:)`` after this function.
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
    /// The changes from the client's version to the newest version.
    case document(Eventual<Document>)
    /// The client has the newest version. This was checked after the client asked to follow the view.
    case current
    /// The client may miss changes, because the view cannot be refreshed, or because the commits of other replicas are not received. This
    /// state ends with the next document or with ``current``.
    case stale
    /// The subscription has ended. The client may follow again later, possibly on another server.
    case end
}
