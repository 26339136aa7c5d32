import ExampleRecords
import ScreenService

/// A loader of an upstream's posts. It sends events to ``PostsFeed`` and waits for the resulting states. ``PostsEffects`` fetches the
/// pages. Each visible change announces ``topic``, so that the screens are computed again.
final class PostsLoader: Sendable {
    static let topic = PostsFeedTransaction.shown

    typealias Sleep = @Sendable (Duration) async throws -> Void
    typealias Pause = @Sendable (_ failureCount: Int) async throws -> Void

    private let feed: any PostsFeedStoring
    private let topics: Topics
    private let patience: Duration
    private let sleep: Sleep
    private let pause: Pause
    private let trace = PostsTrace()
    private let effects: Task<Void, Never>

    /// Creates a loader and starts fetching pages.
    ///
    /// - Parameters:
    ///   - feed: the store of the state, or `nil` to keep the state in this process.
    ///   - whileLeading: a function that runs a task while this process is the leader of the processes that share the state.
    ///   - patience: the maximum time that a request waits for posts.
    ///   - pause: a function that waits after a failure. Its argument is the number of consecutive failures.
    init(
        source: any PostsFetching, topics: Topics, feed: (any PostsFeedStoring)? = nil,
        whileLeading: @escaping ExampleScreens.WhileLeading = { await $0() }, patience: Duration = .seconds(2),
        sleep: @escaping Sleep = { try await Task.sleep(for: $0) }, pause: @escaping Pause = pauseAfterFailure
    ) {
        let feed = feed ?? PostsFeedInMemory(topics: topics)
        self.feed = feed
        self.topics = topics
        self.patience = patience
        self.sleep = sleep
        self.pause = pause
        let effects = PostsEffects(source: source, feed: feed, pause: pause, trace: trace)
        // The task is detached, so that it outlives the task in which the loader is created.
        self.effects = Task.detached { await whileLeading { await effects.run() } }
    }

    deinit {
        effects.cancel()
    }

    /// Requests posts. Returns the state when `limit` posts can be shown, no more posts can be loaded, a fetch has failed, or `patience`
    /// has passed.
    func posts(upTo limit: Int) async throws -> PostsFeed.State {
        // The read is recorded before the state is read, so that a later change outdates the result.
        topics.recorder?.record(Self.topic)
        return try await state(requesting: limit) { state in
            state.failure != nil || state.loaded.isAtEnd || state.postCount >= limit
        }
    }

    /// Applies an event. After a refresh, waits up to `patience` for the first page.
    func perform(_ event: PostsFeed.Event) async throws {
        try await take(event)
        _ = try await state { !$0.isRefreshing }
    }

    /// Requests `limit` posts. Returns the first state for which `isReached` returns true, or the current state after `patience`.
    private func state(
        requesting limit: Int = 0, until isReached: @escaping @Sendable (PostsFeed.State) -> Bool
    ) async throws -> PostsFeed.State {
        let current = try await state(requesting: limit)
        if isReached(current) { return current }
        let reached = try await withThrowingTaskGroup(of: PostsFeed.State?.self) { [self] group in
            group.addTask { try await self.firstState(requesting: limit, where: isReached) }
            group.addTask { [sleep, patience] in
                try? await sleep(patience)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        if let reached { return reached }
        return try await feed.state()
    }

    /// Returns the first state for which `isReached` returns true, or `nil` if the task is cancelled.
    private func firstState(
        requesting limit: Int, where isReached: (PostsFeed.State) -> Bool
    ) async throws -> PostsFeed.State? {
        for await _ in feed.changes() {
            // The posts are requested again after each change, because the change may be a refresh, which discards all earlier requests.
            let state = try await state(requesting: limit)
            if isReached(state) { return state }
        }
        return nil
    }

    private func state(requesting limit: Int) async throws -> PostsFeed.State {
        let state = try await feed.state()
        return state.wanted < limit ? try await take(.fetch(upTo: limit)) : state
    }

    @discardableResult
    private func take(_ event: PostsFeed.Event) async throws -> PostsFeed.State {
        trace.note()
        return try await feed.take(event)
    }
}

extension PostsLoader {
    /// Retries failed fetches until the task is cancelled. Each failure is retried only once, even if several processes run this function.
    func retryFailures() async {
        for await _ in feed.changes() {
            guard let state = await feed.retrying(pause, on: { try await feed.state() }) else { return }
            guard state.failure != nil else { continue }
            guard (try? await pause(state.failureCount)) != nil else { return }
            _ = await feed.retrying(pause) { try await feed.take(.retryFailure(number: state.failureCount)) }
        }
    }

    /// Waits for a random duration from half of ``delay(after:)`` to the whole of it, so that servers that failed at the same time do not
    /// retry at the same time.
    static let pauseAfterFailure: Pause = { failureCount in
        try await Task.sleep(for: PostsLoader.delay(after: failureCount) * Double.random(in: 0.5...1))
    }

    /// Returns the upper bound of the pause: 2 s after the first failure, twice as long after each further failure, and at most 60 s.
    static func delay(after failureCount: Int) -> Duration {
        min(.seconds(1 << min(failureCount, 6)), .seconds(60))
    }
}

extension PostsFeed.State {
    func looksDifferent(from other: Self) -> Bool {
        loaded != other.loaded || earlier != other.earlier || failure != other.failure
            || isRefreshing != other.isRefreshing
    }
}
