import ScreenModel
import ScreenService
import Synchronization

/// The effects of ``PostsFeed``, which fetch the requested pages one by one. If several processes share a state, only their leader runs the
/// effects. The page to fetch depends on the state alone, so a new leader continues where the previous leader stopped.
struct PostsEffects: Sendable {
    private typealias Loop = FeedbackLoop<State, Event>

    private struct State {
        var page: Int?
        var fetchCount = 0
    }

    private enum Event {
        case read(PostsFeed.State)
        /// The result of a fetch is in the store.
        case stored
    }

    let source: any PostsFetching
    let feed: any PostsFeedStoring
    let pause: PostsLoader.Pause
    let trace: PostsTrace

    /// Fetches pages until the task is cancelled.
    func run() async {
        let loop = Loop(initial: State(), reduce: Self.reduce, feedbacks: [whenStored, whenPageIsMissing])
        for await _ in loop.states {}
        withExtendedLifetime(loop) {}
    }

    private static func reduce(_ state: inout State, _ event: Event) {
        switch event {
        case .read(let feed): state.page = PostsFeed.pageToFetch(in: feed)
        case .stored: state = State(page: nil, fetchCount: state.fetchCount + 1)
        }
    }

    /// Reads the state of the feed when the effect starts, and after each change. After each fetch, the effect is cancelled and starts
    /// again, so that a state that was read before the end of the fetch is not used. Such a state could request the fetched page again.
    private var whenStored: Loop.Feedback {
        Loop.Feedback(skippingRepeated: { $0.fetchCount }) { _, send in
            for await _ in feed.changes() {
                if let state = await feed.retrying(pause, on: { try await feed.state() }) { send(.read(state)) }
            }
        }
    }

    private var whenPageIsMissing: Loop.Feedback {
        Loop.Feedback(skippingRepeated: { $0.page }) { page, send in
            let result = await result(ofPage: page)
            if await feed.retrying(pause, on: { try await feed.take(result) }) != nil { send(.stored) }
        }
    }

    private func result(ofPage page: Int) async -> PostsFeed.Event {
        await RequestTrace.$current.withValue(trace.last) {
            do throws(PostsFailure) {
                return .fetched(try await source.posts(onPage: page), page: page)
            } catch {
                return .failed(error, page: page)
            }
        }
    }
}

/// The trace of the last request that has asked for posts in this process. A fetch is for all requests that wait for it, and has the trace of
/// the last one.
final class PostsTrace: Sendable {
    private let noted = Mutex<RequestTrace?>(nil)

    var last: RequestTrace? { noted.withLock { $0 } }

    /// Stores the trace of the current task.
    func note() {
        noted.withLock { $0 = .current }
    }
}
