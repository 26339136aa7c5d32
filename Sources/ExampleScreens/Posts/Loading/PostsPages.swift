import ExampleRecords

/// The posts of the first pages of an upstream, each post once.
struct PostsPages: Equatable, Codable {
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

    /// What probably follows these pages, by an older list: what followed their last post there, without
    /// what they have.
    func rest(of older: [Post]) -> [Post] {
        let ids = Set(posts.map(\.id))
        let places = Dictionary(older.enumerated().map { ($1.id, $0) }) { first, _ in first }
        let last = posts.last { places[$0.id] != nil }.flatMap { places[$0.id] }
        return older[(last.map { $0 + 1 } ?? 0)...].filter { !ids.contains($0.id) }
    }
}
