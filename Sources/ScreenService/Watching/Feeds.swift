import Synchronization

/// Holds the feeds of all views that somebody follows.
final class Feeds: FeedSource {
    private struct State {
        var feeds: [ScreenView: ViewFeed] = [:]
        var isDraining = false
    }

    /// How long to wait before what failed is tried again; longer with each failure.
    private static let pauses: [Duration] = [.seconds(1), .seconds(2), .seconds(5), .seconds(15)]

    private let computations: Computations
    private let cache: ViewCache
    private let attendance: Attendance
    /// Makes the answer from one version to a view, so that it is at hand.
    private let prepare: @Sendable (ComputedView, _ version: String) -> Void
    private let state = Mutex(State())

    init(
        computations: Computations, cache: ViewCache, attendance: Attendance,
        prepare: @escaping @Sendable (ComputedView, _ version: String) -> Void
    ) {
        self.computations = computations
        self.cache = cache
        self.attendance = attendance
        self.prepare = prepare
    }

    /// How many views are followed.
    var count: Int { state.withLock { $0.feeds.count } }

    /// Follows a view. Returns once it was computed, so that nothing that changes from then on is missed.
    ///
    /// - Throws: what computing it throws.
    func follow(_ view: ScreenView, _ wake: @escaping ViewFeed.Wake) async throws -> Subscription {
        let (feed, id) = join(view, wake)
        attendance.enter(view)
        let subscription = Subscription(feed: feed) { [self] in leave(feed, id) }
        if feed.latest == nil { feed.begin(with: try await register(view, for: feed)) }
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

    func computed(_ view: ScreenView, after latest: ComputedView?, for feed: ViewFeed) async -> FeedResult {
        var failures = 0
        while true {
            do {
                let computed = try await register(view, for: feed)
                if let old = latest?.rendered.version, old != computed.rendered.version {
                    prepare(computed, old.description)
                }
                return .computed(computed)
            } catch is ScreenError {
                return .ended(.gone)
            } catch {
                // Who follows keeps what it has meanwhile.
                try? await Task.sleep(for: Self.pauses[min(failures, Self.pauses.count - 1)])
                failures += 1
                if !feed.isFollowed { return .ended(.gone) }
            }
        }
    }

    /// Computes until nothing that was read has changed before the feed was registered for it.
    private func register(_ view: ScreenView, for feed: ViewFeed) async throws -> ComputedView {
        _ = cache.beginComputation()
        defer { cache.endComputation(nil) }
        while true {
            let computed = try await computations.current(view)
            guard cache.register(feed, for: computed) else { continue }
            // Everybody may have left meanwhile, and what they left must not stay behind.
            if !feed.isFollowed { cache.forget(feed) }
            return computed
        }
    }

    // Both under the lock, so that nobody joins a feed that is about to go.

    private func join(_ view: ScreenView, _ wake: @escaping ViewFeed.Wake) -> (ViewFeed, id: Int) {
        state.withLock { state in
            let feed = state.feeds[view] ?? ViewFeed(view, source: self)
            if state.isDraining { feed.finish(.draining) }
            state.feeds[view] = feed
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
        attendance.leave(feed.view)
    }
}
