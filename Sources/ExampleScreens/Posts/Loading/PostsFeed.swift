import ExampleRecords

/// A pure state machine that decides what is known of an upstream's posts and what is to be fetched next.
///
/// ``PostsLoader`` feeds it events, ``PostsEffects`` run what the state asks for, which is fetching
/// ``pageToFetch(in:)``; the screen shows the state. Time, network and tasks are not in it.
enum PostsFeed {
    /// How many posts the upstream is asked for at a time.
    static let pageSize = 20

    enum Phase: String, Codable {
        /// Nobody has asked for posts yet.
        case initial
        /// A page is being fetched.
        case loading
        /// Nothing is under way: all that was asked for is there, or fetching it failed.
        case loaded
    }

    struct State: Equatable, Codable {
        var phase = Phase.initial
        /// The first pages, as they have come since the last refresh.
        var loaded = PostsPages()
        /// What followed them before that refresh. It is shown below them until it comes anew.
        var earlier: [Post] = []
        /// Whether the next page is the first one again: a refresh has begun, and may have failed.
        var startsOver = false
        /// Why the last fetch failed. Nothing is fetched until a retry or a refresh.
        var failure: PostsFailure?
        /// How many fetches in a row have failed.
        var failureCount = 0
        /// The most posts that anybody asked for since the last refresh or failure. Views that somebody
        /// watches ask again when they hear of either; the others are not fetched for any more.
        var wanted = 0
    }

    enum Event: Equatable {
        /// A screen shows up to so many posts.
        case fetch(upTo: Int)
        case fetched([Post], page: Int)
        case failed(PostsFailure, page: Int)
        /// The posts shall be loaded again, from the first page.
        case refresh
        /// What failed shall be tried again.
        case retry
        /// What failed shall be tried again, unless that was done since it had failed so often in a row.
        case retryFailure(number: Int)
    }

    static func reduce(_ state: inout State, _ event: Event) {
        switch event {
        case .fetch(let count):
            state.wanted = max(state.wanted, count)
            if state.failure == nil { state.goOn() }
        case .fetched(let posts, let page):
            // A page that was asked for before a refresh may come after it.
            if page == pageToFetch(in: state) { state.take(posts) }
        case .failed(let failure, let page):
            if page == pageToFetch(in: state) { state.fail(failure) }
        case .refresh:
            if !state.isNew { state.startOver() }
        case .retry:
            if state.failure != nil { state.goOn() }
        case .retryFailure(let number):
            if state.failure != nil, number == state.failureCount { state.goOn() }
        }
    }

    /// The feedback: the page whose fetching must be under way in a state; nil for none.
    static func pageToFetch(in state: State) -> Int? {
        guard state.phase == .loading else { return nil }
        return state.startsOver ? 1 : state.loaded.count + 1
    }
}

extension PostsFeed.State {
    /// All that can be shown.
    var posts: [Post] { loaded.posts + earlier }
    var postCount: Int { loaded.posts.count + earlier.count }

    /// Whether a refresh is under way that has brought nothing yet.
    var isRefreshing: Bool { phase == .loading && startsOver }

    /// Whether a view of so many posts shows less than it might, or some that are not new.
    func isLacking(_ count: Int) -> Bool { loaded.posts.count < count && !loaded.isAtEnd }

    /// Whether loading goes on or comes to an end, by what is there and what was asked for.
    fileprivate mutating func goOn() {
        failure = nil
        if startsOver || isLacking(wanted) {
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
        goOn()
    }

    fileprivate mutating func fail(_ failure: PostsFailure) {
        phase = .loaded
        self.failure = failure
        failureCount += 1
        // The page that failed, unless that was the first one again.
        wanted = startsOver ? 0 : loaded.posts.count + 1
    }

    /// Whether what is being fetched is as new as a refresh would have it.
    fileprivate var isNew: Bool {
        phase == .loading && (startsOver || loaded.count == 0)
    }

    fileprivate mutating func startOver() {
        phase = .loading
        startsOver = true
        failure = nil
        wanted = 0
    }
}
