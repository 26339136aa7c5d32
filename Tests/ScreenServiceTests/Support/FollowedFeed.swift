import Logging

@testable import ScreenService

/// A feed with a follower. The view shows one letter, and the test controls the backoff.
struct FollowedFeed {
    let letters: LetterService
    let feeds: Feeds
    let subscription: Subscription
    private let wakes: AsyncStream<Void>

    init(
        deadline: Deadline = .after(.seconds(3600)), logger: Logger = .silent, backOff: @escaping @Sendable (_ failures: Int) async -> Void
    ) async throws {
        letters = try await LetterService(["old"], deadline: deadline)
        let service = letters.service
        let feeds = Feeds(
            computations: service.computations, topics: letters.topics, cache: service.cache, answers: service.answers,
            watchTasks: WatchTasks(catalog: service.catalog), refreshing: BackgroundExecutor(), timers: service.timers,
            metrics: service.metrics,
            logger: logger, backOff: backOff
        )
        _ = letters.topics.observe { announcement in
            feeds.endBackoffs(reading: announcement)
            return nil
        }
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self)
        (self.feeds, self.wakes) = (feeds, wakes)
        subscription = try await feeds.follow(letters.view()) { wake.yield() }.value
    }

    var latest: ComputedView? { subscription.feed.latest }

    func write(_ letter: String) {
        letters.store.write([letter])
    }

    /// Makes the next computations fail.
    func fail(_ error: any Error, times: Int = 1) {
        for _ in 0..<times { letters.store.fail(error) }
    }

    /// Waits until the follower is woken and the view contains the letter. Returns `false` if the task is cancelled
    /// before this happens.
    func shows(_ letter: String) async -> Bool {
        for await _ in wakes where latest?.snapshot.text.contains("the letter \(letter)") == true { return true }
        return false
    }

    /// Follows the view as a client that already has the latest version of the view.
    func follower() async throws -> Follower {
        try await Follower(of: letters.view(), in: feeds, since: latest?.snapshot.version)
    }
}

extension Gate {
    /// Waits until the gate is opened or the task is cancelled. Calls `onCancel` if the task is cancelled.
    func passUnlessCancelled(_ onCancel: @escaping @Sendable () -> Void = {}) async {
        await withTaskCancellationHandler {
            await pass()
        } onCancel: {
            onCancel()
            open()
        }
    }
}
