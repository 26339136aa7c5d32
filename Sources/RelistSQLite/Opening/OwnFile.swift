import GRDB
import Logging
import ScreenService
import Synchronization

/// An open database file, with its locks, its writing connection and its readers.
final class OwnFile: SQLiteEngine {
    let path: String
    let logger: Logger
    /// If the write-ahead log is larger than this number of bytes, the log is emptied.
    let logLimit: Int
    /// The maximum time for which the writer waits for a lock of another program.
    let busyTimeout: Duration
    /// If the write-ahead log is larger than this number of bytes, new readers wait while the log is emptied.
    let pausingSize: Atomic<Int>
    /// The threads for reads, one for each reader of the pool.
    let readers: BlockingWork
    // Properties are released in the order of their declaration, so the connections close before the locks are released.
    let pool: DatabasePool
    private let locks: DatabaseLocks
    let watch: FileWatch
    let gate = Gate()
    let failure: DiskFailure
    /// A Boolean value that indicates whether an earlier process has written the log. ``DiskFailure`` explains why such a log is emptied.
    let mayLogHaveHole: Atomic<Bool>
    /// A Boolean value that indicates whether the last attempt to empty SQLite's log failed. Only the first of
    /// several failures in a row is reported.
    let hasEmptyingFailed = Atomic(false)
    let topics = Topics()
    let waitingWrites: WaitingWrites
    var connections: any DatabaseWriter { pool }
    let activity = StoreActivity()
    var readingThreads: BlockingWork? { readers }

    /// Opens or creates the file, runs the migrations of `schema`, and calls `fill` in a transaction.
    init(
        path: String, schema: Schema, logger: Logger, logLimit: Int = 16 << 20, busyTimeout: Duration = .seconds(5),
        groupDuration: Duration = .milliseconds(50), fill: (Database) throws -> Void = { _ in },
        endProcess: @escaping @Sendable () -> Void = DiskFailure.endProcess
    ) throws(DatabaseFileError) {
        let file = try FilePath(resolving: path)
        let path = file.name
        locks = try DatabaseLocks(database: path)
        let hasLog = FilePath.size(of: path + "-wal") > 0
        let configuration = Self.configuration(of: path, locks.identity, schema: schema, busyTimeout: busyTimeout)
        pool = try Self.open(path: path, configuration, schema: schema, fill: fill)
        readers = BlockingWork(width: configuration.maximumReaderCount, waitingLimit: .max)
        let index = pool.writeWithoutTransaction { LogIndex($0) }
        watch = try FileWatch(database: path, identity: locks.identity, index: index, logger: logger)
        locks.keepLockFile()
        file.syncFolder()
        self.path = path
        self.logger = logger
        self.logLimit = logLimit
        self.busyTimeout = busyTimeout
        waitingWrites = WaitingWrites(groupDuration: groupDuration)
        failure = DiskFailure(logger: logger, endProcess: endProcess)
        mayLogHaveHole = Atomic(hasLog)
        pausingSize = Atomic(hasLog ? 0 : logLimit)
        pool.writeWithoutTransaction { emptyLogIfDue(on: $0) }
    }

    private static func open(
        path: String, _ configuration: Configuration, schema: Schema, fill: (Database) throws -> Void
    ) throws(DatabaseFileError) -> DatabasePool {
        do {
            let pool = try DatabasePool(path: path, configuration: configuration)
            try schema.migrator.migrate(pool)
            try pool.write(fill)
            return pool
        } catch let error as DatabaseFileError {
            throw error
        } catch let error as DatabaseError {
            throw DatabaseFileError(error, path: path)
        } catch {
            // Any other error comes from Foundation, with which GRDB reads the size of the log. The probable cause is a missing permission.
            throw .noPermission(path: path)
        }
    }

    private static func configuration(
        of path: String, _ identity: FileIdentity, schema: Schema, busyTimeout: Duration
    ) -> Configuration {
        var configuration = Configuration()
        configuration.label = "relist"
        configuration.foreignKeysEnabled = true
        // The timeout is for locks of other programs, because this program has only one writer.
        configuration.busyMode = .timeout(busyTimeout / .seconds(1))
        configuration.prepareDatabase { database in
            // The file is checked before the first read, because SQLite deletes the log when it reads an empty database.
            let isThere = FileIdentity(of: path) == identity && !(database.configuration.readonly && FilePath.size(of: path) == 0)
            guard isThere else { throw DatabaseFileError.moved(path: path) }
            // The cache has only 512 KiB, because the operating system also caches the pages.
            try database.execute(sql: "PRAGMA cache_size = -512")
            guard !database.configuration.readonly else { return }
            try schema.claim(database, path: path)
            try database.execute(sql: "PRAGMA journal_size_limit = \(4 << 20)")
            // Automatic checkpoints are off, because they would copy a log that was not checked. `copyLogIfDue(on:)` replaces them.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
        }
        return configuration
    }

    /// Checks the files with ``FileWatch``. Call this function only while a connection is open, because the index of the log is unmapped
    /// when the last connection closes.
    func checkFiles() throws(DataUnavailable) {
        do {
            try watch.check()
        } catch {
            // Idle readers are closed, because a reader may have opened a different file with the same name.
            pool.releaseMemoryEventually()
            throw error
        }
    }

    /// Truncates the log before the first missing frame. Otherwise SQLite would copy a part of a commit into the database when the last
    /// connection closes.
    private func cutLogAtHole() {
        pool.writeWithoutTransaction { watch.checkCommit(since: watch.logHeader, on: $0) }
    }

    /// Closes and unlocks the file after all transactions have ended. After a failure of the disk, the connections stay open. Otherwise the
    /// last connection would copy the log into the database when it closes, although a part of the log may be missing.
    func close() async {
        guard await gate.close() else { return }
        guard !failure.hasBegun else {
            _ = Unmanaged.passRetained(self)
            return
        }
        do {
            // The readers close first, so that the writer is the last connection. The last connection copies the log into the database, and
            // a reader cannot do this.
            pool.releaseMemory()
            cutLogAtHole()
            try pool.close()
        } catch {
            logger.warning("The database did not close cleanly.", metadata: ["error": "\(error)"])
        }
        locks.release()
    }
}
