import GRDB
import Logging
import ScreenService
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Detects whether a database or its write-ahead log was moved, replaced, deleted, emptied or truncated. SQLite continues to use its open
/// files after they are moved or deleted, and commits to such files are lost. When the same files are moved back, the database is available
/// again.
final class FileWatch: Sendable {
    private let files: [(name: String, identity: FileIdentity)]
    private let index: LogIndex?
    private let logger: Logger
    private let areThere = Atomic(true)
    /// The size of the log in bytes at the last check.
    let logSize = Atomic(0)

    /// Creates a watch for the files of a database. `identity` is the identity of the file that was locked before SQLite opened the
    /// database.
    init(database path: String, identity: FileIdentity, index: LogIndex?, logger: Logger) throws(DatabaseFileError) {
        let log = path + "-wal"
        guard FileIdentity(of: path) == identity, let logIdentity = FileIdentity(of: log) else { throw .moved(path: path) }
        files = [(path, identity), (log, logIdentity)]
        self.index = index
        self.logger = logger
    }

    /// Checks the files. Logs the first failed check, and the first successful check after a failure.
    func check() throws(DataUnavailable) {
        let loss = loss
        let wereThere = areThere.exchange(loss == nil, ordering: .relaxed)
        if let loss {
            if wereThere { logger.error("a file of the database was \(loss.cause)", metadata: ["file": "\(loss.file)"]) }
            throw DataUnavailable(reason: "the database was \(loss.cause)")
        }
        if !wereThere { logger.notice("the files of the database are back", metadata: ["file": "\(files[0].name)"]) }
    }

    /// The current header of the index of the log; `nil` if the log has no index.
    var logHeader: LogIndex.Header? { index?.header }

    /// Calls ``LogIndex/cutLogAtHole(since:on:)`` after a transaction, so that the next check fails if frames are missing from the log.
    /// `header` is the header of the index before the transaction began.
    func checkCommit(since header: LogIndex.Header?, on database: Database) {
        if let header { index?.cutLogAtHole(since: header, on: database) }
    }

    private var loss: (file: String, cause: String)? {
        let header = index?.header
        for (name, identity) in files {
            var status = stat()
            guard stat(name, &status) == 0, FileIdentity(status) == identity else { return (name, "moved, replaced or deleted") }
            // The sizes are checked, because SQLite reports no error as long as its cache and the log contain all pages that it reads.
            if name == files[0].name {
                if status.st_size == 0 { return (name, "emptied") }
            } else {
                logSize.store(Int(status.st_size), ordering: .relaxed)
                // The header is compared again, because SQLite may have shortened the log after the first read of the header.
                if let header, Int(status.st_size) < header.logSize, index?.header == header { return (name, "cut short") }
            }
        }
        return nil
    }
}

/// The device and inode of a file, which identify the file under all its names.
struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    init?(of name: String) {
        var status = stat()
        guard stat(name, &status) == 0 else { return nil }
        self.init(status)
    }

    init?(of descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    fileprivate init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }
}
