@testable import ExampleScreens
import ExampleRecords
import Synchronization

/// Is a source whose answers a test gives, one at a time.
final class HeldPosts: PostsFetching {
    private struct State {
        var asked: [Int] = []
        var waiting: [CheckedContinuation<Result<[Post], PostsFailure>, Never>] = []
        var answeredCount = 0
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// The pages that were asked for so far.
    var asked: [Int] { state.withLock { $0.asked } }

    func posts(onPage page: Int) async throws(PostsFailure) -> [Post] {
        let result: Result<[Post], PostsFailure> = await withCheckedContinuation { continuation in
            state.withLock { state in
                state.asked.append(page)
                state.waiting.append(continuation)
                for watcher in state.watchers where watcher.count <= state.asked.count { watcher.continuation.resume() }
                state.watchers.removeAll { $0.count <= state.asked.count }
            }
        }
        return try result.get()
    }

    /// Waits until somebody waits for a page, and answers the one who asked first.
    func answer(_ posts: [Post]) async { await answer(.success(posts)) }
    func fail(_ failure: PostsFailure) async { await answer(.failure(failure)) }

    private func answer(_ result: Result<[Post], PostsFailure>) async {
        let count = state.withLock { state in
            state.answeredCount += 1
            return state.answeredCount
        }
        await isAsked(times: count)
        state.withLock { $0.waiting.removeFirst() }.resume(returning: result)
    }

    /// Waits until so many pages were asked for in all.
    func isAsked(times count: Int) async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                if state.asked.count >= count { return continuation.resume() }
                state.watchers.append((count, continuation))
            }
        }
    }
}
