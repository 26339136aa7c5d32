import ExampleRecords

/// Something that fetches posts from where they are published, a page at a time.
protocol PostsFetching: Sendable {
    /// The posts of a page, of ``PostsFeed/pageSize`` each; the first page is 1. Fewer are the last ones.
    ///
    /// - Throws: ``PostsFailure``, once trying again would not help or would take too long. Where the
    ///   task is cancelled, what it throws means nothing.
    func posts(onPage page: Int) async throws(PostsFailure) -> [Post]
}

/// Why a page could not be fetched.
enum PostsFailure: Error, Hashable, Codable {
    /// There was no connection, or it broke.
    case unreachable
    /// The answer was not complete in time.
    case slow
    /// The upstream answered with another status than one of success.
    case status(Int)
    case notJSON
    /// The answer is JSON but no list of posts; a JSON pointer says where.
    case wrongShape(at: String)
    /// The answer has more bytes than a page of posts may have.
    case tooLarge
}
