import GRDB
import Logging
import ScreenService

/// A value whose transaction is about to be committed, and what is to be done once it is.
struct Committing<Value: Sendable>: Sendable {
    let value: Value
    let afterCommit: @Sendable () -> Void

    init(_ value: Value, afterCommit: @escaping @Sendable () -> Void = {}) {
        self.value = value
        self.afterCommit = afterCommit
    }
}

/// What a commit outlives once it was acknowledged.
enum Durability: String, Sendable {
    /// The end of the process, and a loss of power: the log is on the disk.
    case lossOfPower = "FULL"
    /// The end of the process; a loss of power may take the last commits. Many times as fast.
    case endOfProcess = "NORMAL"
}

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

    /// Runs `body` in one write transaction.
    func write<Value: Sendable>(
        outliving durability: Durability = .lossOfPower,
        _ body: @Sendable @escaping (Database) throws -> Committing<Value>
    ) async throws -> Value {
        try await using { pool in
            // GRDB's own asynchronous write throws when its task is cancelled, be it after the
            // commit, and then nobody would hear of the commit.
            try await withCheckedThrowingContinuation { continuation in
                pool.asyncWriteWithoutTransaction { database in
                    let result = Result { try self.commit(body, on: database, outliving: durability) }
                    self.emptyLogIfLarge(on: database)
                    continuation.resume(with: result)
                }
            }
        }
    }

    private func commit<Value: Sendable>(
        _ body: (Database) throws -> Committing<Value>, on database: Database, outliving durability: Durability
    ) throws -> Value {
        do {
            return try checked {
                // It cannot be changed within a transaction.
                try database.execute(sql: "PRAGMA synchronous = \(durability.rawValue)")
                var committing: Committing<Value>?
                try database.inTransaction(.immediate) {
                    committing = try body(database)
                    try checkFiles()
                    return .commit
                }
                committing!.afterCommit()
                return committing!.value
            }
        } catch {
            throw unavailable(error)
        }
    }

    /// The outcome of `body`, unless it came from files that nobody will find, or went there.
    private func checked<Value>(_ body: () throws -> Value) throws -> Value {
        let outcome = Result(catching: body)
        try checkFiles()
        return try outcome.get()
    }

    /// What passes by itself or once somebody makes room or brings the file back is told as such; the rest stays as it is.
    private func unavailable(_ error: any Error) -> any Error {
        if case DatabaseFileError.moved = error { return DataUnavailable(reason: "the database was moved") }
        guard let error = error as? DatabaseError else { return error }
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: return DataUnavailable(reason: "the database is busy")
        case .SQLITE_FULL: return DataUnavailable(reason: "there is no space left for the database")
        case .SQLITE_IOERR, .SQLITE_CANTOPEN: return DataUnavailable(reason: "the database cannot be read or written")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: return damaged(error)
        default: return error
        }
    }

    private func damaged(_ error: DatabaseError) -> DataUnavailable {
        logger.error("the database is damaged", metadata: ["error": "\(error)"])
        return DataUnavailable(reason: "the database is damaged")
    }
}
