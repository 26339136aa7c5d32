@testable import ExampleScreens
import ExampleRecords
import LogLines
import Testing

struct LoggedPostsTests {
    @Test func aPageThatFailsIsLoggedWithItsCause() async {
        let lines = LogLines()
        let posts = LoggedPosts(source: Failing(), logger: lines.logger)
        await #expect(throws: PostsFailure.wrongShape(at: "/3/title")) { try await posts.posts(onPage: 2) }
        #expect(lines.all == [#"warning: a page of posts could not be fetched: cause=wrongShape(at: "/3/title") page=2"#])
    }
}

private struct Failing: PostsFetching {
    func posts(onPage page: Int) async throws(PostsFailure) -> [Post] {
        throw .wrongShape(at: "/3/title")
    }
}
