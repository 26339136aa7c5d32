import ScreenModel
import Testing

/// A view model like that of an app, built with ``FeedbackLoop``. It fetches posts, like an example in talks about ReactiveSwift
/// and ReactiveFeedback.
@MainActor private final class PostsViewModel {
    struct Post: Equatable {
        let id: Int
        let title: String
    }

    struct Row: Equatable {
        let id: String
        let text: String
    }

    struct State: Equatable {
        enum Context: Equatable { case idle, fetchingPosts }

        var context = Context.idle
        var posts: [Post] = []
        var error: FetchError?
    }

    enum Event {
        case fetchPosts
        case fetchPostsSucceeded([Post])
        case fetchPostsFailed(FetchError)
    }

    private let loop: FeedbackLoop<State, Event>
    let rows: LoopProperty<[Row]>
    let isFetching: LoopProperty<Bool>
    let error: LoopProperty<FetchError?>
    var state: State { loop.state }

    init(provider: some PostProvider) {
        loop = FeedbackLoop(initial: State(), reduce: Self.reduce, feedbacks: [Self.whenFetchingPosts(from: provider)])
        rows = loop.map(\.posts).map { posts in posts.map { Row(id: "post-\($0.id)", text: $0.title) } }
        isFetching = loop.map { $0.context == .fetchingPosts }
        error = loop.map(\.error)
    }

    func fetchPosts() { loop.send(.fetchPosts) }

    private nonisolated static func reduce(_ state: inout State, _ event: Event) {
        switch event {
        case .fetchPosts: state = State(context: .fetchingPosts, posts: state.posts)
        case .fetchPostsSucceeded(let posts): state = State(posts: posts)
        case .fetchPostsFailed(let error): state = State(posts: state.posts, error: error)
        }
    }

    private static func whenFetchingPosts(from provider: some PostProvider) -> FeedbackLoop<State, Event>.Feedback {
        .init(predicate: { $0.context == .fetchingPosts }) { _, send in
            do throws(FetchError) {
                send(.fetchPostsSucceeded(try await provider.posts()))
            } catch {
                send(.fetchPostsFailed(error))
            }
        }
    }
}

private enum FetchError: Error { case unreachable, cancelled }

private protocol PostProvider: Sendable {
    func posts() async throws(FetchError) -> [PostsViewModel.Post]
}

/// A provider of posts. A test sets the result of each fetch.
private actor FakePostProvider: PostProvider {
    private typealias Fetch = AsyncStream<Result<[PostsViewModel.Post], FetchError>>

    private var results: [Fetch.Continuation] = []
    private(set) var cancelled: [Int] = []
    private let fetchCount = FeedbackLoop<Int, Void>(initial: 0, reduce: { count, _ in count += 1 })
    private let cancelCount = FeedbackLoop<Int, Void>(initial: 0, reduce: { count, _ in count += 1 })

    func posts() async throws(FetchError) -> [PostsViewModel.Post] {
        let (stream, continuation) = Fetch.makeStream()
        results.append(continuation)
        let number = results.count
        fetchCount.send(())
        var iterator = stream.makeAsyncIterator()
        if let result = await iterator.next(isolation: self) { return try result.get() }
        cancelled.append(number)
        cancelCount.send(())
        throw .cancelled
    }

    /// Waits until a fetch has begun, and ends the fetch with a result.
    func finish(fetch number: Int, with result: Result<[PostsViewModel.Post], FetchError>) async {
        _ = await fetchCount.states.first { $0 >= number }
        results[number - 1].yield(result)
    }

    func waitForFetch(_ number: Int) async { _ = await fetchCount.states.first { $0 >= number } }
    func waitForCancellation() async { _ = await cancelCount.states.first { $0 > 0 } }
}

@Suite(.timeLimit(.minutes(2))) @MainActor struct PostsViewModelTests {
    private let provider = FakePostProvider()
    private let viewModel: PostsViewModel

    init() {
        viewModel = PostsViewModel(provider: provider)
    }

    @Test func aNewViewModelHasNoPosts() {
        #expect(viewModel.state == PostsViewModel.State())
        #expect(viewModel.rows.value == [])
    }

    @Test func fetchedPostsAreShownAsRows() async {
        viewModel.fetchPosts()
        #expect(viewModel.isFetching.value)
        await provider.finish(fetch: 1, with: .success([post(1), post(2)]))
        #expect(await first(viewModel.rows) { !$0.isEmpty } == [row(1), row(2)])
        #expect(!viewModel.isFetching.value)
        #expect(viewModel.rows.value == [row(1), row(2)])
    }

    @Test func aFetchCanBeRetriedAfterAFailure() async {
        viewModel.fetchPosts()
        await provider.finish(fetch: 1, with: .failure(.unreachable))
        #expect(await first(viewModel.error) { $0 != nil } == .unreachable)
        #expect(viewModel.state == PostsViewModel.State(error: .unreachable))
        viewModel.fetchPosts()
        #expect(viewModel.state == PostsViewModel.State(context: .fetchingPosts))
        await provider.finish(fetch: 2, with: .success([post(1)]))
        #expect(await first(viewModel.rows) { !$0.isEmpty } == [row(1)])
        #expect(viewModel.error.value == nil)
    }

    @Test func theEarlierPostsRemainIfAFetchFails() async {
        viewModel.fetchPosts()
        await provider.finish(fetch: 1, with: .success([post(1)]))
        _ = await first(viewModel.rows) { !$0.isEmpty }
        viewModel.fetchPosts()
        await provider.finish(fetch: 2, with: .failure(.unreachable))
        _ = await first(viewModel.error) { $0 != nil }
        #expect(viewModel.state == PostsViewModel.State(posts: [post(1)], error: .unreachable))
    }

    @Test func aNewFetchCancelsTheOutdatedFetch() async {
        viewModel.fetchPosts()
        await provider.waitForFetch(1)
        viewModel.fetchPosts()
        await provider.waitForCancellation()
        #expect(await provider.cancelled == [1])
        #expect(viewModel.isFetching.value)
        await provider.finish(fetch: 2, with: .success([post(2)]))
        #expect(await first(viewModel.rows) { !$0.isEmpty } == [row(2)])
        #expect(viewModel.error.value == nil)
    }

    private func first<Value>(_ property: LoopProperty<Value>, where isWanted: (Value) -> Bool) async -> Value? {
        for await value in property where isWanted(value) { return value }
        return nil
    }

    private func post(_ id: Int) -> PostsViewModel.Post { PostsViewModel.Post(id: id, title: "Title \(id)") }
    private func row(_ id: Int) -> PostsViewModel.Row { PostsViewModel.Row(id: "post-\(id)", text: "Title \(id)") }
}
