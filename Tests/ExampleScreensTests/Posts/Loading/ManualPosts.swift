import ExampleRecords
import ScreenService
import Synchronization

@testable import ExampleScreens

/// A source of posts. A test provides the result of each request.
final class ManualPosts: PostsFetching {
    private struct State {
        var requested: [Int] = []
        var traces: [String?] = []
        var waiting: [CheckedContinuation<Result<[Post], PostsFailure>, Never>] = []
        var answeredCount = 0
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// The numbers of the requested pages, in the order of the requests.
    var requested: [Int] { state.withLock { $0.requested } }

    /// The id in the trace of each request.
    var traces: [String?] { state.withLock { $0.traces } }

    func posts(onPage page: Int) async throws(PostsFailure) -> [Post] {
        let result: Result<[Post], PostsFailure> = await withCheckedContinuation { continuation in
            state.withLock { state in
                state.requested.append(page)
                state.traces.append(RequestTrace.current?.requestID)
                state.waiting.append(continuation)
                for watcher in state.watchers where watcher.count <= state.requested.count { watcher.continuation.resume() }
                state.watchers.removeAll { $0.count <= state.requested.count }
            }
        }
        return try result.get()
    }

    /// Waits until a request is pending, and responds with `posts` to the oldest pending request.
    func answer(_ posts: [Post]) async { await answer(.success(posts)) }
    func fail(_ failure: PostsFailure) async { await answer(.failure(failure)) }

    private func answer(_ result: Result<[Post], PostsFailure>) async {
        let count = state.withLock { state in
            state.answeredCount += 1
            return state.answeredCount
        }
        await waitForRequests(count)
        state.withLock { $0.waiting.removeFirst() }.resume(returning: result)
    }

    /// Waits until `count` requests have been made since the start of the test.
    func waitForRequests(_ count: Int) async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                if state.requested.count >= count { return continuation.resume() }
                state.watchers.append((count, continuation))
            }
        }
    }
}
