import GRDB
import GRDBSQLite
import Logging
import ScreenService

extension DatabaseFile {
    func read<Value: Sendable>(
        stoppedBy cancellation: Cancellation, _ body: @Sendable @escaping (Database) throws -> Value
    ) async throws -> Value {
        try await using { pool in
            do {
                try failure.check()
                let value = try await withTaskCancellationHandler {
                    // GRDB's own asynchronous read changes threads twice as often.
                    try await readers.run {
                        try cancellation.check()
                        return try pool.unsafeRead { database in
                            try database.inTransaction(begunBy: "BEGIN DEFERRED TRANSACTION") {
                                try database.interrupted(when: { cancellation.isCancelled }) { try self.checked { try body(database) } }
                            }
                        }
                    }
                } onCancel: {
                    cancellation.cancel()
                }
                try cancellation.check()
                return value
            } catch {
                try cancellation.check()
                try checkFiles()
                throw unavailable(error)
            }
        }
    }

    func commit(outliving durability: Durability, isGuarded: Bool, on database: Database, _ body: () throws -> Void) throws {
        let logHeader = watch.logHeader
        try database.setDurability(durability)
        try database.inWriteTransaction(isGuarded: isGuarded, body)
        watch.checkCommit(since: logHeader, on: database)
    }

    func announce(_ touched: Set<Topic>) {
        if !touched.isEmpty { topics.announce(touched) }
    }

    /// The outcome of `body`, unless it came from files that nobody will find, or went there.
    private func checked<Value>(_ body: () throws -> Value) throws -> Value {
        let outcome = Result(catching: body)
        try checkFiles()
        return try outcome.get()
    }
}

extension Database {
    /// Runs `body` in one transaction, as the library does, which compiles the statements that begin and end it each time.
    ///
    /// Behind a statement that has ended the transaction, others run: `body` must let its error through where it writes.
    func inTransaction<Value>(begunBy beginning: String, _ body: () throws -> Value) throws -> Value {
        try cachedStatement(sql: beginning).execute()
        do {
            let value = try body()
            // A body may have swallowed what has ended it, and read on in another state.
            guard isInsideTransaction else { throw DatabaseError(resultCode: .SQLITE_INTERRUPT) }
            try cachedStatement(sql: "COMMIT TRANSACTION").execute()
            return value
        } catch {
            try? rollback()
            throw error
        }
    }

    /// Runs statements, and stops the one that runs when they are given up.
    ///
    /// SQLite asks by itself every so often: interrupting it from another thread could hit the transaction
    /// that follows, and would do nothing between two statements.
    func interrupted<Value>(when isGivenUp: @escaping () -> Bool, _ statements: () throws -> Value) rethrows -> Value {
        let question = Question(ask: isGivenUp)
        let ask: @convention(c) (UnsafeMutableRawPointer?) -> CInt = { question in
            Unmanaged<Question>.fromOpaque(question!).takeUnretainedValue().ask() ? 1 : 0
        }
        sqlite3_progress_handler(sqliteConnection, 10_000, ask, Unmanaged.passUnretained(question).toOpaque())
        defer {
            sqlite3_progress_handler(sqliteConnection, 0, nil, nil)
            withExtendedLifetime(question) {}
        }
        return try statements()
    }

    private final class Question {
        let ask: () -> Bool

        init(ask: @escaping () -> Bool) {
            self.ask = ask
        }
    }
}
