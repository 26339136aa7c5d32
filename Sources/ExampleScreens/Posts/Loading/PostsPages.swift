import ExampleRecords

/// The posts of the first pages of an upstream, without duplicates.
struct PostsPages: Equatable, Codable {
    /// The posts in the order of the upstream. Only the first of several posts with the same id is kept.
    private(set) var posts: [Post] = []
    private(set) var count = 0
    private(set) var isAtEnd = false

    /// Adds the next page. A page that is not full is the last page. A page without new posts is treated as the last page, because an
    /// upstream that ignores page numbers returns the same posts forever.
    mutating func append(_ page: [Post]) {
        let known = posts.count
        var ids = Set(posts.map(\.id))
        for post in page where ids.insert(post.id).inserted { posts.append(post) }
        count += 1
        isAtEnd = page.count < PostsFeed.pageSize || posts.count == known
    }

    /// Returns the posts of an older list that probably follow these pages: all posts after the last post that both lists contain, or the
    /// whole older list if there is no such post. Posts that these pages already contain are omitted.
    func rest(of older: [Post]) -> [Post] {
        let ids = Set(posts.map(\.id))
        let places = Dictionary(older.enumerated().map { ($1.id, $0) }) { first, _ in first }
        let last = posts.last { places[$0.id] != nil }.flatMap { places[$0.id] }
        return older[(last.map { $0 + 1 } ?? 0)...].filter { !ids.contains($0.id) }
    }
}
