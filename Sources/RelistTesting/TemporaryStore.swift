import Foundation
import Logging
public import Relist
import ScreenService

/// Runs a test with a service store in an SQLite file of its own, which goes when the test has ended.
///
/// - Parameter tables: the steps to the tables of the screens, as in the server.
/// - Throws: what `body` throws; the `DatabaseFileError` that keeps the file from being used, as where a table cannot be made.
public func withTemporaryStore<Value>(
    tables: [SQLiteMigration] = [], isolation: isolated (any Actor)? = #isolation, _ body: (SQLiteServiceStore) async throws -> Value
) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "relist-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try SQLiteServiceStore.open(
        path: folder.appending(path: "test.sqlite").path, migrations: tables, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    )
    let result = await Result { try await body(store) }
    await store.close()
    return try result.get()
}
