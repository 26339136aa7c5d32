import Logging
import ScreenService
import Synchronization

/// Notices that a database, or the log of its commits, is no longer found where it was opened.
///
/// SQLite goes on with the files that it has open, be they deleted, moved or replaced: what it
/// commits there is lost. Files that come back are the same ones, and all is well again.
final class FileWatch: Sendable {
    private let files: [(name: String, identity: FileIdentity)]
    private let logger: Logger
    private let areThere = Atomic(true)

    /// - Parameter identity: the database that was locked before SQLite opened it.
    /// - Throws: ``StorageError/moved(path:)``
    init(database path: String, identity: FileIdentity, logger: Logger) throws(StorageError) {
        let log = path + "-wal"
        guard FileIdentity(of: path) == identity, let logIdentity = FileIdentity(of: log) else { throw .moved(path: path) }
        files = [(path, identity), (log, logIdentity)]
        self.logger = logger
    }

    /// - Throws: `DataUnavailable` while one of the files is gone.
    func check() throws(DataUnavailable) {
        let gone = files.first { FileIdentity(of: $0.name) != $0.identity }?.name
        let wereThere = areThere.exchange(gone == nil, ordering: .relaxed)
        if let gone {
            if wereThere { logger.error("a file of the database was moved, replaced or deleted", metadata: ["file": "\(gone)"]) }
            throw DataUnavailable(reason: "the database was moved, replaced or deleted")
        }
        if !wereThere { logger.notice("the files of the database are back", metadata: ["file": "\(files[0].name)"]) }
    }
}
