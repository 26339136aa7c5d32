import Foundation
import Testing

@testable import ScreenClient

final class FileStoreTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID())")

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private func view(_ name: String) -> StoredView { StoredView(user: "u", address: name) }

    private func files() throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: folder.appending(path: "user-75/snapshots"), includingPropertiesForKeys: nil)
    }

    /// Stores snapshots of these views. Each is older than the next one.
    private func fill(_ store: FileStore, _ names: [String], size: Int = 10) async throws {
        for (index, name) in names.enumerated() {
            let earlier = Set((try? files()) ?? [])
            await store.store([UInt8](repeating: 1, count: size), of: view(name))
            for file in try files() where !earlier.contains(file) {
                let date = Date(timeIntervalSinceNow: Double(index - names.count) * 60)
                try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
            }
        }
    }

    private func stored(_ store: FileStore, _ names: [String]) async -> [String] {
        var found: [String] = []
        for name in names where await store.snapshot(of: view(name)) != nil { found.append(name) }
        return found
    }

    @Test func theOldestSnapshotsAreRemovedIfThereAreTooMany() async throws {
        let store = FileStore(folder: folder, snapshotCountLimit: 3)
        let names = ["a", "b", "c", "d", "e"]
        try await fill(store, names)
        #expect(await stored(store, names) == ["c", "d", "e"])
    }

    @Test func theOldestSnapshotsAreRemovedIfTheTotalSizeIsTooLarge() async throws {
        let store = FileStore(folder: folder, snapshotByteLimit: 250)
        let names = ["a", "b", "c"]
        try await fill(store, names, size: 100)
        #expect(await stored(store, names) == ["b", "c"])
    }

    @Test func snapshotsOfEarlierProcessesCountTowardsTheLimit() async throws {
        try await fill(FileStore(folder: folder), ["a", "b", "c"])
        let store = FileStore(folder: folder, snapshotCountLimit: 2)
        await store.store([1], of: view("d"))
        #expect(await stored(store, ["a", "b", "c", "d"]) == ["c", "d"])
    }

    @Test func aSnapshotThatWasReadIsNotTheOldest() async throws {
        let store = FileStore(folder: folder, snapshotCountLimit: 2)
        try await fill(store, ["a", "b"])
        _ = await store.snapshot(of: view("a"))
        await store.store([1], of: view("c"))
        #expect(await stored(store, ["a", "b", "c"]) == ["a", "c"])
    }

    @Test func aFailedWriteRemovesNothing() async throws {
        let store = FileStore(folder: folder)
        await store.store([1], of: view("a"))
        let file = try #require(try files().first)
        // No file can replace a folder that is not empty, so the next write fails.
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file.appending(path: "inner"), withIntermediateDirectories: true)
        await store.store([2], of: view("a"))
        #expect(FileManager.default.fileExists(atPath: file.appending(path: "inner").path))
    }
}
