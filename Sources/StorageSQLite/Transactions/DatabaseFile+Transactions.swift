import GRDB
import Logging

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
        try await using { pool in try await pool.read(body) }
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
                    continuation.resume(with: Result { try Self.commit(body, on: database) })
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
