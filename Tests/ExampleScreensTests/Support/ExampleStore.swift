import ExampleStores
import ExampleStoresSQLite
import Foundation
import Logging
import ScreenService
import RelistSQLite

/// Runs `body` with a new store of a screen that has the examples in it.
func withStore<Tables: SQLiteTables>(
    _ tables: Tables.Type, _ body: (any Store<Tables.Transaction>) async throws -> Void
) async throws {
    try await withDatabase(of: tables) { try await body($0.store(tables)) }
}

/// Runs `body` with a new database that has the examples of a screen in it.
func withDatabase(
    of tables: any SQLiteTables.Type, _ body: (SQLiteServiceStore) async throws -> Void
) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("relist-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("test.sqlite").path
    let database = try SQLiteServiceStore.open(path: path, tables: [tables], logger: Logger(label: "test"))
    try await body(database)
    await database.close()
}
