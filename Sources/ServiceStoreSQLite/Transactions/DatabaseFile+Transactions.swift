import GRDB
import Logging
import ScreenService

extension DatabaseFile {
    /// Runs `body` in one read transaction.
    func read<Value: Sendable>(
        _ body: @Sendable @escaping (Database) throws -> Value
    ) async throws -> Value {
        try await using { pool in
            do {
                return try await pool.read { database in try self.checked { try body(database) } }
            } catch {
                try checkFiles()
                throw unavailable(error)
            }
        }
    }

    /// The outcome of `body`, unless it came from files that nobody will find, or went there.
    func checked<Value>(_ body: () throws -> Value) throws -> Value {
        let outcome = Result(catching: body)
        try checkFiles()
        return try outcome.get()
    }

    /// What passes by itself or once somebody makes room or brings the file back is told as such; the rest stays as it is.
    func unavailable(_ error: any Error) -> any Error {
        if case DatabaseFileError.moved = error { return DataUnavailable(reason: "the database was moved") }
        guard let error = error as? DatabaseError else { return error }
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: return DataUnavailable(reason: "the database is busy")
        case .SQLITE_FULL: return DataUnavailable(reason: "there is no space left for the database")
        case .SQLITE_IOERR, .SQLITE_CANTOPEN: return DataUnavailable(reason: "the database cannot be read or written")
        case .SQLITE_INTERRUPT: return DataUnavailable(reason: "the transaction was stopped")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: return damaged(error)
        default: return error
        }
    }

    private func damaged(_ error: DatabaseError) -> DataUnavailable {
        logger.error("the database is damaged", metadata: ["error": "\(error)"])
        return DataUnavailable(reason: "the database is damaged")
    }
}
