import Synchronization

/// One client's following of one view. It ends when it is let go of, or when ``cancel()`` is called.
///
/// The client's version is not in it: whoever sends knows what it sent last, and asks for the way
/// from there to the newest, so that nothing queues up for a client that reads slowly.
///
/// `@unchecked Sendable`, as it has a subclass: what it has is, and constant.
public class Subscription: @unchecked Sendable {
    private static let cancelled = 0

    // There are as many as there are followers: what only some need is elsewhere.
    final let feed: ViewFeed
    private final let feeds: Feeds
    /// Its number in the feed, from 1 on, until it is cancelled.
    private final let id: Atomic<Int>

    init(of feed: ViewFeed, id: Int, in feeds: Feeds) {
        self.feed = feed
        self.feeds = feeds
        self.id = Atomic(id)
    }

    /// Takes the place of another, which is cancelled without its feed being told.
    init(insteadOf other: Subscription) {
        feed = other.feed
        feeds = other.feeds
        id = Atomic(other.id.exchange(Self.cancelled, ordering: .acquiringAndReleasing))
    }

    deinit {
        leave()
    }

    /// Says that the client is gone. Calling it again does nothing.
    public func cancel() {
        leave()
    }

    private final func leave() {
        let id = id.exchange(Self.cancelled, ordering: .acquiringAndReleasing)
        if id != Self.cancelled { feeds.leave(feed, id) }
    }

    /// A Boolean value that indicates whether nothing more is to come. The feed may have ended, or the view be too large for its caller.
    final var hasEnded: Bool { feed.shown(to: id.load(ordering: .acquiring)).hasEnded }

    /// Has its follower look for news.
    final func wake() {
        feed.wake(id.load(ordering: .acquiring))
    }

    /// Replaces what is called, on any thread, when there may be news. What has come before is not told again, so look
    /// for ``news(since:)`` after this. It must not block.
    public final func setWake(_ wake: @escaping @Sendable () -> Void) {
        feed.setWake(wake, of: id.load(ordering: .acquiring))
    }

    /// What there is for its client, which holds a version.
    public func news(since version: String?) -> News {
        let (hasEnded, latest) = feed.shown(to: id.load(ordering: .acquiring))
        if hasEnded { return .end }
        guard let latest, latest.snapshot.version != version else { return .nothing }
        return .document(feeds.changes(from: version, to: latest))
    }
}

/// A subscription that ends after a time: its client was allowed to follow the view until then.
///
/// `@unchecked Sendable`, as a subclass cannot be checked: all that it has is.
final class ExpiringSubscription: Subscription, @unchecked Sendable {
    private let isOver: Atomic<Bool>
    private let timer = Mutex<(@Sendable () -> Void)?>(nil)

    init(insteadOf other: Subscription, after time: Duration, by timers: Timers) {
        isOver = Atomic(time <= .zero)
        super.init(insteadOf: other)
        guard time > .zero else { return }
        let cancel = timers.schedule(after: time) { [weak self] in
            self?.isOver.store(true, ordering: .releasing)
            self?.wake()
        }
        timer.withLock { $0 = cancel }
    }

    deinit {
        stopTimer()
    }

    override func cancel() {
        stopTimer()
        super.cancel()
    }

    override func news(since version: String?) -> News {
        isOver.load(ordering: .acquiring) ? .end : super.news(since: version)
    }

    private func stopTimer() {
        timer.withLock { timer in
            defer { timer = nil }
            return timer
        }?()
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
