import ExampleRecords
import Logging

/// A source of posts whose failed pages are logged: who runs the server is told more than
/// who reads the footer.
struct LoggedPosts: PostsFetching {
    let source: any PostsFetching
    let logger: Logger

    func posts(onPage page: Int) async throws(PostsFailure) -> [Post] {
        do {
            return try await source.posts(onPage: page)
        } catch {
            if !Task.isCancelled {
                logger.warning("a page of posts could not be fetched", metadata: ["page": "\(page)", "cause": "\(error)"])
            }
            throw error
        }
    }
}
