#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif
import GRDB
import Logging
import ScreenService
import Synchronization

/// A watch that notices when a database, or the log of its commits, is no longer found where it was opened, or was emptied or
/// cut short.
///
/// SQLite goes on with the files that it has open, be they deleted, moved or replaced: what it
/// commits there is lost. Files that come back are the same ones, and all is well again.
final class FileWatch: Sendable {
    private let files: [(name: String, identity: FileIdentity)]
    private let index: LogIndex?
    private let logger: Logger
    private let areThere = Atomic(true)
    /// How many bytes the log had when it was looked at last.
    let logSize = Atomic(0)

    /// - Parameters:
    ///   - identity: the database that was locked before SQLite opened it.
    ///   - index: the index of the log. Its connection stays open while the files are checked.
    /// - Throws: ``DatabaseFileError/moved(path:)``
    init(database path: String, identity: FileIdentity, index: LogIndex?, logger: Logger) throws(DatabaseFileError) {
        let log = path + "-wal"
        guard FileIdentity(of: path) == identity, let logIdentity = FileIdentity(of: log) else { throw .moved(path: path) }
        files = [(path, identity), (log, logIdentity)]
        self.index = index
        self.logger = logger
    }

    /// - Throws: `DataUnavailable` while one of the files is gone, the database is empty, or the log was cut short.
    func check() throws(DataUnavailable) {
        let loss = loss
        let wereThere = areThere.exchange(loss == nil, ordering: .relaxed)
        if let loss {
            if wereThere { logger.error("a file of the database was \(loss.cause)", metadata: ["file": "\(loss.file)"]) }
            throw DataUnavailable(reason: "the database was \(loss.cause)")
        }
        if !wereThere { logger.notice("the files of the database are back", metadata: ["file": "\(files[0].name)"]) }
    }

    /// The header of the log's index.
    var logHeader: LogIndex.Header? { index?.header }

    /// Makes the next check fail if another program cut the log while a transaction wrote to it.
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
            // SQLite goes on for as long as its memory and the log have what it needs.
            if name == files[0].name {
                if status.st_size == 0 { return (name, "emptied") }
            } else {
                logSize.store(Int(status.st_size), ordering: .relaxed)
                // If the index has changed, SQLite may have shortened the log since.
                if let header, Int(status.st_size) < header.logSize, index?.header == header { return (name, "cut short") }
            }
        }
        return nil
    }
}

/// A file as the system tells it from all others, whatever names it has.
struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// The file that has this name now; nil where there is none.
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
