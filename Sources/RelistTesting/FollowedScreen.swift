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
    /// - Parameter limit: the maximum time to wait for a commit. At its end, the screen is computed and compared once more.
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
            // At the end, the content is compared even without news, because a computation may be in progress.
            var isNew = ContinuousClock.now >= end
            let isLate = isNew
            switch subscription.news(since: screen.version, reported: .current) {
            case .document: isNew = true
            case .end: throw CancellationError()
            case .nothing, .current, .stale: break
            }
            if isNew {
                let known = announcements.all
                let shown = try await show()
                if shown.version != screen.version {
                    defer { screen = shown }
                    announcements.forget(known.count)
                    return try ScreenChange(from: screen, to: shown)
                }
                if isLate { throw try await unchanged(for: limit, known) }
            }
            guard await wakes.next() != nil else { throw CancellationError() }
        }
    }

    private func unchanged(for limit: Duration, _ announced: [Announcement]) async throws -> ScreenUnchanged {
        let reads = try await reads()
        return ScreenUnchanged(
            screen: screen.view.screen, limit: limit, announced: announced.flatMap(\.topics), reads: Array(reads),
            hasReadAnnounced: announced.contains { announcement in reads.contains(where: announcement.touches) }
        )
    }
}
