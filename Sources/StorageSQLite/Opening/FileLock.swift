#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Keeps other processes, and other stores of this one, from opening a database of that name, and
/// tells them who has it.
///
/// It locks a file beside the database, which says which process did. The file stays when the lock
/// goes: removing it would let two processes lock two files of one name.
struct FileLock: ~Copyable, Sendable {
    private let descriptor: CInt

    /// Locks `path.lock`, and writes into it which process did.
    ///
    /// - Throws: ``StorageError/inUse(path:process:)``, ``StorageError/noPermission(path:)``,
    ///   ``StorageError/system(path:errno:)``
    init(besideDatabase path: String) throws(StorageError) {
        // Closed on exec, because a child would hold the lock for as long as it lives.
        let descriptor = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Self.cause(errno, path: path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let cause = Self.cause(errno, path: path, holder: Self.process(in: descriptor))
            close(descriptor)
            throw cause
        }
        self.descriptor = descriptor
        Self.write(getpid(), to: descriptor)
    }

    deinit {
        ftruncate(descriptor, 0)
        close(descriptor)
    }

    static func cause(_ errno: CInt, path: String, holder: Int32? = nil) -> StorageError {
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
