import ExampleScreens
import ExampleStores
import ExampleStoresSQLite
import Foundation
import Logging
import ScreenService
import ServiceStoreSQLite

/// An example screen, and where its records are kept.
struct Example: Sendable {
    /// All of them, in the order in which `GET /screens` lists them.
    static let all = [
        Example(SQLiteSettings.self) { store, _ in ExampleScreens.settings(store: store) },
        Example(SQLiteDeliveries.self) { store, _ in ExampleScreens.deliveries(store: store) },
        Example(SQLitePosts.self) { store, parts in
            ExampleScreens.posts(
                store: store, upstream: parts.postsUpstream, topics: parts.topics, patience: parts.patience,
                logger: parts.logger
            )
        },
        Example(SQLiteMountains.self) { store, _ in ExampleScreens.mountains(store: store) },
        Example(SQLiteArtist.self) { store, _ in ExampleScreens.artist(store: store) },
        Example(SQLiteWiFi.self) { store, parts in ExampleScreens.wifi(store: store, topics: parts.topics) },
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
    }

    /// Nil for a screen that keeps nothing there.
    let tables: (any SQLiteTables.Type)?
    /// Makes the screen on a database that was opened with its tables.
    let screen: @Sendable (SQLiteServiceStore, Parts) -> any Screen

    init(_ screen: @escaping @Sendable (Parts) -> any Screen) {
        tables = nil
        self.screen = { _, parts in screen(parts) }
    }

    init<Tables: SQLiteTables>(
        _ tables: Tables.Type, screen: @escaping @Sendable (any Store<Tables.Transaction>, Parts) -> any Screen
    ) {
        self.tables = tables
        self.screen = { database, parts in screen(database.store(tables), parts) }
    }
}
