import ExampleRecords

/// A pure state machine for loading the posts of an upstream. It uses no clock, network or tasks. ``PostsLoader`` sends events to the state
/// machine. ``PostsEffects`` fetches the page that ``pageToFetch(in:)`` returns.
///
/// A refresh fetches the first page again. Until all pages are fetched again, the posts that were loaded before the refresh are shown after
/// the new posts. After a failure, nothing is fetched until a retry or a refresh. Views with followers request their posts again after a
/// refresh or a failure. The requests of all other views are discarded.
enum PostsFeed {
    /// The number of posts on a page.
    static let pageSize = 20

    enum Phase: String, Codable {
        case initial
        case loading
        /// No fetch is in progress: all requested posts are loaded, or the last fetch failed.
        case loaded
    }

    struct State: Equatable, Codable {
        var phase = Phase.initial
        /// The pages that have been loaded since the last refresh.
        var loaded = PostsPages()
        /// The posts from before the last refresh that probably follow the pages in `loaded`.
        var earlier: [Post] = []
        /// A Boolean value that indicates whether the first page of a refresh must be fetched next.
        var startsOver = false
        var failure: PostsFailure?
        /// The number of consecutive failed fetches.
        var failureCount = 0
        /// The largest number of posts that a view has requested since the last refresh or failure.
        var wanted = 0
    }

    enum Event: Equatable {
        /// A view requests all posts up to the given number.
        case fetch(upTo: Int)
        case fetched([Post], page: Int)
        case failed(PostsFailure, page: Int)
        case refresh
        case retry
        /// The failed page is fetched again if `number` is still the number of consecutive failed fetches.
        case retryFailure(number: Int)
    }

    static func reduce(_ state: inout State, _ event: Event) {
        switch event {
        case .fetch(let count):
            state.wanted = max(state.wanted, count)
            if state.failure == nil { state.continueLoading() }
        case .fetched(let posts, let page):
            // A page that was requested before a refresh may arrive after the refresh. Unless it is the page to fetch, it is ignored.
            if page == pageToFetch(in: state) { state.take(posts) }
        case .failed(let failure, let page):
            if page == pageToFetch(in: state) { state.fail(failure) }
        case .refresh:
            if !state.isFetchingFirstPage { state.startOver() }
        case .retry:
            if state.failure != nil { state.continueLoading() }
        case .retryFailure(let number):
            if state.failure != nil, number == state.failureCount { state.continueLoading() }
        }
    }

    /// Returns the number of the page to fetch in a state, or `nil` if no page is to be fetched.
    static func pageToFetch(in state: State) -> Int? {
        guard state.phase == .loading else { return nil }
        return state.startsOver ? 1 : state.loaded.count + 1
    }
}

extension PostsFeed.State {
    var posts: [Post] { loaded.posts + earlier }
    var postCount: Int { loaded.posts.count + earlier.count }

    var isRefreshing: Bool { phase == .loading && startsOver }

    /// Returns a Boolean value that indicates whether some of the first `count` posts must still be loaded after the last refresh.
    func isMissingPosts(upTo count: Int) -> Bool { loaded.posts.count < count && !loaded.isAtEnd }

    fileprivate mutating func continueLoading() {
        failure = nil
        if startsOver || isMissingPosts(upTo: wanted) {
            phase = .loading
        } else if phase == .loading {
            phase = .loaded
        }
    }

    fileprivate mutating func take(_ page: [Post]) {
        if startsOver {
            earlier = Array(posts.prefix(Posts.limits.upperBound))
            loaded = PostsPages()
            startsOver = false
        }
        loaded.append(page)
        earlier = loaded.isAtEnd ? [] : loaded.rest(of: earlier)
        failureCount = 0
        continueLoading()
    }

    fileprivate mutating func fail(_ failure: PostsFailure) {
        phase = .loaded
        self.failure = failure
        failureCount += 1
        // `wanted` is set so that a retry fetches the failed page.
        wanted = startsOver ? 0 : loaded.posts.count + 1
    }

    fileprivate var isFetchingFirstPage: Bool {
        phase == .loading && (startsOver || loaded.count == 0)
    }

    fileprivate mutating func startOver() {
        phase = .loading
        startsOver = true
        failure = nil
        wanted = 0
    }
}
