import ScreenService
import Synchronization

/// The loader of an upstream's posts for all screens that show them. It runs the effects of ``PostsFeed``.
///
/// However many clients ask, at most one fetch is under way. What came of it is an event; after each
/// that changed what can be seen, the topic is announced, and screens that read it compute anew.
final class PostsLoader: Sendable {
    /// What screens read when they read ``PostsFeed/State``.
    static let topic = Topic("posts/feed")

    typealias Sleep = @Sendable (Duration) async throws -> Void
    typealias Pause = @Sendable (_ failureCount: Int) async throws -> Void

    private struct Effect {
        let number: Int
        let page: Int
        let task: Task<Void, Never>
    }

    private struct State {
        var feed = PostsFeed.State()
        var effect: Effect?
        /// How many effects were started; each has a number, so that one that was cancelled says nothing.
        var effectCount = 0
        var watchers: [Int: AsyncStream<PostsFeed.State>.Continuation] = [:]
        var watcherCount = 0
    }

    private let source: any PostsFetching
    private let topics: Topics
    private let patience: Duration
    private let sleep: Sleep
    private let pause: Pause
    private let state = Mutex(State())

    /// - Parameters:
    ///   - topics: is told when what screens show has changed.
    ///   - patience: how long who asks waits for what is under way.
    ///   - pause: what passes before what failed so often is tried again; throws when it is cancelled.
    init(
        source: any PostsFetching, topics: Topics, patience: Duration = .seconds(2),
        sleep: @escaping Sleep = { try await Task.sleep(for: $0) }, pause: @escaping Pause = pauseAfterFailure
    ) {
        self.source = source
        self.topics = topics
        self.patience = patience
        self.sleep = sleep
        self.pause = pause
    }

    /// What is known of the posts, after they were asked for and had a moment to come.
    ///
    /// It waits for as long as fewer than `limit` can be shown and more may come, up to the patience.
    func posts(upTo limit: Int) async -> PostsFeed.State {
        // Before the state is read: what changes from here on makes the reader compute anew.
        topics.recorder?.record(Self.topic)
        await wait { [self] feed in
            // Also of who waits already: a refresh forgets who asked before.
            if feed.wanted < limit { send(.fetch(upTo: limit)) }
            return feed.failure != nil || feed.loaded.isAtEnd || feed.postCount >= limit
        }
        return state.withLock { $0.feed }
    }

    /// Sends an event, and waits for the first page of a refresh, up to the patience. Who lacks posts
    /// waits for them when asking for them.
    func perform(_ event: PostsFeed.Event) async {
        send(event)
        await wait { !$0.isRefreshing }
    }

    private func send(_ event: PostsFeed.Event) {
        advance { state in PostsFeed.reduce(&state.feed, event) }
    }

    /// Takes what an effect brought, unless another one has replaced it.
    private func finish(_ number: Int, with event: PostsFeed.Event) {
        advance { state in
            guard state.effect?.number == number else { return }
            state.effect = nil
            PostsFeed.reduce(&state.feed, event)
        }
    }

    /// Takes a step and sees to what follows from it: effect, announcement, and those who wait.
    private func advance(_ step: (inout State) -> Void) {
        let isVisible = state.withLock { state in
            let before = state.feed
            step(&state)
            runEffect(of: &state)
            return state.feed.looksDifferent(from: before)
        }
        if isVisible { topics.announce([Self.topic]) }
        // Only then: who has waited for it shall not be given what was computed before.
        state.withLock { state in
            for watcher in state.watchers.values { watcher.yield(state.feed) }
        }
    }

    /// Runs what the state asks for and nothing else.
    private func runEffect(of state: inout State) {
        let page = PostsFeed.pageToFetch(in: state.feed)
        guard page != state.effect?.page else { return }
        state.effect?.task.cancel()
        state.effect = nil
        guard let page else { return }
        state.effectCount += 1
        state.effect = Effect(number: state.effectCount, page: page, task: fetch(page, as: state.effectCount))
    }

    /// Detached: who asked first may leave, and what they read is no business of the effect.
    private func fetch(_ page: Int, as number: Int) -> Task<Void, Never> {
        Task.detached { [self, source] in
            do throws(PostsFailure) {
                finish(number, with: .fetched(try await source.posts(onPage: page), page: page))
            } catch {
                finish(number, with: .failed(error, page: page))
            }
        }
    }
}

// Trying again.
extension PostsLoader {
    /// Tries again what fails, after longer and longer pauses, until its task is cancelled.
    func retryFailures() async {
        for await feed in states() where feed.failure != nil {
            guard (try? await pause(feed.failureCount)) != nil else { return }
            send(.retry)
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

// Waiting for what is under way.
extension PostsLoader {
    private func wait(until isReached: @escaping @Sendable (PostsFeed.State) -> Bool) async {
        guard !isReached(state.withLock { $0.feed }) else { return }
        await withTaskGroup { [self] group in
            group.addTask { for await feed in self.states() where isReached(feed) { return } }
            group.addTask { [sleep, patience] in try? await sleep(patience) }
            await group.next()
            group.cancelAll()
        }
    }

    /// The state as it is now, and whenever it changes; who is slow misses some, never the last.
    private func states() -> AsyncStream<PostsFeed.State> {
        let (stream, continuation) = AsyncStream.makeStream(of: PostsFeed.State.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.watcherCount += 1
            state.watchers[state.watcherCount] = continuation
            continuation.yield(state.feed)
            return state.watcherCount
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.watchers.removeValue(forKey: number) }
        }
        return stream
    }
}

extension PostsFeed.State {
    /// Whether a screen can tell this state from another one. Which page is under way, none can.
    func looksDifferent(from other: Self) -> Bool {
        loaded != other.loaded || earlier != other.earlier || failure != other.failure
            || isRefreshing != other.isRefreshing
    }
}
