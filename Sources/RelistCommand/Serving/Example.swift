import ExampleScreens
import ExampleStores
import ExampleStoresPostgres
import ExampleStoresSQLite
import Foundation
import Logging
import RelistPostgres
import ScreenService
import RelistSQLite

/// An example screen, and where its records are kept.
struct Example: Sendable {
    /// All of them, in the order in which `GET /screens` lists them.
    static let all = [
        Example(SQLiteSettings.self, PostgresSettings.self) { store, _ in ExampleScreens.settings(store: store) },
        Example(SQLiteDeliveries.self, PostgresDeliveries.self) { store, _ in ExampleScreens.deliveries(store: store) },
        Example(SQLitePosts.self, PostgresPosts.self) { store, parts in
            ExampleScreens.posts(
                store: store, upstream: parts.postsUpstream, topics: parts.topics, patience: parts.patience,
                logger: parts.logger, feed: parts.postsFeed, leadership: parts.postsLeadership
            )
        },
        Example(SQLiteMountains.self, PostgresMountains.self) { store, _ in ExampleScreens.mountains(store: store) },
        Example(SQLiteArtist.self, PostgresArtist.self) { store, _ in ExampleScreens.artist(store: store) },
        Example(SQLiteWiFi.self, PostgresWiFi.self) { store, parts in ExampleScreens.wifi(store: store, topics: parts.topics, now: parts.now) },
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
        var postsFeed: (any Store<any PostsFeedTransaction>)?
        /// Which of the replicas asks the upstream.
        var postsLeadership: any Leadership = LeadingAlone()
        /// The time since 1970; nil takes the system's.
        var now: (@Sendable () -> Duration)?
    }

    /// The tables of its records, in either database.
    let tables: (sqlite: any SQLiteTables.Type, postgres: any PostgresTables.Type)
    /// Makes the screen on a database that was opened with its tables.
    let screen: @Sendable (any ExampleDatabase, Parts) -> any Screen

    init<SQLite: SQLiteTables, Postgres: PostgresTables>(
        _ sqlite: SQLite.Type, _ postgres: Postgres.Type,
        screen: @escaping @Sendable (any Store<SQLite.Transaction>, Parts) -> any Screen
    ) where SQLite.Transaction == Postgres.Transaction {
        tables = (sqlite, postgres)
        self.screen = { database, parts in screen(database.store(sqlite, postgres), parts) }
    }
}

/// A database with the records of the examples.
protocol ExampleDatabase: ServiceStoring {
    /// The store of one screen.
    func store<SQLite: SQLiteTables, Postgres: PostgresTables>(
        _ sqlite: SQLite.Type, _ postgres: Postgres.Type
    ) -> any Store<SQLite.Transaction> where SQLite.Transaction == Postgres.Transaction
}

extension SQLiteServiceStore: ExampleDatabase {
    func store<SQLite: SQLiteTables, Postgres: PostgresTables>(
        _ sqlite: SQLite.Type, _ postgres: Postgres.Type
    ) -> any Store<SQLite.Transaction> where SQLite.Transaction == Postgres.Transaction {
        store(sqlite)
    }
}

extension PostgresServiceStore: ExampleDatabase {
    func store<SQLite: SQLiteTables, Postgres: PostgresTables>(
        _ sqlite: SQLite.Type, _ postgres: Postgres.Type
    ) -> any Store<SQLite.Transaction> where SQLite.Transaction == Postgres.Transaction {
        store(postgres)
    }
}
