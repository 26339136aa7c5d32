import GRDB
import Logging
import ScreenService
import Synchronization

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
enum Durability: Sendable {
    /// The end of the process, and a loss of power: the log is on the disk.
    case lossOfPower
    /// The end of the process; a loss of power may take the last commits. Many times as fast.
    case endOfProcess
}

/// A write that waits for its turn.
struct WaitingWrite: Sendable {
    /// Runs it in a transaction of its own. Gives what is to be done once the log is on the disk, or could not be brought
    /// there.
    let run: @Sendable (Database) -> Outcome

    struct Outcome {
        /// Whether it was committed, and has to outlive a loss of power.
        let awaitsDisk: Bool
        let finish: (Result<Void, any Error>) -> Void
    }
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

    /// Runs `body` in one write transaction. Writes that wait together are brought to the disk together.
    func write<Value: Sendable>(
        outliving durability: Durability = .lossOfPower,
        _ body: @Sendable @escaping (Database) throws -> Committing<Value>
    ) async throws -> Value {
        try await using { pool in
            // GRDB's own asynchronous write throws when its task is cancelled, be it after the
            // commit, and then nobody would hear of the commit.
            try await withCheckedThrowingContinuation { continuation in
                enqueue(WaitingWrite { database in
                    let committed = Result { try self.commit(body, on: database) }
                    let awaitsDisk = durability == .lossOfPower && (try? committed.get()) != nil
                    return WaitingWrite.Outcome(awaitsDisk: awaitsDisk) { onDisk in
                        continuation.resume(with: Result { try self.end(committed, awaitsDisk ? onDisk : .success(())) })
                    }
                }, of: pool)
            }
        }
    }

    private func enqueue(_ write: WaitingWrite, of pool: DatabasePool) {
        let isFirst = waitingWrites.withLock { waiting in
            waiting.append(write)
            return waiting.count == 1
        }
        if isFirst { performWaitingWrites(of: pool) }
    }

    private func performWaitingWrites(of pool: DatabasePool) {
        pool.asyncWriteWithoutTransaction { database in
            let writes = self.waitingWrites.withLock { Array($0.prefix(Self.writesAtOnce)) }
            self.perform(writes, on: database)
            let areMore = self.waitingWrites.withLock { waiting in
                waiting.removeFirst(writes.count)
                return !waiting.isEmpty
            }
            if areMore { self.performWaitingWrites(of: pool) }
        }
    }

    /// How many writes are brought to the disk together at most: the first of them waits for the last.
    private static let writesAtOnce = 64

    private func perform(_ writes: [WaitingWrite], on database: Database) {
        let outcomes = writes.map { $0.run(database) }
        let onDisk = outcomes.contains { $0.awaitsDisk } ? Result { try synchronize(database) } : .success(())
        emptyLogIfLarge(on: database)
        for outcome in outcomes { outcome.finish(onDisk) }
    }

    private func commit<Value: Sendable>(
        _ body: (Database) throws -> Committing<Value>, on database: Database
    ) throws -> Committing<Value> {
        var committing: Committing<Value>?
        do {
            try database.inTransaction(.immediate) {
                committing = try body(database)
                try checkFiles()
                return .commit
            }
            return committing!
        } catch {
            try checkFiles()
            throw unavailable(error)
        }
    }

    /// What a commit is acknowledged with. Whatever became of it then, it can be read.
    private func end<Value: Sendable>(
        _ committed: Result<Committing<Value>, any Error>, _ onDisk: Result<Void, any Error>
    ) throws -> Value {
        let committing = try committed.get()
        committing.afterCommit()
        do {
            try onDisk.get()
            try checkFiles()
        } catch {
            throw unavailable(error)
        }
        return committing.value
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
