@testable import ExampleScreens
import ExampleRecords
import Logging
import RelistPostgres
import ScreenService
import TemporaryPostgres
import Testing

/// What replicas on PostgreSQL make of one upstream.
@Suite(.timeLimit(.minutes(2))) struct PostsReplicasTests {
    private struct Replica {
        let store: PostgresServiceStore
        let source = HeldPosts()
        let loader: PostsLoader

        init(_ url: String) async throws {
            let migrations = Examples.migrations(of: [PostsFeedTransaction.self], for: .postgres)
            store = try await PostgresServiceStore.open(url: url, migrations: migrations, schema: "example", logger: Logger(label: "test"))
            loader = PostsLoader(
                source: source, topics: store.topics, feed: SharedPostsFeed(store: Store(in: store), upstream: "upstream", topics: store.topics),
                whileLeading: { [store] in await store.whileLeading("posts", $0) }, patience: .seconds(60)
            )
        }
    }

    private func page(_ number: Int) -> [Post] {
        (0..<20).map { Post(id: 20 * (number - 1) + $0 + 1, userID: 1, title: "post \($0)", body: "") }
    }

    @Test func oneFetchesAllShowTheSameAndWhenItIsGoneAnotherGoesOn() async throws {
        let url = try PostgresServer.shared.newDatabase()
        let (source, store) = try await withLeader(at: url) { leader async throws in
            async let first = leader.loader.posts(upTo: 20)
            await leader.source.answer(page(1))
            #expect(try await first.posts == page(1))
        }
        let other = try await Replica(url)
        #expect(try await other.loader.posts(upTo: 20).posts == page(1))
        async let more = other.loader.posts(upTo: 40)
        await other.source.answer(page(2))
        #expect(try await more.posts == page(1) + page(2))
        #expect(source.asked == [1] && other.source.asked == [2])
        await store.close()
        await other.store.close()
    }

    @Test func oneAtATimeFetchesWhateverTheOthersAreAsked() async throws {
        let url = try PostgresServer.shared.newDatabase()
        let leader = try await Replica(url)
        async let first = leader.loader.posts(upTo: 20)
        await leader.source.answer(page(1))
        #expect(try await first.posts == page(1))
        let other = try await Replica(url)
        async let more = other.loader.posts(upTo: 40)
        await leader.source.answer(page(2))
        #expect(try await more.posts == page(1) + page(2))
        #expect(leader.source.asked == [1, 2] && other.source.asked == [])
        await leader.store.close()
        await other.store.close()
    }

    /// Lets go of the leader's loader afterwards.
    private func withLeader(at url: String, _ body: (Replica) async throws -> Void) async throws -> (HeldPosts, PostgresServiceStore) {
        let leader = try await Replica(url)
        try await body(leader)
        return (leader.source, leader.store)
    }
}
