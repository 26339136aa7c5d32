import ExampleRecords
import Logging
import RelistPostgres
import RelistSQLite
import TemporaryDatabase
import TemporaryPostgres
import Testing

@testable import ScreenService

/// A database engine on which ``StoreTests`` run. Each test has a new database with the examples.
struct Engine<Transaction: ExampleTransaction>: Sendable, CustomTestStringConvertible {
    let engine: RecordEngine

    static var all: [Engine] { [Engine(engine: .sqlite), Engine(engine: .postgres)] }

    var testDescription: String { "\(engine)" }

    func withStore(_ body: (Store<Transaction>, Announcements) async throws -> Void) async throws {
        let announcements = Announcements()
        switch engine {
        case .sqlite:
            let folder = try TemporaryFolder()
            let database = try folder.open([Transaction.self])
            announcements.observe(database.topics)
            try await body(Store(in: database), announcements)
            await database.close()
        case .postgres:
            let url = try PostgresServer.shared.newDatabase(like: try await PostgresExamples.template.value)
            let database = try await PostgresExamples.open(url)
            announcements.observe(database.topics)
            try await body(Store(in: database), announcements)
            await database.close()
        }
    }
}

extension TemporaryFolder {
    /// Opens the database in the folder, and creates the tables and the examples of some screens.
    func open(_ transactions: [any ExampleTransaction.Type]) throws(DatabaseFileError) -> SQLiteServiceStore {
        let migrations = Examples.migrations(of: transactions, for: .sqlite)
        return try SQLiteServiceStore.open(path: database, migrations: migrations, logger: Logger(label: "test")) {
            try Examples.insertMissing(of: transactions, in: $0)
        }
    }
}

/// The examples in PostgreSQL. They are inserted once, into a template database, because inserting takes a while. Each test then
/// has a copy of the template.
private enum PostgresExamples {
    private static let transactions: [any ExampleTransaction.Type] = [
        SettingsTransaction.self, DeliveriesTransaction.self, PostsTransaction.self, MountainsTransaction.self, ArtistTransaction.self,
        WiFiTransaction.self,
    ]

    /// The URL of the template database, which contains the examples.
    static let template = Task {
        let url = try PostgresServer.shared.newDatabase()
        await (try open(url)).close()
        return url
    }

    static func open(_ url: String) async throws -> PostgresServiceStore {
        let migrations = Examples.migrations(of: transactions, for: .postgres)
        return try await PostgresServiceStore.open(url: url, migrations: migrations, schema: "example", logger: Logger(label: "test")) {
            try Examples.insertMissing(of: transactions, in: $0)
        }
    }
}

extension Store {
    /// Returns the names of the topics that a read records.
    func topics(of body: @Sendable @escaping (Transaction) throws -> Void) async throws -> Set<String> {
        let recorder = ReadRecorder(of: Topics())
        try await ReadRecorder.$current.withValue(recorder) { try await read(body) }
        return Set(recorder.recorded.map(\.name))
    }
}
