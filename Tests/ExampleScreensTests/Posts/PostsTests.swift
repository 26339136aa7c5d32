@testable import ExampleScreens
import ExampleRecords
import ScreenModel
import ScreenService
import Testing

struct PostsTests {
    @Test func itOpensWithTwentyPosts() async throws {
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
    func theLimitSaysHowMany(limit: String, count: Int, footer: String) async throws {
        try await withStore(PostsTransaction.self) { store in
            let posts = Posts(store: store)
            let model = try await posts.content(for: .asking(posts, ["limit": limit])).model
            #expect(model[0].count == count)
            #expect(transcript(model).last == footer)
        }
    }

    @Test func theLimitIsANumberUpToOneThousand() {
        #expect(Posts.limit.canonical("40") == "40")
        #expect(Posts.limit.canonical("0040") == "40")
        #expect(Posts.limit.canonical("1000") == "1000")
        for text in ["0", "1001", "-1", "", "2.5", "1e2", "twenty"] { #expect(Posts.limit.canonical(text) == nil) }
        #expect(Posts.limit.defaultText == "20")
    }

    @Test func aDeletedPostMakesRoomForTheNext() async throws {
        try await withStore(PostsTransaction.self) { store in
            let posts = Posts(store: store)
            try await store.write { _ = try $0.deletePost(3) }
            let model = try await posts.content(for: .asking(posts)).model
            #expect(model[0].map(\.id) == [1, 2].map { "post-\($0)" } + (4...21).map { "post-\($0)" })
            #expect(transcript(model).last?.contains("20 of 119 posts") == true)
        }
    }

    @Test func itReadsThePostsAlone() async throws {
        try await withStore(PostsTransaction.self) { store in
            let topics = try await Posts(store: store).topics()
            #expect(topics == ["posts"])
        }
    }

    @Test func anotherPageInsertsTwentyCellsAndTouchesNoOther() async throws {
        try await withService(PostsTransaction.self, { Posts(store: $0) }) { service in
            let more = try await service.changes(of: Posts.name, from: ["limit": "20"], to: ["limit": "40"])
            #expect(more.verbs == ["insertCells", "updateSections"])
            #expect(more.comingIDs == Set((21...40).map { "post-\($0)" }))
            let back = try await service.changes(of: Posts.name, from: ["limit": "40"], to: ["limit": "20"])
            #expect(back.verbs == ["deleteCells", "updateSections"])
        }
    }
}
