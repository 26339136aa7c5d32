public import GRDB
public import Logging
public import ScreenService

/// A service store in SQLite. The store either has its own file, which the stores of screens can share, or uses a database that a team has
/// opened.
///
/// Each read records its topics, and each commit announces the topics that it touched. The first commit of an action also stores the
/// receipt of the action. An action that has passed its deadline is not committed. A read runs concurrently with other reads and with one
/// write, and sees the state that was committed when the read began.
///
/// Functions that read or write data can throw ``SQLiteStoreError/closed``, `DataUnavailable` and errors of SQLite.
public final class SQLiteServiceStore: ServiceStoring, RecordStoring {
    /// The object to which each commit in the database announces its topics. This includes the commits of the stores of screens.
    public var topics: Topics { database.topics }
    let database: any SQLiteEngine
    /// An object that determines the topics of statements that name no topic; `nil` if all statements name their topics.
    private let tableReads: TableReads?

    init(database: any SQLiteEngine, tableReads: TableReads? = nil) {
        self.database = database
        self.tableReads = tableReads
    }

    /// Opens the file at `path`, or creates it.
    ///
    /// The store locks `path.lock` and the file itself, so that only one process at a time has the file open. SQLite stores `path-wal` and
    /// `path-shm` beside the file. While a file is moved, replaced or deleted, reads and writes throw `DataUnavailable`.
    ///
    /// - Parameters:
    ///   - migrations: the migrations of the stores that share the file, always in the same order.
    ///   - fill: inserts initial rows in a transaction. It is called each time that the file is opened.
    /// - Throws: ``DatabaseFileError``. The file is not changed if it is in use, if it is not a database, or if it belongs to another
    ///   program or to a newer version of this program.
    public static func open(
        path: String, migrations: [SQLiteMigration] = [], logger: Logger,
        fill: (SQLiteTransaction) throws -> Void = { _ in }
    ) throws(DatabaseFileError) -> SQLiteServiceStore {
        let file = try OwnFile(path: path, schema: Schema(adding: migrations), logger: logger) { database in
            try fill(SQLiteTransaction(database, recorder: nil))
        }
        return SQLiteServiceStore(database: file)
    }

    /// Opens a store in a database that a team has opened. The tables of the store have names that begin with `grdb_relist_`. Other tables
    /// are not changed.
    ///
    /// Statements need no topics. ``read(_:)`` records the tables and columns that are read on its connection by statements that name no
    /// topic. Each commit through this database announces the tables and columns that it has changed. The store does not detect changes by
    /// other processes and connections, or changes of `PRAGMA user_version` and `sqlite_sequence`. Announce them with
    /// ``announce(tables:)``. If a statement with `RETURNING` runs outside of a transaction and not all its rows are read, its changes are
    /// announced with the next commit.
    ///
    /// The store locks `path.lock`, where `path` is the file of the database, so that only one store at a time uses the database.
    ///
    /// The settings of the team apply to the database. However, the commit of an action survives a power failure with any value of
    /// `synchronous`, except in the journal modes `MEMORY` and `OFF`. A recorded read removes a trace that the team has set on the
    /// connection, and an action that writes removes a progress handler.
    ///
    /// - Parameters:
    ///   - database: a queue or a pool. The team closes this store first, and the database afterwards.
    ///   - isRecordingReads: a Boolean value that indicates whether statements without a topic record their tables. Pass `false` if the
    ///     caller names the topics of all reads.
    ///   - migrate: runs the team's migrations. They must not run before this call, because another process may be using the database. If
    ///     this function throws, the lock is released.
    /// - Throws: ``DatabaseFileError`` if another store uses the database, if the file of the lock cannot be created, or if a newer version
    ///   of this program has changed the tables of the store. Errors of `migrate` and of SQLite.
    public static func open(
        in database: any DatabaseWriter, isRecordingReads: Bool = true, logger: Logger,
        migrate: (any DatabaseWriter) throws -> Void = { _ in }
    ) throws -> SQLiteServiceStore {
        SQLiteServiceStore(
            database: try TeamDatabase(database, logger: logger, migrate: migrate), tableReads: isRecordingReads ? TableReads() : nil
        )
    }

    /// Announces that tables have changed. Call this function if the store uses the database of a team and cannot detect the change. If the
    /// store has its own file, the function has no effect, because all reads name their topics.
    public func announce(tables: [String]) {
        topics.announce(Set(tables.map(TableTopics.rows)))
    }

    /// Runs `body` in one read transaction, on a thread of the database. Throws `CancellationError` if the task is cancelled before the
    /// value is returned.
    public func read<Value: Sendable>(
        _ body: @Sendable @escaping (SQLiteTransaction) throws -> Value
    ) async throws -> Value {
        // The recorder is read here because it is local to this task, and `body` runs on another thread.
        let recorder = topics.recorder
        let cancellation = Cancellation()
        return try await database.read(stoppedBy: cancellation) { [tableReads] database in
            guard let recorder, let tableReads else { return try body(SQLiteTransaction(database, recorder: recorder, cancellation)) }
            return try tableReads.recording(to: recorder, on: database) { trace in
                try body(SQLiteTransaction(database, recorder: recorder, cancellation, trace))
            }
        }
    }

    /// Runs `body` in one write transaction, on a thread of the database. If `body` throws, its changes are rolled back. Cancelling the
    /// task does not stop a write that has begun.
    ///
    /// Concurrent writes share one transaction, so that the disk is synchronized once for all of them. If one write ends the shared
    /// transaction, the other writes run again. So `body` must not change anything except the database.
    ///
    /// If it is unknown whether a commit is durable, its actions have the outcome `unknown`, and the process ends one second later with the
    /// status 74.
    ///
    /// - Throws: in an action, `ReceiptTaken` if the action was performed before, `DeadlineFault` if the action has passed its deadline,
    ///   and `TopicsMismatch` if the service of the action uses another store.
    public func write<Value: Sendable>(
        _ body: @Sendable @escaping (SQLiteTransaction) throws -> Value
    ) async throws -> Value {
        let recorder = topics.recorder
        return try await write(for: ActionAttempt.current) { database, touched in
            let transaction = SQLiteTransaction(database, recorder: recorder)
            let value = try body(transaction)
            touched = transaction.touched
            return value
        }
    }

    /// Runs a write transaction. In an action, the transaction stores the receipt, and is rolled back if the deadline passes before the
    /// commit.
    func write<Value: Sendable>(
        for attempt: ActionAttempt?, _ body: @Sendable @escaping (Database, inout Set<Topic>) throws -> Value
    ) async throws -> Value {
        guard let attempt else { return try await database.write(body) }
        let storesReceipt = SQLiteReceipts(database: database).isSameStore(as: attempt.destination)
        return try await attempt.transaction(announcingTo: topics, storingReceipt: storesReceipt) { [database] action in
            do {
                return try await database.write(as: action) { database, touched in
                    try database.interrupted(when: { action.isGivenUp }) {
                        try action.run(storingReceipt: { try SQLiteReceipts.keep($0, in: database) }) { try body(database, &touched) }
                    }
                }
            } catch {
                // After a failure of the disk, the outcome of the action is unknown. If the receipts are in a different store, an earlier
                // attempt with the same key may have been committed although it has no receipt.
                if database.failure.hasBegun { action.endCommit(.unknown) }
                throw error
            }
        }
    }

    public var counts: StoreCounts {
        var counts = database.activity.counts
        counts.waitingWrites = database.waitingWrites.count
        if let threads = database.readingThreads {
            counts.waitingReads = threads.waitingCounts
            counts.busyConnections = ["reads": threads.busyCount]
        }
        return counts
    }

    public func observeCommits(_ observer: @escaping @Sendable (Duration) -> Void) {
        database.activity.observeCommits(observer)
    }

    /// Checks that the database can be read. Reading a page detects a file that is missing or truncated.
    public func checkReadable() async throws {
        try await database.read { try $0.execute(sql: "SELECT byteCount FROM grdb_relist_secret") }
    }

    /// Waits until all transactions have ended, and closes the store, its history and its receipts. Later transactions throw
    /// ``SQLiteStoreError/closed``. The database of a team stays open. If this function is not called, the store closes at an undefined
    /// time after it is deallocated.
    public func close() async {
        await database.close()
    }
}

/// An error that a store throws before a transaction runs any statement.
public enum SQLiteStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The store has been closed.
    case closed

    /// A sentence in English for logs.
    public var description: String {
        switch self {
        case .closed: "The store is closed."
        }
    }
}
