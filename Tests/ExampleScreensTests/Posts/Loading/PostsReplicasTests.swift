import ExampleRecords
import Logging
import RelistPostgres
import ScreenService
import TemporaryPostgres
import Testing

@testable import ExampleScreens

/// Tests of replicas on PostgreSQL that share the posts of one upstream.
@Suite(.timeLimit(.minutes(2))) struct PostsReplicasTests {
    private struct Replica {
        let store: PostgresServiceStore
        let source = ManualPosts()
        let loader: PostsLoader

        init(_ url: String) async throws {
            let migrations = Examples.migrations(of: [PostsFeedTransaction.self], for: .postgres)
            store = try await PostgresServiceStore.open(url: url, migrations: migrations, schema: "example", logger: Logger(label: "test"))
            loader = PostsLoader(
                source: source, topics: store.topics,
                feed: SharedPostsFeed(store: Store(in: store), upstream: "upstream", topics: store.topics),
                whileLeading: { [store] in await store.whileLeading("posts", $0) }, patience: .seconds(60)
            )
        }
    }

    @Test func theLeaderFetchesPostsForAllReplicasUntilAnotherReplicaTakesOver() async throws {
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
        #expect(source.requested == [1] && other.source.requested == [2])
        await store.close()
        await other.store.close()
    }

    /// Runs `body` with a new replica, which becomes the leader. Afterwards, releases the loader of the replica, and returns the source and
    /// the store of the replica.
    private func withLeader(at url: String, _ body: (Replica) async throws -> Void) async throws -> (ManualPosts, PostgresServiceStore) {
        let leader = try await Replica(url)
        try await body(leader)
        return (leader.source, leader.store)
    }
}
