import ExampleRecords
import ScreenService

/// The loader of an upstream's posts for all screens that show them. It sends the events of ``PostsFeed`` and waits for
/// what comes of them; ``PostsEffects`` fetch.
///
/// However many clients ask, of however many processes that share a state, at most one fetch is under way. Each event
/// that changed what can be seen is announced, and screens that read it compute anew.
final class PostsLoader: Sendable {
    /// What screens read when they read ``PostsFeed/State``.
    static let topic = Topic(PostsFeedTopics.shown)

    typealias Sleep = @Sendable (Duration) async throws -> Void
    typealias Pause = @Sendable (_ failureCount: Int) async throws -> Void

    private let feed: any PostsFeedStoring
    private let topics: Topics
    private let patience: Duration
    private let sleep: Sleep
    private let pause: Pause
    private let effects: Task<Void, Never>

    /// - Parameters:
    ///   - topics: is told when what screens show has changed.
    ///   - feed: keeps the state; nil keeps it in this process.
    ///   - whileLeading: runs the fetching in one of the processes that share the state.
    ///   - patience: how long who asks waits for what is under way.
    ///   - pause: what passes before what failed so often is tried again; throws when it is cancelled.
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
        let effects = PostsEffects(source: source, feed: feed, pause: pause)
        // Detached: who makes it may leave.
        self.effects = Task.detached { await whileLeading { await effects.run() } }
    }

    deinit {
        effects.cancel()
    }

    /// What is known of the posts, after they were asked for and had a moment to come.
    ///
    /// It waits for as long as fewer than `limit` can be shown and more may come, up to the patience.
    func posts(upTo limit: Int) async throws -> PostsFeed.State {
        // Before the state is read: what changes from here on makes the reader compute anew.
        topics.recorder?.record(Self.topic)
        return try await state(asking: limit) { state in
            state.failure != nil || state.loaded.isAtEnd || state.postCount >= limit
        }
    }

    /// Sends an event, and waits for the first page of a refresh, up to the patience. Who lacks posts
    /// waits for them when asking for them.
    func perform(_ event: PostsFeed.Event) async throws {
        try await feed.take(event)
        _ = try await state { !$0.isRefreshing }
    }

    /// The state once it is as it shall be, or what there is when the patience is over.
    ///
    /// - Parameter limit: how many posts are asked for.
    private func state(
        asking limit: Int = 0, until isReached: @escaping @Sendable (PostsFeed.State) -> Bool
    ) async throws -> PostsFeed.State {
        let present = try await asked(for: limit)
        if isReached(present) { return present }
        let reached = try await withThrowingTaskGroup(of: PostsFeed.State?.self) { [self] group in
            group.addTask { try await self.firstState(asking: limit, where: isReached) }
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

    /// - Returns: nil once the task is cancelled.
    private func firstState(
        asking limit: Int, where isReached: (PostsFeed.State) -> Bool
    ) async throws -> PostsFeed.State? {
        for await _ in feed.changes() {
            // Also of who waits already: a refresh forgets who asked before.
            let state = try await asked(for: limit)
            if isReached(state) { return state }
        }
        return nil
    }

    /// The state, in which so many posts are asked for at least.
    private func asked(for limit: Int) async throws -> PostsFeed.State {
        let state = try await feed.state()
        return state.wanted < limit ? try await feed.take(.fetch(upTo: limit)) : state
    }
}

// Trying again.
extension PostsLoader {
    /// Has what fails tried again, after longer and longer pauses, until its task is cancelled. Of several processes
    /// in which somebody watches, the first to do so is the only one.
    func retryFailures() async {
        for await _ in feed.changes() {
            guard let state = await feed.insist(pause, on: { try await feed.state() }) else { return }
            guard state.failure != nil else { continue }
            guard (try? await pause(state.failureCount)) != nil else { return }
            _ = await feed.insist(pause) { try await feed.take(.retryFailure(number: state.failureCount)) }
        }
    }

    /// Servers that failed together shall not come back together: up to half of a pause is left to chance.
    static let pauseAfterFailure: Pause = { failureCount in
        try await Task.sleep(for: PostsLoader.delay(after: failureCount) * Double.random(in: 0.5...1))
    }

    /// The longest pause after so many failures in a row: 2 s, then twice as long each time, up to a minute.
    static func delay(after failureCount: Int) -> Duration {
        min(.seconds(1 << min(failureCount, 6)), .seconds(60))
    }
}

extension PostsFeed.State {
    /// Whether a screen can tell this state from another one. Which page is under way, none can.
    func looksDifferent(from other: Self) -> Bool {
        loaded != other.loaded || earlier != other.earlier || failure != other.failure
            || isRefreshing != other.isRefreshing
    }
}
