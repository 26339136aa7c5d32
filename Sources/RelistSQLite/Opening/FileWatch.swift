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

/// Detects whether a database or its write-ahead log was moved, replaced, deleted, emptied or truncated.
///
/// SQLite continues to use its open files after they are moved or deleted, and commits to such files are lost. When the same files are
/// moved back, the database is available again.
final class FileWatch: Sendable {
    private let files: [(name: String, identity: FileIdentity)]
    private let index: LogIndex?
    private let logger: Logger
    private let areThere = Atomic(true)
    /// The size of the log in bytes at the last check.
    let logSize = Atomic(0)

    /// Creates a watch for the files of a database.
    ///
    /// - Parameters:
    ///   - identity: the identity of the file that was locked before SQLite opened the database.
    ///   - index: the index of the log. While the files are checked, a connection to the database must stay open, so that the index stays
    ///     mapped.
    /// - Throws: ``DatabaseFileError/moved(path:)``
    init(database path: String, identity: FileIdentity, index: LogIndex?, logger: Logger) throws(DatabaseFileError) {
        let log = path + "-wal"
        guard FileIdentity(of: path) == identity, let logIdentity = FileIdentity(of: log) else { throw .moved(path: path) }
        files = [(path, identity), (log, logIdentity)]
        self.index = index
        self.logger = logger
    }

    /// Checks the files, and logs if a file is lost or if lost files are back.
    ///
    /// - Throws: `DataUnavailable` while a file is moved, replaced or deleted, while the database is empty, or while the log is
    ///   truncated.
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

    /// Checks whether frames are missing from the log. Frames are missing if another program has truncated the log while a
    /// transaction wrote to it. In this case, truncates the log before the first missing frame, so that the next check of the files
    /// fails.
    ///
    /// - Parameter header: the header of the index before the transaction began.
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
                // If the header has changed, SQLite may have shortened the log in the meantime.
                if let header, Int(status.st_size) < header.logSize, index?.header == header { return (name, "cut short") }
            }
        }
        return nil
    }
}

/// The device and inode of a file. These numbers identify the file under all its names.
struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// Creates the identity of the file that currently has the name. Returns `nil` if there is no such file.
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
