import GRDB
import ScreenService
import Synchronization

// Writing in the name of an action.
extension SQLiteServiceStore {
    /// Runs a write transaction. That of an action keeps its receipt, and is rolled back when the action
    /// is given up before the commit.
    func write<Value: Sendable>(
        for attempt: ActionAttempt?, _ body: @Sendable @escaping (Database, inout Committing) throws -> Value
    ) async throws -> Value {
        guard let attempt else { return try await database.write(body) }
        try attempt.enterTransaction(announcingTo: topics, isInDoubt: { [database] in database.isCommitInDoubt })
        defer { attempt.leaveTransaction() }
        return try await database.write(outliving: .lossOfPower, isOwn: false, by: attempt) { try self.perform(body, for: attempt, in: $0, &$1) }
    }

    private func perform<Value>(
        _ body: (Database, inout Committing) throws -> Value, for attempt: ActionAttempt, in database: Database,
        _ committing: inout Committing
    ) throws -> Value {
        try attempt.beginStatements()
        let isKeptHere = SQLiteReceipts(database: self.database).areWhere(attempt.destination)
        let receipt = !attempt.isReceiptKept && isKeptHere ? attempt.receipt : nil
        let value = try database.interrupted(when: { attempt.isGivenUp }) {
            // First, so that of two attempts under one key the later one does nothing.
            if let receipt { try SQLiteReceipts.keep(receipt, in: database) }
            return try body(database, &committing)
        }
        committing.beforeCommit = { try attempt.beginCommit() }
        committing.afterRollback = { attempt.leaveCommit() }
        committing.afterCommit = { attempt.markCommitted(withReceipt: receipt != nil) }
        committing.afterLoss = { attempt.markLost() }
        return value
    }
}
