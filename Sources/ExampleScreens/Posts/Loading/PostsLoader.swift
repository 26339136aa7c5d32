import ScreenService
import Synchronization

/// Loads an upstream's posts for all screens that show them: runs the effects of ``PostsFeed``.
///
/// However many clients ask, at most one fetch is under way. What came of it is an event; after each
/// that changed what can be seen, the topic is announced, and screens that read it compute anew.
final class PostsLoader: Sendable {
    /// What screens read when they read ``PostsFeed/State``.
    static let topic = Topic("posts/feed")

    typealias Sleep = @Sendable (Duration) async throws -> Void

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
    private let topics: any TopicAnnouncing
    private let patience: Duration
    private let sleep: Sleep
    private let state = Mutex(State())

    /// - Parameters:
    ///   - topics: is told when what screens show has changed.
    ///   - patience: how long who asks waits for what is under way.
    init(
        source: any PostsFetching, topics: any TopicAnnouncing, patience: Duration = .seconds(2),
        sleep: @escaping Sleep = { try await Task.sleep(for: $0) }
    ) {
        self.source = source
        self.topics = topics
        self.patience = patience
        self.sleep = sleep
    }

    /// What is known of the posts, after they were asked for and had a moment to come.
    ///
    /// It waits for as long as fewer than `limit` are there and more may come, up to the patience.
    func posts(upTo limit: Int) async -> PostsFeed.State {
        // Before the state is read: what changes from here on makes the reader compute anew.
        ReadRecorder.current?.record(Self.topic)
        send(.fetch(upTo: limit))
        await wait { $0.phase != .loading || $0.loaded.posts.count >= limit || $0.loaded.isAtEnd }
        return state.withLock { $0.feed }
    }

    /// Sends an event, and waits while it has all posts loaded anew, up to the patience. Who lacks
    /// posts waits for them when asking for them.
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
            for watcher in state.watchers.values { watcher.yield(state.feed) }
            return state.feed.looksDifferent(from: before)
        }
        if isVisible { topics.announce([Self.topic]) }
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

// Waiting for what is under way.
extension PostsLoader {
    private func wait(until isReached: @escaping @Sendable (PostsFeed.State) -> Bool) async {
        guard !state.withLock({ isReached($0.feed) }) else { return }
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
        loaded != other.loaded || failure != other.failure || isRefreshing != other.isRefreshing
    }
}
