import Foundation
import Logging
public import Relist
import ScreenService

/// Runs a test with a service store in a temporary SQLite file. The file is deleted after the test.
///
/// - Parameter tables: the migrations that create the tables of the screens, as for `RelistServer`.
/// - Throws: the errors of `body`, or `DatabaseFileError` if the file cannot be used, for example because a migration fails.
public func withTemporaryStore<Value>(
    tables: [SQLiteMigration] = [], isolation: isolated (any Actor)? = #isolation, _ body: (SQLiteServiceStore) async throws -> Value
) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "relist-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try SQLiteServiceStore.open(
        path: folder.appending(path: "test.sqlite").path, migrations: tables,
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    )
    let result = await Result { try await body(store) }
    await store.close()
    return try result.get()
}
