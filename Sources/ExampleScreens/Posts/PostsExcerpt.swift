import ExampleRecords

/// What one view shows of the posts: the first of them, and what is to be said about the rest.
struct PostsExcerpt: Equatable {
    enum Rest: Equatable {
        case none
        case more
        case loading
        case failed(PostsFailure)
    }

    let posts: [Post]
    /// How many posts there are, shown or not; nil while nobody knows.
    let count: Int?
    let rest: Rest
    let isRefreshing: Bool

    /// - Parameter count: how many there are in the store.
    init(of posts: [Post], outOf count: Int) {
        self.posts = posts
        self.count = count
        rest = posts.count == count ? .none : .more
        isRefreshing = false
    }

    /// - Parameter limit: how many the view shows at most. What fails for the sake of longer views is
    ///   nothing to a view that has all that it shows; a refresh that fails is for the sake of all.
    init(of feed: PostsFeed.State, upTo limit: Int) {
        posts = Array(feed.posts.prefix(limit))
        count = feed.loaded.isAtEnd ? feed.loaded.posts.count : nil
        rest =
            if let failure = feed.failure, feed.isLacking(limit) || feed.startsOver {
                .failed(failure)
            } else if feed.isLacking(limit) {
                .loading
            } else {
                posts.count == count ? .none : .more
            }
        isRefreshing = feed.isRefreshing
    }
}
