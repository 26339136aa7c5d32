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
        guard let attempt else { return try await write(as: nil, isolation, lane, recorder, body) }
        let storesReceipt = PostgresReceipts(store: self).areWhere(attempt.destination)
        return try await attempt.transaction(announcingTo: topics, storingReceipt: storesReceipt) {
            try await write(as: $0, isolation, lane, recorder, body)
        }
    }

    private func write<Value: Sendable>(
        as action: ActionTransaction?, _ isolation: Isolation, _ lane: ConnectionPool.Lane, _ recorder: ReadRecorder?,
        _ body: @Sendable @escaping (PostgresTransaction) throws -> Value
    ) async throws -> (value: Value, position: Position?) {
        do {
            let (value, position, touched) = try await again(in: lane, beforeRunningAgain: { action?.willRunAgain() }) { [self] connection, deadline in
                let transaction = PostgresTransaction(
                    on: connection, begunBy: [Statement("BEGIN ISOLATION LEVEL \(isolation.rawValue)")], recorder: recorder, until: deadline,
                    isGivenUp: action.map { action in { action.isGivenUp } }
                )
                let (value, position) = try perform(body, in: transaction, as: action)
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
        _ body: (PostgresTransaction) throws -> Value, in transaction: PostgresTransaction, as action: ActionTransaction?
    ) throws -> (Value, Position?) {
        guard let action else { return (try body(transaction), try commit(transaction)) }
        let value = try action.run(storingReceipt: { try PostgresReceipts.keep($0, in: transaction) }) { try body(transaction) }
        // Also where it found nothing to change: its client shall be shown no less than it has seen.
        transaction.drawPosition()
        try action.beginCommit()
        do {
            let position = try commit(transaction)
            action.endCommit(.committed(at: position))
            return (value, position)
        } catch {
            action.endCommit(error as? PostgresError == .commitInDoubt ? .unknown : .undone)
            throw error
        }
    }

    private func commit(_ transaction: PostgresTransaction) throws -> Position? {
        do {
            return try transaction.commit()
        } catch PostgresError.commitInDoubt {
            logger.warning("it is not known whether a transaction was committed")
            // It alone may have changed: what else was cached can be given while the database is away.
            topics.announce(transaction.touched)
            throw PostgresError.commitInDoubt
        }
    }
}
