import Foundation
import ScreenClient

/// A store with the files of a phone. A test can wait until a snapshot is stored.
actor StoreOnDevice: SnapshotStoring, AttemptStoring {
    private let files: FileStore
    private let writes = AsyncStream.makeStream(of: Void.self)

    init(in folder: URL) {
        files = FileStore(folder: folder)
    }

    /// Waits until the next snapshot is stored.
    nonisolated func stored() async {
        for await _ in writes.stream { return }
    }

    func snapshot(of view: StoredView) async -> [UInt8]? { await files.snapshot(of: view) }

    func store(_ snapshot: [UInt8], of view: StoredView) async {
        await files.store(snapshot, of: view)
        writes.continuation.yield()
    }

    func removeSnapshots(of user: String) async { await files.removeSnapshots(of: user) }
    func attempts(of user: String) async -> [ActionAttempt] { await files.attempts(of: user) }
    func store(_ attempt: ActionAttempt, of user: String) async throws { try await files.store(attempt, of: user) }
    func removeAttempt(_ key: String, of user: String) async { await files.removeAttempt(key, of: user) }
}
