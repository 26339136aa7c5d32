import GRDB
import GRDBSQLite
import ScreenService
import Synchronization

// Writing in the name of an action.
extension SQLiteServiceStore {
    /// Runs a write transaction. That of an action keeps its receipt, and is rolled back when the action
    /// is given up before the commit.
    func write<Value: Sendable>(
        for attempt: ActionAttempt?, _ body: @Sendable @escaping (Database) throws -> Committing<Value>
    ) async throws -> Value {
        guard let attempt else { return try await file.write(body) }
        try attempt.enterTransaction(announcingTo: topics, isInDoubt: { [file] in file.isLogInDoubt.load(ordering: .relaxed) })
        defer { attempt.leaveTransaction() }
        return try await file.write(by: attempt) { try self.perform(body, for: attempt, in: $0) }
    }

    private func perform<Value: Sendable>(
        _ body: (Database) throws -> Committing<Value>, for attempt: ActionAttempt, in database: Database
    ) throws -> Committing<Value> {
        try attempt.beginStatements()
        let isKeptHere = SQLiteReceipts(file: file).areWhere(attempt.destination)
        let receipt = !attempt.isReceiptKept && isKeptHere ? attempt.receipt : nil
        var committing = try database.interrupted(when: attempt) {
            // First, so that of two attempts under one key the later one does nothing.
            if let receipt { try SQLiteReceipts.keep(receipt, in: database) }
            return try body(database)
        }
        committing.beforeCommit = { try attempt.beginCommit() }
        committing.afterRollback = { attempt.leaveCommit() }
        committing.afterCommit = { attempt.markCommitted(withReceipt: receipt != nil) }
        committing.afterLoss = { attempt.markLost() }
        return committing
    }
}

extension Database {
    /// Runs statements, and stops the one that runs when an action is given up.
    ///
    /// SQLite asks by itself every so often: interrupting it from another thread could hit the transaction
    /// that follows, and would do nothing between two statements.
    fileprivate func interrupted<Value>(when attempt: ActionAttempt, _ statements: () throws -> Value) rethrows -> Value {
        let isGivenUp: @convention(c) (UnsafeMutableRawPointer?) -> CInt = { attempt in
            Unmanaged<ActionAttempt>.fromOpaque(attempt!).takeUnretainedValue().isGivenUp ? 1 : 0
        }
        sqlite3_progress_handler(sqliteConnection, 10_000, isGivenUp, Unmanaged.passUnretained(attempt).toOpaque())
        defer {
            sqlite3_progress_handler(sqliteConnection, 0, nil, nil)
            withExtendedLifetime(attempt) {}
        }
        return try statements()
    }
}
