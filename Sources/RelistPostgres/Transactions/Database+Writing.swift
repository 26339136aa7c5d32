import Logging
import ScreenService

extension PostgresServiceStore.Database {
    enum Isolation: String {
        case readCommitted = "READ COMMITTED", serialisable = "SERIALIZABLE"
    }

    /// For how long whoever has written waits until this replica hears of it.
    private static let hearingTime = Duration.seconds(1)

    /// Runs a write transaction. That of an action keeps its receipt, and is rolled back when the action is given up before the
    /// commit.
    ///
    /// - Parameter lane: the lane; use another than `.writes` only for a write that touches no topic and need not be durable.
    /// - Returns: with the value, the position of the commit; nil where it has none.
    func write<Value: Sendable>(
        for attempt: ActionAttempt?, isolation: Isolation = .serialisable, in lane: ConnectionPool.Lane = .writes,
        _ recorder: ReadRecorder? = nil, _ body: @Sendable @escaping (PostgresTransaction) throws -> Value
    ) async throws -> (value: Value, position: Position?) {
        // Claiming before it waits for anything: what another attempt under its key is about to commit, nobody sees.
        try attempt?.enterTransaction(announcingTo: topics, isClaiming: receipt(of: attempt) != nil)
        defer { attempt?.leaveTransaction() }
        do {
            let (value, position, touched) = try await again(in: lane, beforeRunningAgain: { self.doubt(attempt) }) { [self] connection, deadline in
                let transaction = PostgresTransaction(
                    on: connection, begunBy: [Statement("BEGIN ISOLATION LEVEL \(isolation.rawValue)")], recorder: recorder, until: deadline,
                    isGivenUp: attempt.map { attempt in { attempt.isGivenUp } }
                )
                let (value, position) = try perform(body, in: transaction, for: attempt)
                return (value, position, transaction.touched)
            }
            // It is heard as all commits are, in their order. While nothing is heard, who has written shall read it all the same.
            if let position, !(await heard.wait(for: position, upTo: Self.hearingTime)), !touched.isEmpty { topics.announce(touched) }
            return (value, position)
        } catch {
            throw unavailable(error)
        }
    }

    private func perform<Value>(
        _ body: (PostgresTransaction) throws -> Value, in transaction: PostgresTransaction, for attempt: ActionAttempt?
    ) throws -> (Value, Position?) {
        try attempt?.beginStatements()
        let receipt = receipt(of: attempt)
        // First, so that of two attempts under one key the later one does nothing.
        if let receipt { try claim(receipt, in: transaction, for: attempt) }
        let value = try body(transaction)
        // Also where it found nothing to change: its client shall be shown no less than it has seen.
        if attempt != nil { transaction.drawPosition() }
        try attempt?.beginCommit()
        do {
            let position = try transaction.commit()
            attempt?.markCommitted(withReceipt: receipt != nil, at: position)
            return (value, position)
        } catch {
            // Before it is no longer being committed: whoever gives it up meanwhile must not be told that nothing was done.
            if error as? PostgresError == .commitInDoubt { attempt?.markLost() }
            attempt?.leaveCommit()
            if error as? PostgresError == .commitInDoubt {
                logger.warning("it is not known whether a transaction was committed")
                // It alone may have changed: what else was cached can be given while the database is away.
                topics.announce(transaction.touched)
            }
            throw error
        }
    }

    /// Once its receipt is kept no longer, another attempt under its key may be committed.
    private func doubt(_ attempt: ActionAttempt?) {
        if receipt(of: attempt) != nil { attempt?.beginClaim() }
    }

    /// The receipt that the next transaction of an action keeps; nil where there is none, or it is kept already or elsewhere.
    private func receipt(of attempt: ActionAttempt?) -> ActionReceipt? {
        guard let attempt, !attempt.isReceiptKept, PostgresReceipts(store: self).areWhere(attempt.destination) else { return nil }
        return attempt.receipt
    }

    /// Keeps the receipt of an action. While another attempt under its key is being committed it waits for that: where neither is
    /// kept, nobody knows what will become of the other one.
    private func claim(_ receipt: ActionReceipt, in transaction: PostgresTransaction, for attempt: ActionAttempt?) throws {
        do {
            try PostgresReceipts.keep(receipt, in: transaction)
        } catch let taken as ReceiptTaken {
            attempt?.endClaim(isKept: false)
            throw taken
        }
        attempt?.endClaim(isKept: true)
    }
}
