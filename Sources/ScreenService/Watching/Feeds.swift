import Logging
import Synchronization

/// Holds the feeds of all views that somebody follows.
final class Feeds: FeedSource {
    private struct State {
        var feeds: [ScreenView: ViewFeed] = [:]
        var isDraining = false
    }

    /// How long to wait before what failed is tried again; longer with each failure.
    private static let pauses: [Duration] = [.seconds(1), .seconds(2), .seconds(5), .seconds(15)]

    static let pauseAfterFailure: @Sendable (_ failures: Int) async -> Void = { failures in
        try? await Task.sleep(for: pauses[min(failures, pauses.count) - 1])
    }

    private let computations: Computations
    private let cache: ViewCache
    private let answers: Answers
    private let attendance: Attendance
    private let logger: Logger
    private let pause: @Sendable (_ failures: Int) async -> Void
    private let state = Mutex(State())

    init(
        computations: Computations, cache: ViewCache, answers: Answers, attendance: Attendance, logger: Logger,
        pause: @escaping @Sendable (_ failures: Int) async -> Void = pauseAfterFailure
    ) {
        self.computations = computations
        self.cache = cache
        self.attendance = attendance
        self.logger = logger
        self.pause = pause
        self.answers = answers
    }

    /// How many views are followed.
    var count: Int { state.withLock { $0.feeds.count } }

    /// Follows a view. Returns once it was computed, so that nothing that changes from then on is missed,
    /// and nothing is shown that is older than what its client has seen.
    ///
    /// - Throws: what computing it throws.
    func follow(_ view: ScreenView, _ wake: @escaping ViewFeed.Wake) async throws -> Subscription {
        let (feed, id) = join(view, wake)
        attendance.enter(view)
        let subscription = Subscription(feed: feed) { [self] in leave(feed, id) }
        if !feed.isCurrent { feed.publish(try await register(view, for: feed)) }
        return subscription
    }

    /// Ends all feeds, and each that comes.
    func drain() {
        let feeds = state.withLock { state in
            state.isDraining = true
            return Array(state.feeds.values)
        }
        for feed in feeds { feed.finish(.draining) }
    }

    func computed(_ view: ScreenView, for feed: ViewFeed) async -> FeedResult {
        var failures = 0
        while true {
            let generation = cache.generation
            do {
                return .computed(try await register(view, for: feed))
            } catch is ScreenError where cache.generation == generation {
                // Otherwise it may be back by now.
                return .ended(.gone)
            } catch {
                // Who follows keeps what it has meanwhile.
                failures += 1
                log(error, failures, view)
                await pause(failures)
                if !feed.isFollowed { return .ended(.gone) }
            }
        }
    }

    private func log(_ error: any Error, _ failures: Int, _ view: ScreenView) {
        logger.warning(
            "a followed view could not be computed anew",
            metadata: ["screen": "\(view.screen)", "failures": "\(failures)", "error": "\(error)"]
        )
    }

    /// Computes, and has the feed told of the next change, or tells it at once where that has come already:
    /// where data changes faster than it is read, who follows shall see some of it.
    private func register(_ view: ScreenView, for feed: ViewFeed) async throws -> ComputedView {
        let generation = cache.beginComputation()
        defer { cache.endComputation(nil, begunIn: generation) }
        let computed = try await computations.current(view)
        if !cache.register(feed, for: computed) { feed.becomeStale() }
        // Everybody may have left meanwhile, and what they left must not stay behind.
        if !feed.isFollowed { cache.forget(feed) }
        if let old = feed.latest { answers.prepare(from: old, to: computed) }
        return computed
    }

    // Both under the lock, so that nobody joins a feed that is about to go.

    private func join(_ view: ScreenView, _ wake: @escaping ViewFeed.Wake) -> (ViewFeed, id: Int) {
        state.withLock { state in
            // One that is gone stays with those who have not left it yet; the view may have come back.
            let present = state.feeds[view].flatMap { $0.end == .gone ? nil : $0 }
            let feed = present ?? ViewFeed(view, source: self)
            // One that was there has been ended.
            if state.isDraining, present == nil { feed.finish(.draining) }
            state.feeds[view] = feed
            cache.retain(view)
            return (feed, feed.follow(wake))
        }
    }

    private func leave(_ feed: ViewFeed, _ id: Int) {
        let isLast = state.withLock { state in
            let isLast = feed.unfollow(id)
            if isLast, state.feeds[feed.view] === feed { state.feeds[feed.view] = nil }
            return isLast
        }
        if isLast { cache.forget(feed) }
        cache.release(feed.view)
        // Who leaves may come back with it.
        if let latest = feed.latest { answers.noteUse(of: latest) }
        attendance.leave(feed.view)
    }
}
