import GRDB
public import Logging
public import ScreenService

/// What the service itself keeps, in an SQLite file that the stores of screens can share.
///
/// Reads record their topics, commits announce those that they touched; the first commit of an action takes its
/// receipt along, and none is made of an action that was given up. Reads run beside each other and beside the one
/// write at a time, each on the state that was committed when it began. While the file or its log is not where it was
/// opened, both throw `DataUnavailable`.
public final class SQLiteServiceStore: ServiceStoring {
    /// Those that the stores of screens which share the file announce to.
    public var topics: Topics { file.topics }
    let file: DatabaseFile

    init(file: DatabaseFile) {
        self.file = file
    }

    /// Opens the file at `path`, or creates it.
    ///
    /// It takes a lock on `path.lock`, and one on the file whatever its name, so that one process at a
    /// time has it open; SQLite keeps `path-wal` and `path-shm` beside it.
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
        return SQLiteServiceStore(file: file)
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
        return try await file.read(stoppedBy: cancellation) { database in
            try body(SQLiteTransaction(database, recorder: recorder, cancellation))
        }
    }

    /// Runs `body` in one write transaction, on a thread of the database's own. Where `body` throws, nothing
    /// of it is kept. Cancelling the task does not stop a write that has begun.
    ///
    /// Writes that wait for each other share a transaction, so that the disk is synchronised once for all. Where it is
    /// undone because of one of them, they run again: `body` changes nothing but the database.
    ///
    /// - Throws: what `body` throws; ``SQLiteStoreError/closed``, `DataUnavailable`, errors of SQLite;
    ///   `ReceiptTaken` and `DeadlineFault` in an action that was performed or given up before; `OtherTopics` in one of a
    ///   service whose own store is another.
    public func write<Value: Sendable>(
        _ body: @Sendable @escaping (SQLiteTransaction) throws -> Value
    ) async throws -> Value {
        let recorder = topics.recorder
        return try await write(for: ActionAttempt.current) { database, committing in
            let transaction = SQLiteTransaction(database, recorder: recorder)
            let value = try body(transaction)
            committing.touched = transaction.touched
            return value
        }
    }

    /// Reads a page of the file, so that one which is gone or was cut short is noticed.
    ///
    /// - Throws: ``SQLiteStoreError/closed``, `DataUnavailable`, errors of SQLite.
    public func checkReadable() async throws {
        try await file.read { try $0.execute(sql: "SELECT byteCount FROM secret") }
    }

    /// Closes the file, once the transactions that have begun have ended; later ones throw
    /// ``SQLiteStoreError/closed``. History and receipts close with it. Closing twice does no harm.
    ///
    /// A store that is let go without it closes too, but at no certain time.
    public func close() async {
        await file.close()
    }
}

/// Why a transaction could not be, whatever it reads and writes.
public enum SQLiteStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The store has been closed.
    case closed
    /// A text to be stored contains U+0000, which SQLite cannot keep in text.
    case zeroCharacter

    /// What happened, in one English sentence for logs.
    public var description: String {
        switch self {
        case .closed: "The store is closed."
        case .zeroCharacter: "A text with the character U+0000 cannot be stored."
        }
    }
}
