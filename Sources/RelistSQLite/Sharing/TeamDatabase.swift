import GRDB
import Logging
import ScreenService
import Synchronization

/// A database that a team opens and closes, with tables of the team and of the service. Each commit of the team or of the service announces
/// the tables and columns that it has changed.
///
/// A lock on the name of the file excludes other stores, whose commits would not be announced here. A hard link to the file has another
/// name, so it is not excluded.
final class TeamDatabase: SQLiteEngine {
    let topics = Topics()
    let logger: Logger
    let connections: any DatabaseWriter
    let gate = Gate()
    let waitingWrites = WaitingWrites()
    let failure: DiskFailure
    let activity = StoreActivity()
    var readingThreads: BlockingWork? { nil }
    private let observer: CommitObserver
    /// `nil` if the database is in memory, or if the store is closed.
    private let lock: Mutex<FileLock?>

    init(
        _ database: any DatabaseWriter, logger: Logger, endProcess: @escaping @Sendable () -> Void = DiskFailure.endProcess,
        migrate: (any DatabaseWriter) throws -> Void = { _ in }
    ) throws {
        connections = database
        self.logger = logger
        failure = DiskFailure(logger: logger, endProcess: endProcess)
        // SQLite returns the absolute path, which is empty for a database in memory (sqlite.org/pragma.html#pragma_database_list).
        let path = try database.read { try String.fetchOne($0, sql: "SELECT file FROM pragma_database_list WHERE name = 'main'") ?? "" }
        lock = Mutex(path.isEmpty ? nil : try FileLock(besideDatabase: path))
        try ServiceTables.check(database)
        try migrate(database)
        try ServiceTables.migrate(database)
        // The log of an earlier process is emptied for the reason that `DiskFailure` states.
        do {
            _ = try database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        } catch {
            failure.noteFailedCheckpoint(error)
            logger.warning("the write-ahead log could not be emptied", metadata: ["error": "\(error)"])
        }
        observer = try CommitObserver(announcingTo: topics, tables: database.read(ObservedTables.init))
        database.add(transactionObserver: observer, extent: .observerLifetime)
        lock.withLock { $0?.keepFile() }
    }

    func read<Value: Sendable>(
        stoppedBy cancellation: Cancellation, _ body: @Sendable @escaping (Database) throws -> Value
    ) async throws -> Value {
        try gate.enter()
        defer { gate.leave() }
        do {
            try failure.check()
            let value = try await withTaskCancellationHandler {
                try await connections.read(body)
            } onCancel: {
                cancellation.cancel()
            }
            activity.noteRead()
            return value
        } catch {
            try cancellation.check()
            throw unavailable(error)
        }
    }

    func commit(durability: Durability, on database: Database, _ body: () throws -> Void) throws {
        try database.withDurability(durability) {
            observer.hold()
            try database.inWriteTransaction(body)
        }
    }

    func announce(_ touched: Set<Topic>) {
        observer.release(with: touched)
    }

    // These functions do nothing, because the team is responsible for the files of the database and their log.
    func checkFiles() {}
    func emptyLogIfDue(on database: Database) {}

    /// Ends the use of the database, which stays open.
    func close() async {
        guard await gate.close() else { return }
        // The removal is queued, so that a call that hangs in the database does not delay the close.
        connections.asyncWriteWithoutTransaction { [observer] in $0.remove(transactionObserver: observer) }
        lock.withLock { $0 = nil }
    }
}

extension Database {
    /// Runs `body` with commits that are at least as durable as `durability`, and restores the setting of the team afterwards.
    fileprivate func withDurability(_ durability: Durability, _ body: () throws -> Void) throws {
        let chosen = try synchronisation()
        defer { if (try? synchronisation()) != chosen { try? execute(sql: "PRAGMA synchronous = \(chosen)") } }
        if durability == .lossOfPower {
            // A write-ahead log needs FULL. A journal file that is deleted after each commit needs EXTRA, which also synchronizes its
            // folder.
            let needed = try String.fetchOne(cachedStatement(sql: "PRAGMA journal_mode")) == "wal" ? 2 : 3
            if chosen < needed { try execute(sql: "PRAGMA synchronous = \(needed)") }
        }
        try body()
    }

    /// Returns the current value of the pragma `synchronous` as a number (sqlite.org/pragma.html#pragma_synchronous).
    private func synchronisation() throws -> Int {
        try Int.fetchOne(cachedStatement(sql: "PRAGMA synchronous")) ?? 2
    }
}
