import Relist
import ScreenService

/// A screen that a test follows, as a client with a stream does. It ends when it is deallocated.
///
/// ```swift
/// let followed = try await client.follow(client.screen("orders"))
/// try await kitchen.finish("order-1")
/// #expect(try await followed.next().deleted == ["order-1"])
/// ```
public actor FollowedScreen {
    /// The last state that the test has received.
    public private(set) var screen: ShownScreen
    private let subscription: Subscription
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation
    private let announcements: Announcements
    private let reads: @Sendable () async throws -> Set<Topic>
    private let show: @Sendable () async throws -> ShownScreen

    init(
        _ screen: ShownScreen, _ subscription: Subscription, _ wakes: (AsyncStream<Void>, AsyncStream<Void>.Continuation),
        _ announcements: Announcements, reads: @escaping @Sendable () async throws -> Set<Topic>,
        _ show: @escaping @Sendable () async throws -> ShownScreen
    ) {
        (self.screen, self.subscription, (self.wakes, wake), self.announcements) = (screen, subscription, wakes, announcements)
        (self.reads, self.show) = (reads, show)
    }

    deinit {
        announcements.end()
    }

    /// Waits until the screen differs from the last received state, and returns the change. The changes of several commits can be one. Calls
    /// must not overlap.
    ///
    /// - Parameter limit: the maximum time to wait for the next commit and its content.
    /// - Throws: ``ScreenUnchanged`` if the screen does not change in time; the errors of the screen; `CancellationError` if the task is
    ///   cancelled or the screen is no longer followed.
    public func next(within limit: Duration = .seconds(30)) async throws -> ScreenChange {
        let end = ContinuousClock.now + limit
        let timer = Task { [wake] in
            try await Task.sleep(until: end)
            wake.yield()
        }
        defer { timer.cancel() }
        var wakes = wakes.makeAsyncIterator()
        while true {
            switch subscription.news(since: screen.version, reported: .current) {
            case .document:
                let shown = try await show()
                guard shown.version != screen.version else { break }
                defer { screen = shown }
                announcements.forget()
                return try ScreenChange(from: screen, to: shown)
            case .end: throw CancellationError()
            case .nothing, .current, .stale: break
            }
            if ContinuousClock.now >= end {
                // This waits for a computation in progress, whose result can be a change.
                let reads = Array(try await reads())
                if case .document = subscription.news(since: screen.version, reported: .current) { continue }
                throw ScreenUnchanged(
                    screen: screen.view.screen, limit: limit, announced: announcements.all.flatMap(\.topics), reads: reads)
            }
            guard await wakes.next() != nil else { throw CancellationError() }
        }
    }
}
