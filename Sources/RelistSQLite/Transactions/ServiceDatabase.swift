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
    /// Whether a commit has failed that may be found to have happened when the database is opened next.
    var isCommitInDoubt: Bool { get }

    /// Runs `body` in one read transaction, on a thread of the database's own.
    ///
    /// - Parameter cancellation: is told that the task was cancelled. The transaction does not begin then, and a statement
    ///   that runs is stopped.
    /// - Throws: `CancellationError` where the task is cancelled before the value is returned.
    func read<Value: Sendable>(
        stoppedBy cancellation: Cancellation, _ body: @Sendable @escaping (Database) throws -> Value
    ) async throws -> Value

    /// Runs `body` in a write transaction, and keeps nothing of it where it throws.
    ///
    /// - Parameters:
    ///   - isOwn: whether `body` lets every error through that a statement throws.
    ///   - owner: the action that writes.
    ///   - body: says what is to be done around the commit. It may run again where it was undone because of another write.
    func write<Value: Sendable>(
        outliving durability: Durability, isOwn: Bool, by owner: AnyObject?,
        _ body: @Sendable @escaping (Database, inout Committing) throws -> Value
    ) async throws -> Value

    /// Lets nobody in from now on, waits for those inside, then lets go of it.
    func close() async
}

extension ServiceDatabase {
    func read<Value: Sendable>(_ body: @Sendable @escaping (Database) throws -> Value) async throws -> Value {
        try await read(stoppedBy: Cancellation(), body)
    }

    func write<Value: Sendable>(
        outliving durability: Durability = .lossOfPower, isOwn: Bool = false,
        _ body: @Sendable @escaping (Database, inout Committing) throws -> Value
    ) async throws -> Value {
        try await write(outliving: durability, isOwn: isOwn, by: nil, body)
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

extension Database {
    /// Writes the first page, whatever was there, over what is left of a commit that failed.
    func writeFirstPage() throws {
        try inTransaction(.immediate) {
            let version = try Int.fetchOne(self, sql: "PRAGMA user_version") ?? 0
            try execute(sql: "PRAGMA user_version = \(version)")
            return .commit
        }
    }
}
