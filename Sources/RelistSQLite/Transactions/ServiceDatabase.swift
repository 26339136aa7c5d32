import GRDB
import Logging
import ScreenService

/// A database that the records of the service lie in, beside those of its screens.
///
/// The store, the history and the receipts work on it. What it is asked after it was closed throws
/// ``SQLiteStoreError/closed``.
protocol ServiceDatabase: AnyObject, Sendable {
    /// Where is announced what was committed.
    var topics: Topics { get }
    var logger: Logger { get }
    /// The connections, one of which writes.
    var connections: any DatabaseWriter { get }
    var gate: Gate { get }
    var waitingWrites: WaitingWrites { get }
    var failure: DiskFailure { get }

    /// Runs `body` in one read transaction, on a thread of the database's own.
    ///
    /// - Parameter cancellation: is told that the task was cancelled. The transaction does not begin then, and a statement
    ///   that runs is stopped.
    /// - Throws: `CancellationError` where the task is cancelled before the value is returned.
    func read<Value: Sendable>(
        stoppedBy cancellation: Cancellation, _ body: @Sendable @escaping (Database) throws -> Value
    ) async throws -> Value

    /// Commits `body` in one transaction.
    ///
    /// - Parameter isGuarded: whether no statement may run behind one that has ended the transaction.
    func commit(outliving durability: Durability, isGuarded: Bool, on database: Database, _ body: () throws -> Void) throws

    /// Announces what a commit has changed; called after each one, also where it has failed.
    func announce(_ touched: Set<Topic>)

    /// - Throws: `DataUnavailable` while the files are not where they were opened.
    func checkFiles() throws(DataUnavailable)

    /// Keeps the write-ahead log small; called after each transaction.
    func emptyLogIfDue(on database: Database)

    /// Lets nobody in from now on, waits for those inside, then lets go of it.
    func close() async
}

extension ServiceDatabase {
    func read<Value: Sendable>(_ body: @Sendable @escaping (Database) throws -> Value) async throws -> Value {
        try await read(stoppedBy: Cancellation(), body)
    }

    /// What passes by itself or once somebody makes room or brings the file back is told as such; the rest stays as it is.
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
    /// A Boolean value that indicates whether the error comes from a damaged database: from a page that contradicts itself, or from a
    /// row with a value that its `STRICT` table does not take.
    var isOfDamage: Bool {
        if case .unreadable? = self as? RecordValueError { return true }
        guard let error = self as? DatabaseError else { return false }
        return [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
    }
}

extension Row {
    /// Returns the value of a column of a `STRICT` table, counted from 0.
    ///
    /// - Throws: `RecordValueError.unreadable` where the value has another type, so the row is damaged.
    func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: Int) throws -> Value {
        do {
            return try decode(atIndex: column)
        } catch let error as RowDecodingError {
            throw RecordValueError.unreadable("\(error)")
        }
    }
}
