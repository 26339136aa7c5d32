import ExampleRecords

/// A source that returns posts in pages.
protocol PostsFetching: Sendable {
    /// Returns the posts of a page. Pages are counted from 1. A page with fewer than ``PostsFeed/pageSize`` posts is the last page.
    func posts(onPage page: Int) async throws(PostsFailure) -> [Post]
}

/// The reason why a page could not be fetched.
enum PostsFailure: Error, Hashable, Codable {
    case unreachable
    case slow
    /// The upstream responded with a status other than 2xx.
    case status(Int)
    case notJSON
    /// The response is JSON, but not a list of valid posts. The JSON pointer refers to the first invalid or missing value.
    case wrongShape(at: String)
    /// The response has more bytes than a page of posts may have.
    case tooLarge
}
