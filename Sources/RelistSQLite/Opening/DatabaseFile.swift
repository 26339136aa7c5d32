import GRDB
import Logging
import ScreenService
import Synchronization

/// A database file while it is open: its locks, its one writing connection and its readers.
final class DatabaseFile: ServiceDatabase {
    let path: String
    let logger: Logger
    /// Above how many bytes the write-ahead log is emptied by force.
    let logLimit: Int
    /// How long the writer waits for a lock of another program.
    let busyTimeout: Duration
    /// Above how many bytes of the log readers are made to pause for it.
    let pausingSize: Atomic<Int>
    /// For reads: as many threads as the pool has readers.
    let readers: BlockingWork
    // In this order they go when the file is let go: the connections, then the locks.
    let pool: DatabasePool
    private let locks: DatabaseLocks
    let watch: FileWatch
    let gate = Gate()
    let failure: DiskFailure
    /// A Boolean value that indicates whether an earlier process has left the log: the disk may have refused a part of it.
    let mayLogHaveHole: Atomic<Bool>
    /// Whether it was said that the log cannot be emptied.
    let hasEmptyingFailed = Atomic(false)
    let topics = Topics()
    let waitingWrites: WaitingWrites
    var connections: any DatabaseWriter { pool }

    /// Opens or creates the file, brings its tables up to `schema` and has it filled.
    init(
        path: String, schema: Schema, logger: Logger, logLimit: Int = 16 << 20, busyTimeout: Duration = .seconds(5),
        timeTogether: Duration = .milliseconds(50), fill: (Database) throws -> Void = { _ in },
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
        locks.keep()
        file.syncFolder()
        self.path = path
        self.logger = logger
        self.logLimit = logLimit
        self.busyTimeout = busyTimeout
        waitingWrites = WaitingWrites(timeTogether: timeTogether)
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
            // GRDB asks Foundation about the log, which cannot tell its size.
            throw .noPermission(path: path)
        }
    }

    private static func configuration(
        of path: String, _ identity: FileIdentity, schema: Schema, busyTimeout: Duration
    ) -> Configuration {
        var configuration = Configuration()
        configuration.label = "relist"
        configuration.foreignKeysEnabled = true
        // Only for whoever looks at the file with another tool: this program has one writer.
        configuration.busyMode = .timeout(busyTimeout / .seconds(1))
        configuration.prepareDatabase { database in
            // Before it is read for the first time: where it is empty, SQLite deletes the log beside it.
            let isThere = FileIdentity(of: path) == identity && !(database.configuration.readonly && FilePath.size(of: path) == 0)
            guard isThere else { throw DatabaseFileError.moved(path: path) }
            // In KiB: six connections with the usual 2 MB each would hold most pages six times, and the system does already.
            try database.execute(sql: "PRAGMA cache_size = -512")
            guard !database.configuration.readonly else { return }
            try schema.claim(database, path: path)
            try database.execute(sql: "PRAGMA journal_size_limit = \(4 << 20)")
            // A checkpoint within the commit would copy a log that was not checked (``copyLogIfDue(on:)``).
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
        }
        return configuration
    }

    /// Runs `body` while the file stays open.
    func using<Value: Sendable>(_ body: (DatabasePool) async throws -> Value) async throws -> Value {
        try gate.enter()
        defer { gate.leave() }
        return try await body(pool)
    }

    /// Call only while the file is open: closing the connections unmaps the log's index.
    ///
    /// - Throws: `DataUnavailable` while the files are not where they were opened, the database is empty, or its log was cut short.
    func checkFiles() throws(DataUnavailable) {
        do {
            try watch.check()
        } catch {
            // A reader may have opened what lies there instead.
            pool.releaseMemoryEventually()
            throw error
        }
    }

    /// Keeps the checkpoint of the closing connection from copying a part of a commit out of a log that is cut short.
    private func cutLogAtHole() {
        pool.writeWithoutTransaction { watch.checkCommit(since: watch.logHeader, on: $0) }
    }

    /// Closes and unlocks the file, once nobody is inside.
    func close() async {
        guard await gate.close() else { return }
        do {
            // The readers first: the last connection to close empties the log into the database,
            // and only the writer may.
            pool.releaseMemory()
            cutLogAtHole()
            try pool.close()
        } catch {
            logger.warning("The database did not close cleanly.", metadata: ["error": "\(error)"])
        }
        locks.release()
    }
}
