import ScreenWire

/// Writes the snapshots of one screen to the store of the client. A snapshot is written even if the screen is released before the write.
@MainActor
final class SnapshotWriter {
    private let client: ScreenClient
    /// The snapshot to write next.
    private var unsaved: (tree: SnapshotTree, view: StoredView)?
    private var isWriting = false
    /// The pause that limits how often a screen with many changes is stored.
    private var pause: Task<Void, Never>?

    init(_ client: ScreenClient) {
        self.client = client
    }

    /// Writes a snapshot. During a write and the pause after it, the snapshot waits, and it replaces an older snapshot that waits.
    func save(_ tree: SnapshotTree, of view: StoredView) {
        guard let store = client.snapshots else { return }
        unsaved = (tree, view)
        guard !isWriting else { return }
        isWriting = true
        client.save { [self] in
            while let (tree, view) = takeUnsaved() {
                let pause = Task { [time = client.savePause] in _ = try? await Task.sleep(for: time) }
                self.pause = pause
                await store.store(Self.bytes(of: tree), of: view)
                await pause.value
            }
            isWriting = false
        }
    }

    /// Ends the pause, so that the snapshot that waits is written at once.
    func flush() {
        pause?.cancel()
    }

    /// Discards the snapshot that waits.
    func discard() {
        unsaved = nil
        flush()
    }

    private func takeUnsaved() -> (SnapshotTree, StoredView)? {
        defer { unsaved = nil }
        return unsaved
    }

    private nonisolated static func bytes(of tree: SnapshotTree) async -> [UInt8] {
        tree.document().bytes
    }
}
