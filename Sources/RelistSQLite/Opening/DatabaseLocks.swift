import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The locks on the name and on the file of a database. They are released by ``release()``, or when this object is deallocated.
final class DatabaseLocks: Sendable {
    private struct Locks: ~Copyable, Sendable {
        let ofFile: InodeLock
        var ofName: FileLock
    }

    /// The identity of the database file, which does not change when the file is renamed.
    let identity: FileIdentity
    private let locks: Mutex<Locks?>

    init(database path: String) throws(DatabaseFileError) {
        let ofName = try FileLock(besideDatabase: path)
        let ofFile = try InodeLock(database: path)
        identity = ofFile.identity
        locks = Mutex(Locks(ofFile: ofFile, ofName: ofName))
    }

    /// Prevents the removal of the lock file when the locks are released. Call this function after the database was opened.
    func keepLockFile() {
        locks.withLock { $0?.ofName.keepFile() }
    }

    func release() {
        locks.withLock { $0 = nil }
    }

    /// Returns the error with which ``init(database:)`` would fail because the database is in use. Creates no file. A shared lock is held
    /// for an instant.
    static func error(forDatabase path: String) -> DatabaseFileError? {
        FileLock.error(besideDatabase: path) ?? InodeLock.error(forDatabase: path)
    }
}

/// A lock on the name of a database, which excludes other processes and other stores of this process.
///
/// The locked file lies beside the database and contains the id of the process. It remains when the lock is released, unless it was created
/// for a database that could not be opened.
struct FileLock: ~Copyable, Sendable {
    private let descriptor: CInt
    /// The name of the lock file if releasing the lock removes the file; `nil` if the file is kept.
    private var temporaryName: String?

    /// Locks `path.lock`, and writes the id of this process into it.
    init(besideDatabase path: String) throws(DatabaseFileError) {
        let name = path + ".lock"
        // The descriptor is closed on exec, because otherwise a child process would hold the lock until the child ends.
        let new = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        let descriptor = new >= 0 ? new : open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Self.cause(errno, path: path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let cause = Self.cause(errno, path: path, holder: Self.process(in: descriptor))
            close(descriptor)
            throw cause
        }
        // Another process may have removed the file after this process opened it. A lock on a removed file excludes no process, because
        // other processes lock a new file with this name.
        guard let named = FileIdentity(of: name), named == FileIdentity(of: descriptor) else {
            close(descriptor)
            throw .inUse(path: path, process: nil)
        }
        self.descriptor = descriptor
        temporaryName = new >= 0 ? name : nil
        Self.write(getpid(), to: descriptor)
    }

    static func error(besideDatabase path: String) -> DatabaseFileError? {
        let descriptor = open(path + ".lock", O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) == 0 ? nil : cause(errno, path: path, holder: process(in: descriptor))
    }

    deinit {
        ftruncate(descriptor, 0)
        if let temporaryName { unlink(temporaryName) }
        close(descriptor)
    }

    mutating func keepFile() {
        temporaryName = nil
    }

    static func cause(_ errno: CInt, path: String, holder: Int32? = nil) -> DatabaseFileError {
        switch errno {
        case EWOULDBLOCK: .inUse(path: path, process: holder)
        case EACCES, EPERM, EROFS, EISDIR: .noPermission(path: path)
        case ENOSPC, EDQUOT: .diskFull(path: path)
        default: .system(path: path, errno: errno)
        }
    }

    // The id is used only for an error message, so errors of reading and writing it are ignored.
    private static func write(_ process: pid_t, to descriptor: CInt) {
        let text = Array("\(process)\n".utf8)
        guard ftruncate(descriptor, 0) == 0 else { return }
        _ = pwrite(descriptor, text, text.count, 0)
    }

    private static func process(in descriptor: CInt) -> Int32? {
        var text = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &text, text.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: text.prefix(count), as: UTF8.self).prefix { $0.isNumber })
    }
}

/// A lock on the file of a database, which excludes other processes and other stores of this process. A ``FileLock`` is not sufficient,
/// because a hard link, a mount or a move gives the file a second name.
///
/// The lock uses `flock`, which does not interfere with the POSIX locks of SQLite. A process loses its POSIX locks on a file when it closes
/// any descriptor of that file. Therefore the connections of SQLite are closed before this lock is released, and the process opens no other
/// descriptor of the file.
struct InodeLock: ~Copyable, Sendable {
    private static let held = Mutex<Set<FileIdentity>>([])

    let identity: FileIdentity
    private let descriptor: CInt

    /// Locks the database, and creates an empty file if there is none.
    init(database path: String) throws(DatabaseFileError) {
        (identity, descriptor) = try Self.held.withLock { held throws(DatabaseFileError) in
            if let there = FileIdentity(of: path), held.contains(there) { throw .inUse(path: path, process: getpid()) }
            let locked = try Self.lock(path, unlessIn: held)
            held.insert(locked.identity)
            return locked
        }
    }

    static func error(forDatabase path: String) -> DatabaseFileError? {
        held.withLock { held in
            // The file is not opened if a store of this process uses it, because closing a descriptor would release the locks of SQLite.
            guard let there = FileIdentity(of: path) else { return nil }
            guard !held.contains(there) else { return .inUse(path: path, process: getpid()) }
            let descriptor = open(path, O_RDWR | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            defer { close(descriptor) }
            return flock(descriptor, LOCK_SH | LOCK_NB) == 0 ? nil : FileLock.cause(errno, path: path)
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
    ) throws(DatabaseFileError) -> (identity: FileIdentity, descriptor: CInt) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw FileLock.cause(errno, path: path) }
        guard let identity = FileIdentity(of: descriptor) else {
            let cause = FileLock.cause(errno, path: path)
            close(descriptor)
            throw cause
        }
        // A store of this process has opened the file under another name, and the file was just moved to this name. The descriptor stays
        // open, because closing it would release the locks that SQLite holds on the file.
        if held.contains(identity) { throw .inUse(path: path, process: getpid()) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let cause = FileLock.cause(errno, path: path)
            close(descriptor)
            throw cause
        }
        return (identity, descriptor)
    }
}
