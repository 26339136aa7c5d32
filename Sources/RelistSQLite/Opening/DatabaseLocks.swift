#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif
import Synchronization

/// The locks of a database, until they are released or let go.
final class DatabaseLocks: Sendable {
    private struct Locks: ~Copyable, Sendable {
        let ofFile: InodeLock
        var ofName: FileLock
    }

    /// The database itself, whatever its name.
    let identity: FileIdentity
    private let locks: Mutex<Locks?>

    /// - Throws: ``DatabaseFileError/inUse(path:process:)``, ``DatabaseFileError/noPermission(path:)``,
    ///   ``DatabaseFileError/system(path:errno:)``
    init(database path: String) throws(DatabaseFileError) {
        let ofName = try FileLock(besideDatabase: path)
        let ofFile = try InodeLock(database: path)
        identity = ofFile.identity
        locks = Mutex(Locks(ofFile: ofFile, ofName: ofName))
    }

    /// Says that the database was opened.
    func keep() {
        locks.withLock { $0?.ofName.keep() }
    }

    func release() {
        locks.withLock { $0 = nil }
    }
}

/// The lock that keeps other processes, and other stores of this one, from opening a database of that name,
/// and tells them who has it.
///
/// It is on a file beside the database, which says which process did. The file stays when the lock goes, unless it
/// was made for a database that could not be opened.
struct FileLock: ~Copyable, Sendable {
    private let descriptor: CInt
    /// The file that is to go with the lock.
    private var passingName: String?

    /// Locks `path.lock`, and writes into it which process did.
    ///
    /// - Throws: ``DatabaseFileError/inUse(path:process:)``, ``DatabaseFileError/noPermission(path:)``,
    ///   ``DatabaseFileError/system(path:errno:)``
    init(besideDatabase path: String) throws(DatabaseFileError) {
        let name = path + ".lock"
        // Closed on exec, because a child would hold the lock for as long as it lives.
        let new = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        let descriptor = new >= 0 ? new : open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Self.cause(errno, path: path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let cause = Self.cause(errno, path: path, holder: Self.process(in: descriptor))
            close(descriptor)
            throw cause
        }
        // Who made it may have removed it meanwhile, and then another would lock another file of that name.
        guard let named = FileIdentity(of: name), named == FileIdentity(of: descriptor) else {
            close(descriptor)
            throw .inUse(path: path, process: nil)
        }
        self.descriptor = descriptor
        passingName = new >= 0 ? name : nil
        Self.write(getpid(), to: descriptor)
    }

    deinit {
        ftruncate(descriptor, 0)
        if let passingName { unlink(passingName) }
        close(descriptor)
    }

    /// Has the file stay when the lock goes.
    mutating func keep() {
        passingName = nil
    }

    static func cause(_ errno: CInt, path: String, holder: Int32? = nil) -> DatabaseFileError {
        switch errno {
        case EWOULDBLOCK: .inUse(path: path, process: holder)
        case EACCES, EPERM, EROFS, EISDIR: .noPermission(path: path)
        case ENOSPC, EDQUOT: .diskFull(path: path)
        default: .system(path: path, errno: errno)
        }
    }

    // What is written serves a message alone, so failing to write or read it fails nothing.
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

/// The lock that keeps other processes, and other stores of this one, from opening a database under another
/// of its names: a hard link, a mount, or the name that it was moved to.
///
/// It is on the database itself, with `flock`, which SQLite's POSIX locks do not meet. Those have a
/// trap: a process loses them with whichever of its descriptors of the file closes first. So this
/// has to go after SQLite's connections, and no second descriptor may be opened beside it.
struct InodeLock: ~Copyable, Sendable {
    private static let held = Mutex<Set<FileIdentity>>([])

    let identity: FileIdentity
    private let descriptor: CInt

    /// Locks the database, which is created empty where there is none.
    ///
    /// - Throws: ``DatabaseFileError/inUse(path:process:)``, ``DatabaseFileError/noPermission(path:)``,
    ///   ``DatabaseFileError/system(path:errno:)``
    init(database path: String) throws(DatabaseFileError) {
        (identity, descriptor) = try Self.held.withLock { held throws(DatabaseFileError) in
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
    ) throws(DatabaseFileError) -> (identity: FileIdentity, descriptor: CInt) {
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
