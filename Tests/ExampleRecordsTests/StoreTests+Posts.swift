import ExampleRecords
import TemporaryDatabase
import Testing

extension StoreTests {
    @Test(arguments: Engine<PostsTransaction>.all)
    func theFirstPostsAreReadInTheOrderOfTheirIDs(engine: Engine<PostsTransaction>) async throws {
        try await engine.withStore { store, _ async throws in
            try await store.write { try $0.insertPost(Post(id: -1, userID: 1, title: "Before", body: "")) }
            #expect(try await store.read { try $0.posts(first: 3).map(\.id) } == [-1, 1, 2])
            #expect(try await store.read { try $0.posts(first: 1000).count } == 121)
            #expect(try await store.read { try $0.posts(first: 0) } == [])
            #expect(try await store.read { try $0.posts(first: -1) } == [])
            #expect(try await store.read { try $0.postCount() } == 121)
        }
    }

    @Test(arguments: Engine<PostsTransaction>.all)
    func aPostCanBeInsertedReplacedAndDeleted(engine: Engine<PostsTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            var post = Post(id: 0, userID: 7, title: "Épeautre 🌾", body: "Line\nand line")
            try await store.write { [post] in try $0.insertPost(post) }
            #expect(try await store.read { try $0.posts(first: 1) } == [post])
            post.userID = 8
            post.title = ""
            try await store.write { [post] in try $0.replacePost(post) }
            #expect(try await store.read { try $0.posts(first: 1) } == [post])
            #expect(try await store.write { try $0.deletePost(0) })
            #expect(try await store.read { try $0.postCount() } == 120)
            #expect(announcements.commits == [["posts"], ["posts"], ["posts"]])
        }
    }

    @Test(arguments: Engine<PostsTransaction>.all)
    func writesThatChangeNoPostAreNotAnnounced(engine: Engine<PostsTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            #expect(try await store.write { try !$0.deletePost(999) })
            try await store.write { store in
                let first = try #require(try store.posts(first: 1).first)
                try store.replacePost(first)
            }
            #expect(announcements.commits == [])
        }
    }

    @Test(arguments: Engine<PostsTransaction>.all)
    func anExistingPostCannotBeInsertedAndAMissingPostCannotBeReplaced(engine: Engine<PostsTransaction>) async throws {
        try await engine.withStore { store, announcements async throws in
            await #expect(throws: PostsStoreError.postExists(id: 1)) {
                try await store.write { try $0.insertPost(Post(id: 1, userID: 1, title: "", body: "")) }
            }
            await #expect(throws: PostsStoreError.noPost(id: 999)) {
                try await store.write { try $0.replacePost(Post(id: 999, userID: 1, title: "", body: "")) }
            }
            #expect(announcements.commits == [])
        }
    }

    @Test(arguments: Engine<PostsTransaction>.all)
    func readingPostsRecordsTheirTopic(engine: Engine<PostsTransaction>) async throws {
        try await engine.withStore { store, _ async throws in
            #expect(try await store.topics { _ = try $0.posts(first: 20) } == ["posts"])
            #expect(try await store.topics { _ = try $0.postCount() } == ["posts"])
        }
    }
}
