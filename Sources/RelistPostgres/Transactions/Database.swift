import Logging
import ScreenService
import Synchronization

extension PostgresServiceStore {
    /// The connections to the database, and what this replica hears of it.
    final class Database: Sendable {
        typealias ReceiptLookups = BatchedLookups<ActionReceipt.Key, ActionReceipt>

        let topics: Topics
        let heard = HeardCommits()
        let pool: ConnectionPool
        /// Look-ups of receipts that end with a durable commit: concurrent ones share it, as commits wait for each other.
        let durableReceipts = ReceiptLookups(batchLimit: 256, waitingLimit: 4096)
        private let listener: CommitListener
        let logger: Logger
        private let loggedAt = Mutex<ContinuousClock.Instant?>(nil)
        private let retryCount = Atomic(0)

        init(pool: ConnectionPool, logger: Logger) {
            self.pool = pool
            self.logger = logger
            topics = Topics(heard: heard)
            listener = CommitListener(to: pool.address, topics: topics, heard: heard, logger: logger) { [pool] in pool.renew() }
        }

        /// Begins to hear what is committed.
        func listen() async {
            await listener.start()
        }

        func checkReadable() async throws {
            // At once, as a read of a database that is cut off hangs.
            guard heard.isTrusted else { throw DataUnavailable(reason: "what other replicas commit is not heard") }
            do {
                // No table is read: a locked table does not keep a screen that reads others from being served.
                try await read(nil, mayWait: false) { try $0.row(of: nil, "SELECT 1") { _ in } }
            } catch is BlockingWork.Overload {
                // All threads may wait for locked tables. The heartbeat shows that the server answers.
            }
        }

        var counts: StoreCounts {
            StoreCounts(waitingReads: pool.waitingCounts(in: .reads), retries: retryCount.load(ordering: .relaxed))
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

    /// Runs a read transaction.
    ///
    /// - Parameter mayWait: see ``ConnectionPool/run(in:mayWait:_:)``.
    func read<Value: Sendable>(
        _ recorder: ReadRecorder?, in lane: ConnectionPool.Lane = .reads, mayWait: Bool = true,
        _ body: @Sendable @escaping (PostgresTransaction) throws -> Value
    ) async throws -> Value {
        let cancellation = Cancellation()
        do {
            return try await withTaskCancellationHandler {
                try await again(in: lane, mayWait: mayWait) { connection, deadline in
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
                        // Not the server's fault.
                        throw PostgresStoreError.writeInRead
                    }
                }
            } onCancel: {
                cancellation.cancel()
            }
        } catch {
            try cancellation.check()
            throw unavailable(error)
        }
    }

    /// Runs a transaction, and again where it may succeed then. A failed one is rolled back. After a conflict it waits without a connection
    /// and without a thread; ``close()`` waits for it then, too.
    ///
    /// - Parameter beforeRunningAgain: called before what has failed is undone, where it may run again, on this connection or on another one.
    func again<Value: Sendable>(
        in lane: ConnectionPool.Lane, mayWait: Bool = true, beforeRunningAgain: @Sendable @escaping () -> Void = {},
        _ transaction: @Sendable @escaping (PostgresConnection, _ deadline: PostgresConnection.Instant) throws -> Value
    ) async throws -> Value {
        try pool.enter()
        defer { pool.leave() }
        var (deadline, conflictCount): (PostgresConnection.Instant?, Int) = (nil, 0)
        while true {
            let outcome = try await pool.run(in: lane, mayWait: mayWait) { [self, deadline] connection in
                // It may have waited for the connection until after its deadline.
                if let deadline, .now >= deadline { throw PostgresError.serialisation }
                let deadline = deadline ?? .now + pool.timeLimit
                return try attempt(on: connection, until: deadline, beforeRunningAgain, transaction)
            }
            switch outcome {
            case .done(let value): return value
            case .conflict(let end): deadline = end
            }
            conflictCount += 1
            retryCount.add(1, ordering: .relaxed)
            // A random time, so that the same transactions do not conflict again.
            await pause(.microseconds(Int.random(in: 0...1000 << min(conflictCount, 6))))
        }
    }

    /// The outcome of a transaction.
    private enum TransactionOutcome<Value: Sendable>: Sendable {
        case done(Value)
        /// The transaction conflicted with another one. It may run again until the deadline.
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
                let isTriedAgain = (error as? PostgresError)?.isTriedAgain ?? false
                if isTriedAgain { beforeRunningAgain() }
                if !connection.isIdle, !connection.isBroken { try? connection.script("ROLLBACK", until: .now + .seconds(2)) }
                guard let passing = error as? PostgresError, passing.isPassing, .now < deadline else { throw error }
                if passing == .serialisation { return .conflict(until: deadline) }
                failureCount += 1
                guard failureCount < 3 else { throw error }
                connection.forgetPrepared(all: true)
            }
        }
    }

    /// Sleeps, also in a task that is cancelled: a write that has begun goes on.
    private func pause(_ duration: Duration) async {
        await Task.detached { try? await Task.sleep(for: duration) }.value
    }
}

// MARK: - Errors

extension PostgresServiceStore.Database {
    /// What passes by itself or once somebody brings the server back is told as such; the rest stays as it is.
    func unavailable(_ error: any Error) -> any Error {
        if case .unreadable? = error as? RecordValueError {
            if isTimeToLog() { logger.error("the database is damaged", metadata: ["error": "\(error)"]) }
            return DataUnavailable(reason: "the database is damaged")
        }
        guard let error = error as? PostgresError else { return error }
        let unavailable = error.unavailable
        // What the server says is for operators.
        if unavailable != nil, isTimeToLog() { logger.warning("the database could not be used", metadata: ["error": "\(error)"]) }
        return unavailable ?? error
    }

    /// Once a second at most: what is wrong is so for all who ask.
    private func isTimeToLog() -> Bool {
        loggedAt.withLock { time in
            guard time.map({ .now - $0 >= .seconds(1) }) ?? true else { return false }
            time = .now
            return true
        }
    }
}

extension PostgresError {
    /// What is told of what passes by itself or once somebody brings the server back; nil for anything else.
    fileprivate var unavailable: DataUnavailable? {
        switch self {
        case .unreachable: return DataUnavailable(reason: "the database cannot be reached")
        case .serialisation: return DataUnavailable(reason: "the database is busy")
        case .readOnly: return DataUnavailable(reason: "the database takes no writes now")
        case .tooSlow: return DataUnavailable(reason: "the transaction was stopped")
        case .locked: return DataUnavailable(reason: "another transaction holds a lock")
        case .commitInDoubt: return DataUnavailable(reason: "it is not known whether it was committed")
        // Of class 53: no space, no memory.
        case .refused(let state, _) where state.hasPrefix("53"): return DataUnavailable(reason: "the database has no room")
        case .constraint, .refused: return nil
        }
    }
}

// MARK: - Locks

/// A connection of its own that holds a lock. What it commits waits for no standby.
struct LockedConnection {
    fileprivate let connection: PostgresConnection
    fileprivate let timeLimit: Duration
    fileprivate let isGivenUp: () -> Bool

    /// Runs statements, each committed by itself, for as long as one for a client may take where nothing else is said.
    func run(_ statements: [Statement], for limit: Duration? = nil) throws(PostgresError) -> [PostgresResult] {
        try connection.run(statements, until: .now + (limit ?? timeLimit), isGivenUp: isGivenUp)
    }
}

extension PostgresServiceStore.Database {
    /// Runs `body` while it holds a lock, on a connection and a thread of its own: no client waits for either. What it runs is
    /// stopped when the task is cancelled or the store is closed.
    ///
    /// - Parameter longest: how long a statement may take at most.
    /// - Returns: nil where another replica holds the lock.
    func holding<Value: Sendable>(
        _ lock: AdvisoryLock, atMost longest: Duration, _ body: @Sendable @escaping (LockedConnection) throws -> Value
    ) async throws -> Value? {
        let cancellation = Cancellation()
        do {
            return try await withTaskCancellationHandler {
                try await pool.runApart { [pool] in
                    try cancellation.check()
                    let connection = try PostgresConnection(to: pool.address, statementTimeout: longest)
                    let locked = LockedConnection(connection: connection, timeLimit: pool.timeLimit) { cancellation.isCancelled || pool.isClosed }
                    return try locked.run([Statement("SET synchronous_commit = off"), lock.asking])[1].row(0)[0] ? body(locked) : nil
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
    /// How long it may take to find out whether a replica leads.
    private static let leadingLimit = Duration.seconds(2)

    /// - Throws: ``PostgresError``
    func candidate(for lock: AdvisoryLock) async throws -> Candidate {
        try await Candidate(for: lock, at: pool.address, timeLimit: Self.leadingLimit)
    }
}
