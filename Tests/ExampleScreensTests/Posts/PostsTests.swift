import ExampleRecords
import ScreenModel
import ScreenService
import Testing

@testable import ExampleScreens

struct PostsTests {
    @Test func withoutParametersTheScreenShowsTwentyPosts() async throws {
        try await withStore(PostsTransaction.self) { store in
            let posts = Posts(store: store)
            let content = try await posts.content(for: .asking(posts))
            #expect(content.title == "Posts")
            #expect(content.model.map(\.id) == ["posts"])
            #expect(content.model[0].map(\.id) == (1...20).map { "post-\($0)" })
            #expect(content.model[0].first?.post.title == "The first barley of the year")
            #expect(
                transcript(content.model).last
                    == "footer more title=Show more detail=20 of 120 posts → posts limit=40"
            )
        }
    }

    @Test(arguments: [
        ("1", 1, "footer more title=Show more detail=1 of 120 posts → posts limit=21"),
        ("119", 119, "footer more title=Show more detail=119 of 120 posts → posts limit=139"),
        ("120", 120, "footer end text=That was all 120 posts"),
        ("1000", 120, "footer end text=That was all 120 posts"),
    ])
    func theLimitParameterIsTheMaximumNumberOfShownPosts(limit: String, count: Int, footer: String) async throws {
        try await withStore(PostsTransaction.self) { store in
            let posts = Posts(store: store)
            let model = try await posts.content(for: .asking(posts, ["limit": limit])).model
            #expect(model[0].count == count)
            #expect(transcript(model).last == footer)
        }
    }

    @Test func theLimitParameterMustBeFrom1To1000() {
        #expect(Posts.limit.canonical("40") == "40")
        #expect(Posts.limit.canonical("0040") == "40")
        #expect(Posts.limit.canonical("1000") == "1000")
        for text in ["0", "1001", "-1", "", "2.5", "1e2", "twenty"] { #expect(Posts.limit.canonical(text) == nil) }
        #expect(Posts.limit.defaultText == "20")
    }
}
