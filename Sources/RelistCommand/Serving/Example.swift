import ExampleRecords
import ExampleScreens
import Foundation
import Logging
import RelistPostgres
import RelistSQLite
import ScreenService

/// An example screen with its records.
struct Example: Sendable {
    /// All examples, in the order of `GET /screens`.
    static let all = [
        Example(SettingsTransaction.self) { store, _ in ExampleScreens.settings(store: store) },
        Example(DeliveriesTransaction.self) { store, _ in ExampleScreens.deliveries(store: store) },
        Example(PostsTransaction.self) { store, parts in
            ExampleScreens.posts(
                store: store, upstream: parts.postsUpstream, topics: parts.topics, patience: parts.patience,
                logger: parts.logger, feed: parts.postsFeed, whileLeading: parts.whileLeadingPosts
            )
        },
        Example(MountainsTransaction.self) { store, _ in ExampleScreens.mountains(store: store) },
        Example(ArtistTransaction.self) { store, _ in ExampleScreens.artist(store: store) },
        Example(WiFiTransaction.self) { store, parts in ExampleScreens.wifi(store: store, topics: parts.topics, now: parts.now) },
    ]

    /// The dependencies of the example screens, in addition to their stores.
    struct Parts {
        /// The object that announces the topics of changed data. The data can be in the stores or outside of them.
        let topics: Topics
        /// The URL of the server that posts are fetched from; `nil` to show the posts in the database.
        var postsUpstream: URL?
        /// The maximum time that a request for posts waits for the upstream.
        var patience = Duration.seconds(2)
        let logger: Logger
        /// The store that keeps the state of the upstream's posts for all replicas; `nil` to keep the state in this process.
        var postsFeed: Store<PostsFeedTransaction>?
        /// A function that runs a task while this replica is the leader. The leader fetches posts from the upstream.
        var whileLeadingPosts: ExampleScreens.WhileLeading = { await $0() }
        /// A clock that returns the time since 1970; `nil` for the system's clock.
        var now: (@Sendable () -> Duration)?
    }

    private let transaction: any ExampleTransaction.Type
    /// Makes the screen. The database is open and already has the tables of the screen.
    let screen: @Sendable (any RecordStoring, Parts) -> any Screen

    init<Transaction: ExampleTransaction>(
        _ transaction: Transaction.Type, screen: @escaping @Sendable (Store<Transaction>, Parts) -> any Screen
    ) {
        self.transaction = transaction
        self.screen = { database, parts in screen(Store(in: database), parts) }
    }
}

// MARK: - Databases

extension Example {
    /// Opens the SQLite file at `path` with the tables and records of all examples.
    static func open(path: String, logger: Logger) throws(DatabaseFileError) -> SQLiteServiceStore {
        try SQLiteServiceStore.open(path: path, migrations: Examples.migrations(of: ofSQLite, for: .sqlite), logger: logger) {
            try Examples.insertMissing(of: ofSQLite, in: $0)
        }
    }

    /// Checks the SQLite file at `path`, without changing it.
    static func check(path: String, logger: Logger) -> StoreCheck<SQLiteServiceStore> {
        SQLiteServiceStore.check(path: path, migrations: Examples.migrations(of: ofSQLite, for: .sqlite), logger: logger)
    }

    /// Opens a PostgreSQL database with the tables and records of all examples.
    static func open(url: String, logger: Logger) async throws -> PostgresServiceStore {
        try await PostgresServiceStore.open(
            url: url, migrations: Examples.migrations(of: ofPostgres, for: .postgres), schema: schema, logger: logger
        ) {
            try Examples.insertMissing(of: ofPostgres, in: $0)
        }
    }

    /// Checks a PostgreSQL database, without changing it.
    static func check(url: String, logger: Logger) async -> StoreCheck<PostgresServiceStore> {
        await PostgresServiceStore.check(
            url: url, migrations: Examples.migrations(of: ofPostgres, for: .postgres), schema: schema, logger: logger)
    }

    private static let ofSQLite = all.map(\.transaction)
    private static let ofPostgres = ofSQLite + [PostsFeedTransaction.self]
    /// The schema of the tables of the examples in PostgreSQL.
    private static let schema = "example"
}
