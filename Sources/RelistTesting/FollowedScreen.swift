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
    private let show: @Sendable () async throws -> ShownScreen

    init(
        _ screen: ShownScreen, _ subscription: Subscription, _ wakes: AsyncStream<Void>,
        _ show: @escaping @Sendable () async throws -> ShownScreen
    ) {
        (self.screen, self.subscription, self.wakes, self.show) = (screen, subscription, wakes, show)
    }

    /// Waits until the screen differs from the last received state, and returns the change. The changes of several commits can be one.
    ///
    /// - Throws: the errors of the screen; `CancellationError` if the task is cancelled or the screen is no longer followed.
    public func next() async throws -> ScreenChange {
        var wakes = wakes.makeAsyncIterator()
        while true {
            switch subscription.news(since: screen.version, reported: .current) {
            case .document:
                let shown = try await show()
                guard shown.version != screen.version else { break }
                defer { screen = shown }
                return try ScreenChange(from: screen, to: shown)
            case .end: throw CancellationError()
            case .nothing, .current, .stale: break
            }
            guard await wakes.next() != nil else { throw CancellationError() }
        }
    }
}
