import Logging
import ScreenService

extension PostgresServiceStore.Database {
    enum Isolation: String {
        case readCommitted = "READ COMMITTED"
        case serialisable = "SERIALIZABLE"
    }

    /// The maximum time for which a write waits until this replica has received the notification about the commit.
    private static let notificationTimeout = Duration.seconds(1)

    /// Runs a write transaction. In an action, the transaction stores the receipt, and is rolled back if the deadline passes before the
    /// commit. Returns the value of `body`, and the position of the commit if it has one.
    ///
    /// - Parameter lane: the lane whose connections are used. A lane other than `.writes` is only for writes that touch no topic and need
    ///   not be durable.
    func write<Value: Sendable>(
        for attempt: ActionAttempt?, isolation: Isolation = .serialisable, in lane: ConnectionPool.Lane = .writes,
        _ recorder: ReadRecorder? = nil, _ body: @Sendable @escaping (PostgresTransaction) throws -> Value
    ) async throws -> (value: Value, position: Position?) {
        guard let attempt else { return try await write(as: nil, isolation, lane, recorder, body) }
        let storesReceipt = PostgresReceipts(store: self).isSameStore(as: attempt.destination)
        return try await attempt.transaction(announcingTo: topics, storingReceipt: storesReceipt) {
            try await write(as: $0, isolation, lane, recorder, body)
        }
    }

    private func write<Value: Sendable>(
        as action: ActionTransaction?, _ isolation: Isolation, _ lane: ConnectionPool.Lane, _ recorder: ReadRecorder?,
        _ body: @Sendable @escaping (PostgresTransaction) throws -> Value
    ) async throws -> (value: Value, position: Position?) {
        do {
            let (value, position, touched) = try await retrying(in: lane, beforeRunningAgain: { action?.willRunAgain() }) {
                [self] connection, deadline in
                let transaction = PostgresTransaction(
                    on: connection, begunBy: [Statement("BEGIN ISOLATION LEVEL \(isolation.rawValue)")], recorder: recorder,
                    until: deadline,
                    isGivenUp: action.map { action in { action.isGivenUp } }
                )
                let (value, position) = try perform(body, in: transaction, isDurable: lane == .writes, as: action)
                return (value, position, transaction.touched)
            }
            activity.noteWrites()
            // Usually, this replica announces the topics when it receives the notification of the commit, and therefore in the order of the
            // commits. If the notification is late, the topics are announced here, so that a later read on this replica shows the commit.
            if let position, !(await received.wait(for: position, upTo: Self.notificationTimeout)), !touched.isEmpty {
                topics.announce(touched)
            }
            return (value, position)
        } catch {
            throw unavailable(error)
        }
    }

    private func perform<Value>(
        _ body: (PostgresTransaction) throws -> Value, in transaction: PostgresTransaction, isDurable: Bool, as action: ActionTransaction?
    ) throws -> (Value, Position?) {
        guard let action else { return (try body(transaction), try commit(transaction, isDurable: isDurable)) }
        let value = try action.run(storingReceipt: { try PostgresReceipts.keep($0, in: transaction) }) { try body(transaction) }
        // The commit has a position even if nothing was changed. The client sends the position with later requests, so that their responses
        // show a state that is at least as new as the state in this action.
        transaction.drawPosition()
        try action.beginCommit()
        do {
            let position = try commit(transaction, isDurable: isDurable)
            action.endCommit(.committed(at: position))
            return (value, position)
        } catch {
            action.endCommit(error as? PostgresError == .commitInDoubt ? .unknown : .undone)
            throw error
        }
    }

    private func commit(_ transaction: PostgresTransaction, isDurable: Bool) throws -> Position? {
        let start = ContinuousClock.now
        do {
            let position = try transaction.commit()
            if isDurable { activity.noteCommit(since: start) }
            return position
        } catch PostgresError.commitInDoubt {
            activity.noteDoubt()
            logger.warning("it is not known whether a transaction was committed")
            // Only the topics of this transaction are announced. Cached views that read none of these topics can still be served while the
            // database is unreachable.
            topics.announce(transaction.touched)
            throw PostgresError.commitInDoubt
        }
    }
}
