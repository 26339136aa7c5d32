#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif
import Synchronization

/// Keeps other processes, and other stores of this one, from opening a database under another of
/// its names: a hard link, a mount, or the name that it was moved to.
///
/// It locks the database itself, with `flock`, which SQLite's POSIX locks do not meet. Those have a
/// trap: a process loses them with whichever of its descriptors of the file closes first. So this
/// has to go after SQLite's connections, and no second descriptor may be opened beside it.
struct InodeLock: ~Copyable, Sendable {
    private static let held = Mutex<Set<FileIdentity>>([])

    let identity: FileIdentity
    private let descriptor: CInt

    /// Locks the database, which is created empty where there is none.
    ///
    /// - Throws: ``StorageError/inUse(path:process:)``, ``StorageError/noPermission(path:)``,
    ///   ``StorageError/system(path:errno:)``
    init(database path: String) throws(StorageError) {
        (identity, descriptor) = try Self.held.withLock { held throws(StorageError) in
            if let there = FileIdentity(of: path), held.contains(there) { throw .inUse(path: path, process: getpid()) }
            let locked = try Self.lock(path, unlessIn: held)
            held.insert(locked.identity)
            return locked
        }
    }

    deinit {
        Self.held.withLock { [identity, descriptor] held in
            close(descriptor)
            _ = held.remove(identity)
        }
    }

    private static func lock(
        _ path: String, unlessIn held: Set<FileIdentity>
    ) throws(StorageError) -> (identity: FileIdentity, descriptor: CInt) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw FileLock.cause(errno, path: path) }
        guard let identity = FileIdentity(of: descriptor) else {
            let cause = FileLock.cause(errno, path: path)
            close(descriptor)
            throw cause
        }
        // It came to this name just now. Its descriptor stays open, for the sake of SQLite's locks.
        if held.contains(identity) { throw .inUse(path: path, process: getpid()) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let cause = FileLock.cause(errno, path: path)
            close(descriptor)
            throw cause
        }
        return (identity, descriptor)
    }
}
