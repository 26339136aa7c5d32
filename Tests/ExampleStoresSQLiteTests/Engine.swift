import ExampleStores
import ExampleStoresSQLite
import Logging
@testable import ScreenService
import ServiceStoreSQLite
import TemporaryDatabase
import Testing

/// Something that keeps the records of a screen. ``StoreTests`` run on each, always on a new store with the examples.
struct Engine<Transaction>: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let withStore:
        @Sendable (_ body: @Sendable (any Store<Transaction>, Announcements) async throws -> Void) async throws -> Void

    static func sqlite<Tables: SQLiteTables>(_ tables: Tables.Type) -> Engine where Tables.Transaction == Transaction {
        Engine(testDescription: "SQLite") { body in
            let folder = try TemporaryFolder()
            let announcements = Announcements()
            let database = try folder.open(tables, announcingTo: announcements)
            try await body(database.store(tables), announcements)
            await database.close()
        }
    }
}

extension Engine<any SettingsTransaction> {
    static let settings = [sqlite(SQLiteSettings.self)]
}

extension Engine<any DeliveriesTransaction> {
    static let deliveries = [sqlite(SQLiteDeliveries.self)]
}

extension Engine<any PostsTransaction> {
    static let posts = [sqlite(SQLitePosts.self)]
}

extension Engine<any MountainsTransaction> {
    static let mountains = [sqlite(SQLiteMountains.self)]
}

extension Engine<any ArtistTransaction> {
    static let artist = [sqlite(SQLiteArtist.self)]
}

extension Engine<any WiFiTransaction> {
    static let wifi = [sqlite(SQLiteWiFi.self)]
}

extension Store {
    /// The names of the topics that a read records.
    func topics(of body: @Sendable @escaping (Transaction) throws -> Void) async throws -> Set<String> {
        let recorder = ReadRecorder(of: Topics())
        try await ReadRecorder.$current.withValue(recorder) { try await read(body) }
        return Set(recorder.recorded.map(\.name))
    }
}

extension TemporaryFolder {
    func open(
        _ tables: any SQLiteTables.Type..., announcingTo announcements: Announcements = Announcements()
    ) throws(DatabaseFileError) -> SQLiteServiceStore {
        let store = try SQLiteServiceStore.open(path: database, tables: tables, logger: Logger(label: "test"))
        announcements.observe(store.topics)
        return store
    }
}
