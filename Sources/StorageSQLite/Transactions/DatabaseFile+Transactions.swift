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

extension DatabaseFile {
    /// Runs `body` in one read transaction.
    func read<Value: Sendable>(
        _ body: @Sendable @escaping (Database) throws -> Value
    ) async throws -> Value {
        try await using { pool in
            do { return try await pool.read(body) } catch let error as DatabaseError { throw Self.unavailable(error) }
        }
    }

    /// Runs `body` in one write transaction.
    func write<Value: Sendable>(
        _ body: @Sendable @escaping (Database) throws -> Committing<Value>
    ) async throws -> Value {
        try await using { pool in
            // GRDB's own asynchronous write throws when its task is cancelled, be it after the
            // commit, and then nobody would hear of the commit.
            let value = try await withCheckedThrowingContinuation { continuation in
                pool.asyncWriteWithoutTransaction { database in
                    continuation.resume(
                        with: Result { try Self.commit(body, on: database) }
                            .mapError { error in (error as? DatabaseError).map(Self.unavailable) ?? error }
                    )
                }
            }
            await emptyLogIfLarge(of: pool)
            return value
        }
    }

    private static func commit<Value: Sendable>(
        _ body: (Database) throws -> Committing<Value>,
        on database: Database
    ) throws -> Value {
        var committing: Committing<Value>?
        try database.inTransaction(.immediate) {
            committing = try body(database)
            return .commit
        }
        committing!.afterCommit()
        return committing!.value
    }

    /// What passes by itself or once somebody makes room is told as such; the rest stays as it is.
    private static func unavailable(_ error: DatabaseError) -> any Error {
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: DataUnavailable(reason: "the database is busy")
        case .SQLITE_FULL: DataUnavailable(reason: "there is no space left for the database")
        case .SQLITE_IOERR, .SQLITE_CANTOPEN: DataUnavailable(reason: "the database cannot be read or written")
        default: error
        }
    }

    /// SQLite reuses the log from its start when a checkpoint finds no reader in it. Readers that
    /// overlap without a gap would let it grow without end, so they have to wait for once.
    private func emptyLogIfLarge(of pool: DatabasePool) async {
        guard FilePath.size(of: path + "-wal") > logLimit else { return }
        do {
            _ = try await pool.barrierWriteWithoutTransaction { try $0.checkpoint(.truncate) }
        } catch is CancellationError {
            // The next write finds the log as large.
        } catch {
            logger.warning("The write-ahead log could not be emptied.", metadata: ["error": "\(error)"])
        }
    }
}
