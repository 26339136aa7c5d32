import Foundation
import Logging
import ScreenService
import Storage
import StorageSQLite

/// Runs `body` with a new store that has the examples in it.
func withExampleStore(_ body: (any Store) async throws -> Void) async throws {
    try await withExampleStore(announcingTo: NoOneListening()) { try await body($0) }
}

/// Runs `body` with a new store that has the examples in it and announces its commits.
func withExampleStore(
    announcingTo topics: any TopicAnnouncing, _ body: (SQLiteStore) async throws -> Void
) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("relist-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("test.sqlite").path
    let store = try SQLiteStore.open(path: path, topics: topics, logger: Logger(label: "test"))
    try await body(store)
    await store.close()
}

struct NoOneListening: TopicAnnouncing {
    func announce(_ topics: Set<Topic>) {}
}
