import ExampleStores
import ExampleStoresPostgres
import ExampleStoresSQLite
import Logging
import RelistPostgres
@testable import ScreenService
import RelistSQLite
import TemporaryDatabase
import TemporaryPostgres
import Testing

/// Something that keeps the records of a screen. ``StoreTests`` run on each, always on a new store with the examples.
struct Engine<Transaction>: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Whether an error says that a text has U+0000.
    let saysZeroCharacter: @Sendable (any Error) -> Bool
    let withStore:
        @Sendable (_ body: @Sendable (any Store<Transaction>, Announcements) async throws -> Void) async throws -> Void

    static func all<SQLite: SQLiteTables, Postgres: PostgresTables>(_ sqlite: SQLite.Type, _ postgres: Postgres.Type) -> [Engine]
    where SQLite.Transaction == Transaction, Postgres.Transaction == Transaction {
        [.sqlite(sqlite), .postgres(postgres)]
    }

    private static func sqlite<Tables: SQLiteTables>(_ tables: Tables.Type) -> Engine where Tables.Transaction == Transaction {
        Engine(testDescription: "SQLite", saysZeroCharacter: { $0 as? SQLiteStoreError == .zeroCharacter }) { body in
            let folder = try TemporaryFolder()
            let announcements = Announcements()
            let database = try SQLiteServiceStore.open(path: folder.database, tables: [tables], logger: Logger(label: "test"))
            announcements.observe(database.topics)
            try await body(database.store(tables), announcements)
            await database.close()
        }
    }

    private static func postgres<Tables: PostgresTables>(_ tables: Tables.Type) -> Engine where Tables.Transaction == Transaction {
        Engine(testDescription: "PostgreSQL", saysZeroCharacter: { $0 as? PostgresStoreError == .zeroCharacter }) { body in
            let announcements = Announcements()
            let url = try PostgresServer.shared.newDatabase(like: try await PostgresExamples.template.value)
            let database = try await PostgresServiceStore.open(url: url, tables: PostgresExamples.tables, logger: Logger(label: "test"))
            announcements.observe(database.topics)
            try await body(database.store(tables), announcements)
            await database.close()
        }
    }
}

/// The examples in PostgreSQL, which take a while to insert.
private enum PostgresExamples {
    static let tables: [any PostgresTables.Type] = [
        PostgresSettings.self, PostgresDeliveries.self, PostgresPosts.self, PostgresMountains.self, PostgresArtist.self, PostgresWiFi.self,
    ]

    /// A database that has them.
    static let template = Task {
        let url = try PostgresServer.shared.newDatabase()
        await (try PostgresServiceStore.open(url: url, tables: tables, logger: Logger(label: "test"))).close()
        return url
    }
}

extension Engine<any SettingsTransaction> {
    static let settings = all(SQLiteSettings.self, PostgresSettings.self)
}

extension Engine<any DeliveriesTransaction> {
    static let deliveries = all(SQLiteDeliveries.self, PostgresDeliveries.self)
}

extension Engine<any PostsTransaction> {
    static let posts = all(SQLitePosts.self, PostgresPosts.self)
}

extension Engine<any MountainsTransaction> {
    static let mountains = all(SQLiteMountains.self, PostgresMountains.self)
}

extension Engine<any ArtistTransaction> {
    static let artist = all(SQLiteArtist.self, PostgresArtist.self)
}

extension Engine<any WiFiTransaction> {
    static let wifi = all(SQLiteWiFi.self, PostgresWiFi.self)
}

extension Store {
    /// The names of the topics that a read records.
    func topics(of body: @Sendable @escaping (Transaction) throws -> Void) async throws -> Set<String> {
        let recorder = ReadRecorder(of: Topics())
        try await ReadRecorder.$current.withValue(recorder) { try await read(body) }
        return Set(recorder.recorded.map(\.name))
    }
}
