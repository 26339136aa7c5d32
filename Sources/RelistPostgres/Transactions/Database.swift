import Logging
import ScreenService
import Synchronization

extension PostgresServiceStore {
    /// The connections to the database, and the listener for the commits of all replicas.
    final class Database: Sendable {
        typealias ReceiptLookups = BatchedLookups<ActionReceipt.Key, ActionReceipt>

        let topics: Topics
        let received = ReceivedCommits()
        let pool: ConnectionPool
        /// The look-ups of receipts in progress. All look-ups of a batch share one durable commit.
        let durableReceipts = ReceiptLookups(batchLimit: 256, waitingLimit: 4096)
        private let listener: CommitListener
        let logger: Logger
        private let loggedAt = Mutex<ContinuousClock.Instant?>(nil)
        let activity = StoreActivity()

        init(pool: ConnectionPool, logger: Logger) {
            self.pool = pool
            self.logger = logger
            topics = Topics(received: received)
            listener = CommitListener(to: pool.address, topics: topics, received: received, logger: logger) { [pool] in pool.renew() }
        }

        func listen() async {
            await listener.start()
        }

        func checkReadable() async throws {
            // The connection of the listener is checked first, because a read from an unreachable database hangs.
            guard received.isTrusted else { throw DataUnavailable(reason: "commits of other replicas are not received") }
            do {
                // The statement reads no table, so it succeeds while a table is locked. Screens that do not read this table can be served.
                try await read(nil, mayWait: false) { try $0.row(of: nil, "SELECT 1") { _ in } }
            } catch is BlockingWork.Overload {
                // An overload is ignored. It can mean that all threads wait for locked tables, and the heartbeat shows that the server
                // responds.
            }
        }

        var counts: StoreCounts {
            var counts = activity.counts
            counts.waitingReads = pool.waitingCounts(in: .reads)
            counts.waitingWrites = pool.waitingCounts(in: .writes).values.reduce(0, +)
            for lane in ConnectionPool.Lane.allCases { counts.busyConnections[lane.rawValue] = pool.busyCount(in: lane) }
            return counts
        }

        func close() async {
            await listener.stop()
            await pool.close()
        }
    }
}

// MARK: - Reading

extension PostgresServiceStore.Database {
    private static let reading = [Statement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")]

    /// Runs a read transaction. ``ConnectionPool/run(in:mayWait:_:)`` explains `mayWait`.
    func read<Value: Sendable>(
        _ recorder: ReadRecorder?, in lane: ConnectionPool.Lane = .reads, mayWait: Bool = true,
        _ body: @Sendable @escaping (PostgresTransaction) throws -> Value
    ) async throws -> Value {
        let cancellation = Cancellation()
        do {
            let value = try await withTaskCancellationHandler {
                try await retrying(in: lane, mayWait: mayWait) { connection, deadline in
                    try cancellation.check()
                    let transaction = PostgresTransaction(
                        on: connection, begunBy: Self.reading, isReadOnly: true, recorder: recorder, until: deadline,
                        isGivenUp: { cancellation.isCancelled }
                    )
                    do {
                        let value = try body(transaction)
                        _ = try transaction.commit()
                        return value
                    } catch PostgresError.readOnly {
                        // The body has tried to write.
                        throw PostgresStoreError.writeInRead
                    }
                }
            } onCancel: {
                cancellation.cancel()
            }
            activity.noteRead()
            return value
        } catch {
            try cancellation.check()
            throw unavailable(error)
        }
    }

    /// Runs a transaction. After a temporary error, the transaction is rolled back and runs again. After a conflict with another
    /// transaction, this function first pauses. During the pause, it holds no connection and blocks no thread, but ``close()`` waits for
    /// it. `beforeRunningAgain` is called before the rollback of a transaction that may run again.
    func retrying<Value: Sendable>(
        in lane: ConnectionPool.Lane, mayWait: Bool = true, beforeRunningAgain: @Sendable @escaping () -> Void = {},
        _ transaction: @Sendable @escaping (PostgresConnection, _ deadline: PostgresConnection.Instant) throws -> Value
    ) async throws -> Value {
        try pool.enter()
        defer { pool.leave() }
        var (deadline, conflictCount): (PostgresConnection.Instant?, Int) = (nil, 0)
        while true {
            let outcome = try await pool.run(in: lane, mayWait: mayWait) { [self, deadline] connection in
                // The deadline may have passed while the transaction waited for a connection.
                if let deadline, .now >= deadline { throw PostgresError.serialisation }
                let deadline = deadline ?? .now + pool.timeLimit
                return try attempt(on: connection, until: deadline, beforeRunningAgain, transaction)
            }
            switch outcome {
            case .done(let value): return value
            case .conflict(let end): deadline = end
            }
            conflictCount += 1
            activity.noteRetry()
            // The duration is random, so that two transactions that conflicted do not conflict again.
            await pause(.microseconds(Int.random(in: 0...1000 << min(conflictCount, 6))))
        }
    }

    /// The outcome of a transaction.
    private enum TransactionOutcome<Value: Sendable>: Sendable {
        case done(Value)
        /// The transaction conflicted with another transaction. It may run again until the deadline.
        case conflict(until: PostgresConnection.Instant)
    }

    private func attempt<Value>(
        on connection: PostgresConnection, until deadline: PostgresConnection.Instant, _ beforeRunningAgain: () -> Void,
        _ transaction: (PostgresConnection, _ deadline: PostgresConnection.Instant) throws -> Value
    ) throws -> TransactionOutcome<Value> {
        var failureCount = 0
        while true {
            do {
                return .done(try transaction(connection, deadline))
            } catch {
                if (error as? PostgresError)?.isRetried == true { beforeRunningAgain() }
                if !connection.isIdle, !connection.isBroken { try? connection.script("ROLLBACK", until: .now + .seconds(2)) }
                guard let transient = error as? PostgresError, transient.isTransient, .now < deadline else { throw error }
                if transient == .serialisation { return .conflict(until: deadline) }
                failureCount += 1
                guard failureCount < 3 else { throw error }
                connection.deallocateStatements(all: true)
            }
        }
    }

    /// Sleeps for a duration, even in a cancelled task, because a write that has begun is not cancelled.
    private func pause(_ duration: Duration) async {
        await Task.detached { try? await Task.sleep(for: duration) }.value
    }
}

// MARK: - Errors

extension PostgresServiceStore.Database {
    /// Returns `DataUnavailable` for a temporary error and for damaged rows, and logs the cause. Returns any other error unchanged.
    func unavailable(_ error: any Error) -> any Error {
        if case .unreadable? = error as? RecordValueError {
            if isTimeToLog() { logger.error("the database is damaged", metadata: ["error": "\(error)"]) }
            return DataUnavailable(reason: "the database is damaged")
        }
        guard let error = error as? PostgresError else { return error }
        let unavailable = error.unavailable
        // The message of the server is for operators, not for clients.
        if unavailable != nil, isTimeToLog() { logger.warning("the database could not be used", metadata: ["error": "\(error)"]) }
        return unavailable ?? error
    }

    /// Returns true at most once per second, so that a repeated error does not fill the log.
    private func isTimeToLog() -> Bool {
        loggedAt.withLock { time in
            guard time.map({ .now - $0 >= .seconds(1) }) ?? true else { return false }
            time = .now
            return true
        }
    }
}

extension PostgresError {
    /// The error for clients if this error is temporary; otherwise `nil`.
    fileprivate var unavailable: DataUnavailable? {
        switch self {
        case .unreachable: return DataUnavailable(reason: "the database cannot be reached")
        case .serialisation: return DataUnavailable(reason: "the database is busy")
        case .readOnly: return DataUnavailable(reason: "the database takes no writes now")
        case .tooSlow: return DataUnavailable(reason: "the transaction was stopped")
        case .locked: return DataUnavailable(reason: "another transaction holds a lock")
        case .commitInDoubt: return DataUnavailable(reason: "it is not known whether it was committed")
        // The error has class 53: there is no space or no memory.
        case .refused(let state, _) where state.hasPrefix("53"): return DataUnavailable(reason: "the database has no room")
        case .constraint, .refused: return nil
        }
    }
}

// MARK: - Locks

/// A dedicated connection that holds a lock. Its commits do not wait for the disk or the standby.
struct LockedConnection {
    fileprivate let connection: PostgresConnection
    fileprivate let timeLimit: Duration
    fileprivate let isGivenUp: () -> Bool

    /// Runs statements, each in its own transaction.
    func run(_ statements: [Statement], for limit: Duration? = nil) throws(PostgresError) -> [PostgresResult] {
        try connection.run(statements, until: .now + (limit ?? timeLimit), isGivenUp: isGivenUp)
    }
}

extension PostgresServiceStore.Database {
    /// Runs `body` while this replica holds a lock, or returns `nil` if another replica holds it. A dedicated connection and thread are
    /// used, so that no client waits for `body`. Statements are cancelled when the task is cancelled or the store is closed.
    func holding<Value: Sendable>(
        _ lock: AdvisoryLock, atMost longest: Duration, _ body: @Sendable @escaping (LockedConnection) throws -> Value
    ) async throws -> Value? {
        let cancellation = Cancellation()
        do {
            return try await withTaskCancellationHandler {
                try await pool.runOnDedicatedThread { [pool] in
                    try cancellation.check()
                    let connection = try PostgresConnection(to: pool.address, statementTimeout: longest)
                    let locked = LockedConnection(connection: connection, timeLimit: pool.timeLimit) {
                        cancellation.isCancelled || pool.isClosed
                    }
                    return try locked.run([Statement("SET synchronous_commit = off"), lock.tryLock])[1].row(0)[0] ? body(locked) : nil
                }
            } onCancel: {
                cancellation.cancel()
            }
        } catch {
            try cancellation.check()
            throw unavailable(error)
        }
    }
}

extension PostgresServiceStore.Database {
    func candidate(for lock: AdvisoryLock) async throws -> Candidate {
        try await Candidate(for: lock, at: pool.address, timeLimit: .seconds(2))
    }
}
