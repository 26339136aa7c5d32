public import ExampleStores
public import RelistPostgres
import ScreenService

/// What is known of an upstream's posts, in PostgreSQL, for all replicas.
public struct PostgresPostsFeed: PostgresTables, PostsFeedTransaction {
    public static let migration = PostgresMigration(
        "posts feed",
        "CREATE TABLE example.posts_feed (upstream text NOT NULL PRIMARY KEY, state text NOT NULL);"
    )

    private let transaction: PostgresTransaction

    public static func transaction(_ transaction: PostgresTransaction) -> any PostsFeedTransaction {
        PostgresPostsFeed(transaction: transaction)
    }

    public func postsFeed(of upstream: String) throws -> String? {
        try transaction.row(of: nil, "SELECT state FROM example.posts_feed WHERE upstream = $1", [upstream]) { try $0[0] }
    }

    public func savePostsFeed(_ json: String, of upstream: String, isShown: Bool) throws {
        try transaction.write(
            "INSERT INTO example.posts_feed VALUES ($1, $2) ON CONFLICT (upstream) DO UPDATE SET state = excluded.state", [upstream, json],
            announcing: [Topic(PostsFeedTopics.progress)] + (isShown ? [Topic(PostsFeedTopics.shown)] : [])
        )
    }
}

/// The leadership of one of the replicas that share a database.
public struct PostgresLeadership: Leadership {
    private let store: PostgresServiceStore
    private let name: String

    /// - Parameter name: what is led.
    public init(of name: String, in store: PostgresServiceStore) {
        (self.store, self.name) = (store, name)
    }

    public func whileLeading(_ body: @escaping @Sendable () async -> Void) async {
        await store.whileLeading(name, body)
    }
}
