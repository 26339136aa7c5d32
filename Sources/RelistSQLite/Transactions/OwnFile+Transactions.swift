import GRDB
import GRDBSQLite
import Logging
import ScreenService

extension OwnFile {
    func read<Value: Sendable>(
        stoppedBy cancellation: Cancellation, _ body: @Sendable @escaping (Database) throws -> Value
    ) async throws -> Value {
        try gate.enter()
        defer { gate.leave() }
        do {
            try failure.check()
            let value = try await withTaskCancellationHandler {
                // The asynchronous read of GRDB is not used, because it would change threads twice as often.
                try await readers.run { [self] in
                    try cancellation.check()
                    return try pool.unsafeRead { database in
                        try database.inReadTransaction {
                            try database.interrupted(when: { cancellation.isCancelled }) { try checked { try body(database) } }
                        }
                    }
                }
            } onCancel: {
                cancellation.cancel()
            }
            try cancellation.check()
            activity.noteRead()
            return value
        } catch {
            try cancellation.check()
            try checkFiles()
            throw unavailable(error)
        }
    }

    func commit(durability: Durability, on database: Database, _ body: () throws -> Void) throws {
        let logHeader = watch.logHeader
        try database.setDurability(durability)
        try database.inWriteTransaction(body)
        watch.checkCommit(since: logHeader, on: database)
    }

    func announce(_ touched: Set<Topic>) {
        if !touched.isEmpty { topics.announce(touched) }
    }

    /// Runs `body` and returns its result. Throws `DataUnavailable` if a check of the files fails after `body` has run.
    private func checked<Value>(_ body: () throws -> Value) throws -> Value {
        let outcome = Result(catching: body)
        try checkFiles()
        return try outcome.get()
    }
}

extension Database {
    /// Runs `body` in a read transaction. BEGIN and COMMIT are cached statements, because GRDB would compile them each time.
    func inReadTransaction<Value>(_ body: () throws -> Value) throws -> Value {
        try cachedStatement(sql: "BEGIN DEFERRED TRANSACTION").execute()
        do {
            let value = try body()
            // The body may have caught the error that ended the transaction, and continued to read outside of the transaction.
            guard isInsideTransaction else { throw DatabaseError(resultCode: .SQLITE_INTERRUPT) }
            try cachedStatement(sql: "COMMIT TRANSACTION").execute()
            return value
        } catch {
            try? rollback()
            throw error
        }
    }

    /// Interrupts the running statement when `isCancelled` returns true. The function uses SQLite's progress handler. An interrupt from
    /// another thread would have no effect between two statements, and could interrupt the next transaction.
    func interrupted<Value>(when isCancelled: @escaping () -> Bool, _ statements: () throws -> Value) rethrows -> Value {
        let condition = Condition(isTrue: isCancelled)
        let handler: @convention(c) (UnsafeMutableRawPointer?) -> CInt = { condition in
            Unmanaged<Condition>.fromOpaque(condition!).takeUnretainedValue().isTrue() ? 1 : 0
        }
        sqlite3_progress_handler(sqliteConnection, 10_000, handler, Unmanaged.passUnretained(condition).toOpaque())
        defer {
            sqlite3_progress_handler(sqliteConnection, 0, nil, nil)
            withExtendedLifetime(condition) {}
        }
        return try statements()
    }

    private final class Condition {
        let isTrue: () -> Bool

        init(isTrue: @escaping () -> Bool) {
            self.isTrue = isTrue
        }
    }
}
