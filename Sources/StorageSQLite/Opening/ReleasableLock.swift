import Synchronization

/// The locks of a database, until they are released or let go.
final class ReleasableLock: Sendable {
    private struct Locks: ~Copyable, Sendable {
        let ofFile: InodeLock
        let ofName: FileLock
    }

    /// The database itself, whatever its name.
    let identity: FileIdentity
    private let locks: Mutex<Locks?>

    /// - Throws: ``StorageError/inUse(path:process:)``, ``StorageError/noPermission(path:)``,
    ///   ``StorageError/system(path:errno:)``
    init(database path: String) throws(StorageError) {
        let ofName = try FileLock(besideDatabase: path)
        let ofFile = try InodeLock(database: path)
        identity = ofFile.identity
        locks = Mutex(Locks(ofFile: ofFile, ofName: ofName))
    }

    func release() {
        locks.withLock { $0 = nil }
    }
}
