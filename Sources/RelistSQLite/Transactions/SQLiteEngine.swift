import GRDB
import Logging
import ScreenService

/// A database with the tables of the service and of its screens. After it was closed, its functions throw ``SQLiteStoreError/closed``.
protocol SQLiteEngine: AnyObject, Sendable {
    /// The object to which each commit announces its topics.
    var topics: Topics { get }
    var logger: Logger { get }
    /// The connections to the database. Exactly one of the connections writes.
    var connections: any DatabaseWriter { get }
    var gate: Gate { get }
    var waitingWrites: WaitingWrites { get }
    var failure: DiskFailure { get }
    var activity: StoreActivity { get }
    /// The threads that read, or `nil` if GRDB schedules the reads.
    var readingThreads: BlockingWork? { get }

    /// Runs `body` in one read transaction, on a thread of the database. When the task is cancelled, `cancellation` is cancelled. The
    /// transaction then does not begin, or its running statement is interrupted, and `CancellationError` is thrown.
    func read<Value: Sendable>(
        stoppedBy cancellation: Cancellation, _ body: @Sendable @escaping (Database) throws -> Value
    ) async throws -> Value

    func commit(durability: Durability, on database: Database, _ body: () throws -> Void) throws

    /// Announces the topics that a commit has touched. This function is also called after a failed commit, with an empty set.
    func announce(_ touched: Set<Topic>)

    /// Throws an error while a file of the database is moved, replaced, deleted or truncated.
    func checkFiles() throws(DataUnavailable)

    /// Empties the write-ahead log if it is large. It is called after each write transaction.
    func emptyLogIfDue(on database: Database)

    /// Rejects new transactions, waits for the current ones, and ends the use of the database.
    func close() async
}

extension SQLiteEngine {
    func read<Value: Sendable>(_ body: @Sendable @escaping (Database) throws -> Value) async throws -> Value {
        try await read(stoppedBy: Cancellation(), body)
    }

    /// Returns `DataUnavailable` for damage and for a temporary error, such as a lock, a full disk or a missing file. Returns any other
    /// error unchanged.
    func unavailable(_ error: any Error) -> any Error {
        if case DatabaseFileError.moved = error { return DataUnavailable(reason: "the database was moved") }
        if error.isOfDamage { return damaged(error) }
        guard let error = error as? DatabaseError else { return error }
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: return DataUnavailable(reason: "the database is busy")
        case .SQLITE_FULL: return DataUnavailable(reason: "there is no space left for the database")
        case .SQLITE_IOERR, .SQLITE_CANTOPEN: return DataUnavailable(reason: "the database cannot be read or written")
        case .SQLITE_INTERRUPT: return DataUnavailable(reason: "the transaction was stopped")
        default: return error
        }
    }

    private func damaged(_ error: any Error) -> DataUnavailable {
        logger.error("the database is damaged", metadata: ["error": "\(error)"])
        return DataUnavailable(reason: "the database is damaged")
    }
}

extension Error {
    /// A Boolean value that indicates whether this error means that the database is damaged: a page is corrupt, the file is not a database,
    /// or a row has a value that its `STRICT` table does not allow.
    var isOfDamage: Bool {
        if case .unreadable? = self as? RecordValueError { return true }
        guard let error = self as? DatabaseError else { return false }
        return [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
    }
}

extension Row {
    /// Returns the value of the column with the index `column`. The first column has the index 0. In a `STRICT` table, a value of the wrong
    /// type means that the row is damaged.
    func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: Int) throws -> Value {
        do {
            return try decode(atIndex: column)
        } catch let error as RowDecodingError {
            throw RecordValueError.unreadable("\(error)")
        }
    }
}
