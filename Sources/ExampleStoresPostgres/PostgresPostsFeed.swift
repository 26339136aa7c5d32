public import ExampleStores
public import RelistPostgres
import ScreenService

/// What is known of an upstream's posts, in PostgreSQL, for all replicas.
public struct PostgresPostsFeed: PostgresTables, PostsFeedTransaction {
    public static let migration = PostgresMigration(
        "posts feed",
        "CREATE TABLE example.posts_feed (id boolean NOT NULL DEFAULT true PRIMARY KEY CHECK (id), state text NOT NULL);"
    )

    private let transaction: PostgresTransaction

    public static func transaction(_ transaction: PostgresTransaction) -> any PostsFeedTransaction {
        PostgresPostsFeed(transaction: transaction)
    }

    public func postsFeed() throws -> String? {
        try transaction.row(of: nil, "SELECT state FROM example.posts_feed") { try $0[0] }
    }

    public func savePostsFeed(_ json: String, isShown: Bool) throws {
        try transaction.write(
            "INSERT INTO example.posts_feed (state) VALUES ($1) ON CONFLICT (id) DO UPDATE SET state = excluded.state", [json],
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
