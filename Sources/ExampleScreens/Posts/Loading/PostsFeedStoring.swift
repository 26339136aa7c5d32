import ScreenService
import Synchronization

/// Something that keeps the state of ``PostsFeed``, for one process or for all that show the posts.
protocol PostsFeedStoring: Sendable {
    /// The state as it is now.
    func state() async throws -> PostsFeed.State

    /// Takes an event, with no other one in between.
    ///
    /// Where screens show something else then, ``PostsLoader/topic`` is announced before anybody hears of it, so that
    /// who has waited for it is not given what was computed before.
    ///
    /// - Returns: the state after it.
    @discardableResult
    func take(_ event: PostsFeed.Event) async throws -> PostsFeed.State

    /// An element at once, and one whenever the state has changed, by whichever process; who is slow misses some,
    /// never the last.
    func changes() -> AsyncStream<Void>
}

extension PostsFeedStoring {
    /// Runs `body`, again after longer and longer pauses where the store fails; nil once the task is cancelled.
    func insist<Value>(_ pause: PostsLoader.Pause, on body: () async throws -> Value) async -> Value? {
        var failureCount = 0
        while !Task.isCancelled {
            if let value = try? await body() { return value }
            failureCount += 1
            guard (try? await pause(failureCount)) != nil else { break }
        }
        return nil
    }
}

/// The state of one process.
final class PostsFeedInMemory: PostsFeedStoring {
    private let topics: Topics
    /// Of its own, as no screen reads how far the loading is.
    private let progress = Topics()
    private let current = Mutex(PostsFeed.State())

    /// - Parameter topics: is told when what screens show has changed.
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
    /// An element at once, and one whenever a topic was announced; who is slow misses some, never the last.
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
