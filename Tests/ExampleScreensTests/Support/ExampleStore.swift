import Foundation
import Logging
import ScreenService
import Storage
import StorageSQLite

/// Runs `body` with a new store that has the examples in it.
func withExampleStore(_ body: (any Store) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("relist-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("test.sqlite").path
    let store = try SQLiteStore.open(path: path, topics: NoOneListening(), logger: Logger(label: "test"))
    try await body(store)
    await store.close()
}

private struct NoOneListening: TopicAnnouncing {
    func announce(_ topics: Set<Topic>) {}
}
