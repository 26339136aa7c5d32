import Storage

/// Holds the posts of the first pages of an upstream, each post once.
struct PostsPages: Equatable {
    /// In the order of the upstream; of a post that it repeats, the first counts.
    private(set) var posts: [Post] = []
    /// How many pages they came from.
    private(set) var count = 0
    /// Whether no page follows.
    private(set) var isAtEnd = false

    /// Adds the next page.
    ///
    /// A page that is not full is the last one, and so is one that brings nothing new: an upstream
    /// that knows no pages gives the same for each, and would be asked without end.
    mutating func append(_ page: [Post]) {
        let known = posts.count
        var ids = Set(posts.map(\.id))
        for post in page where ids.insert(post.id).inserted { posts.append(post) }
        count += 1
        isAtEnd = page.count < PostsFeed.pageSize || posts.count == known
    }
}
