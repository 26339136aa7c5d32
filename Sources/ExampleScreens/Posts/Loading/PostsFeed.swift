import Storage

/// Decides what is known of an upstream's posts and what is to be fetched next: a pure state machine.
///
/// ``PostsLoader`` feeds it events and runs the effect that the state asks for, which is fetching
/// ``pageToFetch(in:)``; the screen shows the state. Time, network and tasks are not in it.
enum PostsFeed {
    /// How many posts the upstream is asked for at a time.
    static let pageSize = 20

    enum Phase: Equatable {
        /// Nobody has asked for posts yet.
        case initial
        /// A page is being fetched.
        case loading
        /// Nothing is under way: all that was asked for is there, or fetching it failed.
        case loaded
    }

    struct State: Equatable {
        var phase = Phase.initial
        /// What is shown.
        var loaded = PostsPages()
        /// What a refresh has fetched so far. It takes the place of ``loaded`` once it has as many
        /// posts, so that what is shown stays until the new is there.
        var reloaded: PostsPages?
        /// Why the last fetch failed. Nothing is fetched until a retry or a refresh.
        var failure: PostsFailure?
        /// The most posts that anybody asked for.
        var wanted = 0
    }

    enum Event: Equatable {
        /// A screen shows up to so many posts.
        case fetch(upTo: Int)
        case fetched([Post], page: Int)
        case failed(PostsFailure, page: Int)
        /// All that is shown shall be loaded again, from the first page.
        case refresh
        /// What failed shall be tried again.
        case retry
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
            if !state.isStartingOver { state.startOver() }
        case .retry:
            if state.failure != nil { state.goOn() }
        }
    }

    /// The feedback: the page whose fetching must be under way in a state; nil for none.
    static func pageToFetch(in state: State) -> Int? {
        state.phase == .loading ? (state.reloaded ?? state.loaded).count + 1 : nil
    }
}

extension PostsFeed.State {
    /// Whether a refresh is under way.
    var isRefreshing: Bool { phase == .loading && reloaded != nil }

    /// Whether loading goes on or comes to an end, by what is there and what was asked for.
    fileprivate mutating func goOn() {
        failure = nil
        let isLacking = loaded.posts.count < wanted && !loaded.isAtEnd
        if reloaded != nil || isLacking {
            phase = .loading
        } else if phase == .loading {
            phase = .loaded
        }
    }

    fileprivate mutating func take(_ page: [Post]) {
        if var pages = reloaded {
            pages.append(page)
            let isComplete = pages.isAtEnd || pages.posts.count >= loaded.posts.count
            reloaded = isComplete ? nil : pages
            if isComplete { loaded = pages }
        } else {
            loaded.append(page)
        }
        goOn()
    }

    fileprivate mutating func fail(_ failure: PostsFailure) {
        phase = .loaded
        self.failure = failure
    }

    /// Whether what is being fetched is as new as a refresh would have it.
    fileprivate var isStartingOver: Bool {
        phase == .loading && (reloaded != nil || loaded.count == 0)
    }

    fileprivate mutating func startOver() {
        phase = .loading
        reloaded = PostsPages()
        failure = nil
    }
}
