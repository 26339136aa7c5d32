import Synchronization

/// One client's following of one view. It ends when it is let go of, or when ``cancel()`` is called.
///
/// The client's version is not in it: whoever sends knows what it sent last, and asks for the way
/// from there to the newest, so that nothing queues up for a client that reads slowly.
public final class Subscription: Sendable {
    private static let cancelled = 0

    let feed: ViewFeed
    private let feeds: Feeds
    /// Its number in the feed, from 1 on, until it is cancelled.
    private let id: Atomic<Int>
    private let isOver = Atomic(false)
    private let timer = Mutex<(@Sendable () -> Void)?>(nil)

    init(of feed: ViewFeed, id: Int, in feeds: Feeds) {
        self.feed = feed
        self.feeds = feeds
        self.id = Atomic(id)
    }

    deinit {
        cancel()
    }

    /// Says that the client is gone. Calling it again does nothing.
    public func cancel() {
        let id = id.exchange(Self.cancelled, ordering: .acquiringAndReleasing)
        if id != Self.cancelled { feeds.leave(feed, id) }
        timer.withLock { timer in
            defer { timer = nil }
            return timer
        }?()
    }

    /// Has nothing more come after a time: its client was allowed to follow the view until then.
    func end(after time: Duration, by timers: Timers) {
        guard time > .zero else { return isOver.store(true, ordering: .releasing) }
        let cancel = timers.schedule(after: time) { [weak self] in
            guard let self else { return }
            isOver.store(true, ordering: .releasing)
            feed.wake(id.load(ordering: .acquiring))
        }
        timer.withLock { $0 = cancel }
    }

    /// Replaces what is called, on any thread, when there may be news. What has come before is not told again, so look
    /// for ``news(since:)`` after this. It must not block.
    public func setWake(_ wake: @escaping @Sendable () -> Void) {
        feed.setWake(wake, of: id.load(ordering: .acquiring))
    }

    /// What there is for its client, which holds a version.
    public func news(since version: String?) -> News {
        if feed.end != nil || isOver.load(ordering: .acquiring) { return .end }
        guard let latest = feed.latest, latest.snapshot.version != version else { return .nothing }
        return .document(feeds.changes(from: version, to: latest))
    }
}

/// What there is for a client that follows a view.
public enum News: Sendable {
    /// The client holds the newest version.
    case nothing
    /// What leads the client to the newest version.
    case document(Eventual<Document>)
    /// Nothing more is to come: ask again later, and elsewhere if need be.
    case end
}
