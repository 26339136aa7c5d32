import Synchronization

/// One client's following of one view. It ends when it is let go of, or when ``cancel()`` is called.
///
/// The client's version is not in it: whoever sends knows what it sent last, and asks for the way
/// from there to the newest, so that nothing queues up for a client that reads slowly.
public final class Subscription: Sendable {
    let feed: ViewFeed
    private let leave: @Sendable () -> Void
    private let isCancelled = Atomic(false)

    init(feed: ViewFeed, leave: @escaping @Sendable () -> Void) {
        self.feed = feed
        self.leave = leave
    }

    deinit {
        cancel()
    }

    /// Says that the client is gone. Calling it again does nothing.
    public func cancel() {
        if isCancelled.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged { leave() }
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
