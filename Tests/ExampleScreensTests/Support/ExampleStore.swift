import ExampleRecords
import Foundation
import Logging
import RelistSQLite
import ScreenService

/// Runs `body` with a new store that has the examples of a screen.
func withStore<Transaction: ExampleTransaction>(
    _ transaction: Transaction.Type, _ body: (Store<Transaction>) async throws -> Void
) async throws {
    try await withDatabase(of: transaction) { try await body(Store(in: $0)) }
}

/// Runs `body` with a new database that has the examples of a screen.
func withDatabase(
    of transaction: any ExampleTransaction.Type, _ body: (SQLiteServiceStore) async throws -> Void
) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("relist-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("test.sqlite").path
    let migrations = Examples.migrations(of: [transaction], for: .sqlite)
    let database = try SQLiteServiceStore.open(path: path, migrations: migrations, logger: Logger(label: "test")) {
        try Examples.insertMissing(of: [transaction], in: $0)
    }
    try await body(database)
    await database.close()
}
