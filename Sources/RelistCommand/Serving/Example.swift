import ExampleRecords
import ExampleScreens
import Foundation
import Logging
import RelistPostgres
import RelistSQLite
import ScreenService

/// An example screen, and the records that it shows.
struct Example: Sendable {
    /// All of them, in the order in which `GET /screens` lists them.
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

    /// What some of the screens are made with beside their stores.
    struct Parts {
        /// Those of the stores, for what changes that is not in a store.
        let topics: Topics
        /// Nil takes the posts of the database.
        var postsUpstream: URL?
        /// How long who asks for posts waits for the upstream.
        var patience = Duration.seconds(2)
        let logger: Logger
        /// What keeps the state of the upstream's posts for all replicas; nil keeps it in this process.
        var postsFeed: Store<PostsFeedTransaction>?
        /// Runs a task while this replica is the one that requests posts of the upstream.
        var whileLeadingPosts: ExampleScreens.WhileLeading = { await $0() }
        /// The time since 1970; nil takes the system's.
        var now: (@Sendable () -> Duration)?
    }

    private let transaction: any ExampleTransaction.Type
    /// Makes the screen on a database that was opened with its tables.
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
    /// Opens the SQLite file at `path` with the tables and the records of all examples.
    static func open(path: String, logger: Logger) throws(DatabaseFileError) -> SQLiteServiceStore {
        let transactions = all.map(\.transaction)
        return try SQLiteServiceStore.open(path: path, migrations: Examples.migrations(of: transactions, for: .sqlite), logger: logger) {
            try Examples.insertMissing(of: transactions, in: $0)
        }
    }

    /// Opens a database of PostgreSQL with the tables and the records of all examples.
    static func open(url: String, logger: Logger) async throws -> PostgresServiceStore {
        let transactions = all.map(\.transaction) + [PostsFeedTransaction.self]
        return try await PostgresServiceStore.open(
            url: url, migrations: Examples.migrations(of: transactions, for: .postgres), schema: "example", logger: logger
        ) {
            try Examples.insertMissing(of: transactions, in: $0)
        }
    }
}
