import ExampleRecords

/// The posts that a view shows, and the state of the posts that follow them.
struct PostsExcerpt: Equatable {
    /// The state of the posts that follow the shown posts.
    enum Rest: Equatable {
        case none
        case more
        case loading
        case failed(PostsFailure)
    }

    let posts: [Post]
    /// The number of all posts, including posts that are not shown, or `nil` if it is unknown.
    let count: Int?
    let rest: Rest
    let isRefreshing: Bool

    /// Creates an excerpt of the posts in the store. `count` is the number of all posts in the store.
    init(of posts: [Post], outOf count: Int) {
        self.posts = posts
        self.count = count
        rest = posts.count == count ? .none : .more
        isRefreshing = false
    }

    /// Creates an excerpt of at most `limit` posts of an upstream. The failure of a refresh is shown in all views. The failure of a later
    /// page is shown only in views that need this page.
    init(of feed: PostsFeed.State, upTo limit: Int) {
        posts = Array(feed.posts.prefix(limit))
        count = feed.loaded.isAtEnd ? feed.loaded.posts.count : nil
        rest =
            if let failure = feed.failure, feed.isMissingPosts(upTo: limit) || feed.startsOver {
                .failed(failure)
            } else if feed.isMissingPosts(upTo: limit) {
                .loading
            } else {
                posts.count == count ? .none : .more
            }
        isRefreshing = feed.isRefreshing
    }
}
