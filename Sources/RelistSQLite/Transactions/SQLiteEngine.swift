import GRDB
import Logging
import ScreenService

/// A database with the tables of the service and of its screens.
///
/// The store, the history and the receipts share the database. After the database was closed, its methods throw
/// ``SQLiteStoreError/closed``.
protocol SQLiteEngine: AnyObject, Sendable {
    /// The object that is notified of the topics that each commit announces.
    var topics: Topics { get }
    var logger: Logger { get }
    /// The connections to the database. Exactly one of the connections writes.
    var connections: any DatabaseWriter { get }
    var gate: Gate { get }
    var waitingWrites: WaitingWrites { get }
    var failure: DiskFailure { get }

    /// Runs `body` in one read transaction, on a thread of the database.
    ///
    /// - Parameter cancellation: an object that is cancelled when the task is cancelled. Afterwards, the transaction does not begin, and a
    ///   running statement is interrupted.
    /// - Throws: `CancellationError` if the task is cancelled before the value is returned.
    func read<Value: Sendable>(
        stoppedBy cancellation: Cancellation, _ body: @Sendable @escaping (Database) throws -> Value
    ) async throws -> Value

    /// Runs `body` in one transaction, and commits it.
    func commit(durability: Durability, on database: Database, _ body: () throws -> Void) throws

    /// Announces the topics that a commit has touched. This function is also called after a failed commit, with an empty set.
    func announce(_ touched: Set<Topic>)

    /// Checks that the files of the database are in their places.
    ///
    /// - Throws: `DataUnavailable` while a file of the database is moved, replaced, deleted or truncated.
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

    /// Returns `DataUnavailable` for a temporary error, such as a lock, a full disk or a missing file, and for damage. Returns any other
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
    /// A Boolean value that indicates whether the error shows that the database is damaged. Either a page is corrupt, or a row has a value
    /// that its `STRICT` table does not allow.
    var isOfDamage: Bool {
        if case .unreadable? = self as? RecordValueError { return true }
        guard let error = self as? DatabaseError else { return false }
        return [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
    }
}

extension Row {
    /// Returns the value of a column in a `STRICT` table. The first column has the number 0.
    ///
    /// - Throws: `RecordValueError.unreadable` if the value has another type, because such a row is damaged.
    func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: Int) throws -> Value {
        do {
            return try decode(atIndex: column)
        } catch let error as RowDecodingError {
            throw RecordValueError.unreadable("\(error)")
        }
    }
}
