public import GRDB
public import Logging
public import ScreenService

/// What the service itself keeps, in SQLite: in a file of its own, which the stores of screens can share, or in a database
/// that a team has open.
///
/// Reads record their topics, commits announce those that they touched; the first commit of an action takes its
/// receipt along, and none is made of an action that was given up. Reads run beside each other and beside the one
/// write at a time, each on the state that was committed when it began.
public final class SQLiteServiceStore: ServiceStoring, RecordStoring {
    /// Those that the stores of screens which share the database announce to.
    public var topics: Topics { database.topics }
    let database: any ServiceDatabase
    /// What reads by tables; nil where all topics are named.
    private let tableReads: TableReads?

    init(database: any ServiceDatabase, tableReads: TableReads? = nil) {
        self.database = database
        self.tableReads = tableReads
    }

    /// Opens the file at `path`, or creates it.
    ///
    /// It takes a lock on `path.lock`, and one on the file whatever its name, so that one process at a
    /// time has it open; SQLite keeps `path-wal` and `path-shm` beside it. While the file or its log is not where it was
    /// opened, reads and writes throw `DataUnavailable`.
    ///
    /// - Parameters:
    ///   - migrations: the steps to the tables of those who share the file, always in the same order.
    ///   - fill: inserts what is to be there at the start, each time that the file is opened.
    /// - Throws: the ``DatabaseFileError`` that keeps the file from being used. One that is in use, no
    ///   database, another program's or a newer version's is left as it was.
    public static func open(
        path: String, migrations: [SQLiteMigration] = [], logger: Logger,
        fill: (SQLiteTransaction) throws -> Void = { _ in }
    ) throws(DatabaseFileError) -> SQLiteServiceStore {
        let file = try DatabaseFile(path: path, schema: Schema(adding: migrations), logger: logger) { database in
            try fill(SQLiteTransaction(database, recorder: nil))
        }
        return SQLiteServiceStore(database: file)
    }

    /// Keeps what the service keeps in tables of a database that is open already, `grdb_relist_…`; all others are left alone.
    ///
    /// What ``read(_:)`` reads by any statement on its connection is recorded, and what a commit changes is announced, by table
    /// and column, whoever writes it through this database: no topic needs a name. Announced by ``announce(tables:)`` alone is
    /// what the library is not told of: what other processes and other connections write, `PRAGMA user_version`, and
    /// `sqlite_sequence`. A statement that writes, returns rows and is not read to its end outside of a transaction is
    /// announced with the next commit.
    ///
    /// The team's own settings of the database count, but an action's commit survives a loss of power whatever it chose to be
    /// `synchronous`; with the journal modes `MEMORY` and `OFF` nothing does. Where reads are recorded, a trace that the team has
    /// set on a connection ends, and so does a progress handler where an action writes.
    ///
    /// - Parameters:
    ///   - database: a queue or a pool, with the team's migrations behind it. Whoever has opened it closes it, after the store.
    ///   - isRecordingReads: false where all reads name their topics.
    /// - Throws: ``DatabaseFileError/newerSchema(path:unknownSteps:)``, errors of SQLite.
    public static func open(
        in database: any DatabaseWriter, isRecordingReads: Bool = true, logger: Logger
    ) throws -> SQLiteServiceStore {
        SQLiteServiceStore(
            database: try SharedDatabase(database, logger: logger), tableReads: isRecordingReads ? TableReads() : nil
        )
    }

    /// Says that rows of tables have changed in a way that nobody was told of, in a database of a team's. In a file of the
    /// service's own nobody reads without a topic of another name.
    public func announce(tables: [String]) {
        topics.announce(Set(tables.map(TableTopics.rows)))
    }

    /// Runs `body` in one read transaction, on a thread of the database's own.
    ///
    /// - Throws: what `body` throws; ``SQLiteStoreError/closed``, `DataUnavailable`, errors of SQLite;
    ///   `CancellationError` where the task is cancelled before the value is returned.
    public func read<Value: Sendable>(
        _ body: @Sendable @escaping (SQLiteTransaction) throws -> Value
    ) async throws -> Value {
        // Known to this task, and `body` runs on another thread.
        let recorder = topics.recorder
        let cancellation = Cancellation()
        return try await database.read(stoppedBy: cancellation) { [tableReads] database in
            guard let recorder, let tableReads else { return try body(SQLiteTransaction(database, recorder: recorder, cancellation)) }
            return try tableReads.recording(to: recorder, on: database) { trace in
                try body(SQLiteTransaction(database, recorder: recorder, cancellation, trace))
            }
        }
    }

    /// Runs `body` in one write transaction, on a thread of the database's own. Where `body` throws, nothing
    /// of it is kept. Cancelling the task does not stop a write that has begun.
    ///
    /// Writes that wait for each other share a transaction, so that the disk is synchronised once for all. Where it is undone because
    /// of one of them, the others run again: `body` changes nothing but the database.
    ///
    /// If the disk refuses a commit, the actions in it have the outcome `unknown`, and the process ends a second later with the status 74.
    ///
    /// - Throws: what `body` throws; ``SQLiteStoreError/closed``, `DataUnavailable`, errors of SQLite;
    ///   `ReceiptTaken` and `DeadlineFault` in an action that was performed or given up before; `OtherTopics` in one of a
    ///   service whose own store is another.
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

    /// Runs a write transaction. That of an action keeps its receipt, and is rolled back when the action
    /// is given up before the commit.
    func write<Value: Sendable>(
        for attempt: ActionAttempt?, _ body: @Sendable @escaping (Database, inout Set<Topic>) throws -> Value
    ) async throws -> Value {
        guard let attempt else { return try await database.write(body) }
        let storesReceipt = SQLiteReceipts(database: database).areWhere(attempt.destination)
        return try await attempt.transaction(announcingTo: topics, storingReceipt: storesReceipt) { [database] action in
            do {
                return try await database.write(as: action) { database, touched in
                    try database.interrupted(when: { action.isGivenUp }) {
                        try action.run(storingReceipt: { try SQLiteReceipts.keep($0, in: database) }) { try body(database, &touched) }
                    }
                }
            } catch {
                // Its receipt may be elsewhere, where an earlier attempt under its key is not found.
                if database.failure.hasBegun { action.endCommit(.unknown) }
                throw error
            }
        }
    }

    /// Reads a page of the file, so that one which is gone or was cut short is noticed.
    ///
    /// - Throws: ``SQLiteStoreError/closed``, `DataUnavailable`, errors of SQLite.
    public func checkReadable() async throws {
        try await database.read { try $0.execute(sql: "SELECT byteCount FROM grdb_relist_secret") }
    }

    /// Closes its file, or lets go of the database that is a team's, once the transactions that have begun have ended; later
    /// ones throw ``SQLiteStoreError/closed``. History and receipts close with it. Closing twice does no harm.
    ///
    /// A store that is let go without it closes too, but at no certain time.
    public func close() async {
        await database.close()
    }
}

/// Why a transaction could not be, whatever it reads and writes.
public enum SQLiteStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The store has been closed.
    case closed

    /// What happened, in one English sentence for logs.
    public var description: String {
        switch self {
        case .closed: "The store is closed."
        }
    }
}
