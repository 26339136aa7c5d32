import ScreenService
import Synchronization

/// A store of the state of ``PostsFeed``. It belongs to one process, or it is shared by all processes that show the posts.
protocol PostsFeedStoring: Sendable {
    func state() async throws -> PostsFeed.State

    /// Applies an event in one transaction and returns the new state. If the change is visible on screens, ``PostsLoader/topic`` is
    /// announced before ``changes()`` yields an element. Otherwise a request that waits for the change could receive an older view.
    @discardableResult
    func take(_ event: PostsFeed.Event) async throws -> PostsFeed.State

    /// Returns a sequence that yields an element immediately and after each change by any process. A slow reader receives one element for
    /// several changes.
    func changes() -> AsyncStream<Void>
}

extension PostsFeedStoring {
    /// Runs `body` until it succeeds, with a longer pause after each failure. Returns `nil` if the task is cancelled.
    func retrying<Value>(_ pause: PostsLoader.Pause, on body: () async throws -> Value) async -> Value? {
        var failureCount = 0
        while !Task.isCancelled {
            if let value = try? await body() { return value }
            failureCount += 1
            guard (try? await pause(failureCount)) != nil else { break }
        }
        return nil
    }
}

/// A store that keeps the state of ``PostsFeed`` in memory, for one process.
final class PostsFeedInMemory: PostsFeedStoring {
    private let topics: Topics
    /// The object that announces every change of the state to the sequences of ``changes()``. `topics` announces only visible changes.
    private let progress = Topics()
    private let current = Mutex(PostsFeed.State())

    /// Creates a store with the initial state. `topics` announces ``PostsLoader/topic`` after each change that is visible on screens.
    init(topics: Topics) {
        self.topics = topics
    }

    func state() -> PostsFeed.State {
        current.withLock { $0 }
    }

    func take(_ event: PostsFeed.Event) -> PostsFeed.State {
        let (before, after) = current.withLock { state in
            let before = state
            PostsFeed.reduce(&state, event)
            return (before, state)
        }
        if after.looksDifferent(from: before) { topics.announce([PostsLoader.topic]) }
        if after != before { progress.announce([PostsLoader.topic]) }
        return after
    }

    func changes() -> AsyncStream<Void> {
        progress.announcements(of: PostsLoader.topic)
    }
}

extension Topics {
    /// Returns a sequence that yields an element immediately and after each announcement of a topic. A slow reader receives one element for
    /// several announcements.
    func announcements(of topic: Topic) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = observe { announcement in
            guard announcement.touches(topic) else { return nil }
            return { continuation.yield() }
        }
        continuation.onTermination = { [weak self] _ in self?.endObserving(id) }
        continuation.yield()
        return stream
    }
}
