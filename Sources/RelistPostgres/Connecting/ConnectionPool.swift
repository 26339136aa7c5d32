import ScreenService
import Synchronization

/// A pool of connections to the server. Each connection is opened when it is needed, and used by one thread at a time. After a failure to
/// connect, the next attempt is delayed.
///
/// Each lane (a kind of work) has its own threads and connections. If reads and writes shared threads, reads would wait for commits,
/// because commits wait for the standby server. Within a lane, `BlockingWork` divides the threads among the screens. If a screen waits for
/// a locked table, some threads remain for other screens.
///
/// When a different server may have become the primary, ``renew()`` begins a new epoch. Connections of an earlier epoch are not used again.
final class ConnectionPool: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// A kind of work, which has its own threads and connections.
    enum Lane: String, CaseIterable {
        case reads
        /// Transactions that write. They can wait for other transactions and for the standby server.
        case writes
        /// Look-ups of history, and writes of batches of history.
        case history
        case receipts
    }

    fileprivate struct State {
        var idle: [Lane: [PostgresConnection]] = [:]
        var activeCount = 0
        var isClosed = false
        var closers: [CheckedContinuation<Void, Never>] = []
        var epoch = 0
        var failureCount = 0
        /// The time of the next attempt to connect; `nil` if an attempt is possible at once.
        var nextAttempt: Instant?
        var lastFailureReason = ""
    }

    /// The delays after consecutive failures to connect. The last delay applies to all further failures.
    private static let delays: [Duration] = [.milliseconds(100), .milliseconds(200), .milliseconds(500), .seconds(1)]
    /// The maximum number of transactions of one screen that wait for a connection in one lane.
    private static let waitingLimit = 4096
    /// The number of connections for history: one for look-ups and one for batches.
    private static let historyWidth = 2

    /// Returns the maximum number of connections of a store: those of a pool with this width, and one each for notifications and for the
    /// removal of old records.
    static func connectionCount(width: Int) -> Int { max(2, width) + historyWidth + 1 + 2 }

    let address: PostgresAddress
    /// The maximum duration of a statement, and of a whole transaction.
    let timeLimit: Duration
    private let reads, writes, history, receipts: BlockingWork
    private let state = Mutex(State())

    /// Creates a pool without connections. `width` is the maximum number of connections for screens, at least two. Half of these
    /// connections are for writes. History and look-ups of receipts have additional connections.
    init(to address: PostgresAddress, width: Int, timeLimit: Duration) {
        self.address = address
        self.timeLimit = timeLimit
        let writingWidth = max(1, width / 2)
        reads = BlockingWork(width: max(1, width - writingWidth), waitingLimit: Self.waitingLimit, isShared: true)
        writes = BlockingWork(width: writingWidth, waitingLimit: Self.waitingLimit, isShared: true)
        history = BlockingWork(width: Self.historyWidth, waitingLimit: Self.waitingLimit)
        receipts = BlockingWork(width: 1, waitingLimit: Self.waitingLimit)
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Returns the number of transactions in a lane that wait for a connection, for each screen.
    func waitingCounts(in lane: Lane) -> [String: Int] { threads(of: lane).waitingCounts }

    /// Returns the number of connections of a lane that run a transaction.
    func busyCount(in lane: Lane) -> Int { threads(of: lane).busyCount }

    private func threads(of lane: Lane) -> BlockingWork {
        switch lane {
        case .reads: reads
        case .writes: writes
        case .history: history
        case .receipts: receipts
        }
    }

    /// Runs `body` with a connection, on a thread of the pool. If an idle connection is broken, or its server is no longer the primary,
    /// `body` runs once more with a new connection. The caller must call ``enter()`` before this function, and ``leave()`` afterwards.
    ///
    /// If no thread is free for the current screen, this function waits. If `mayWait` is false, it throws `BlockingWork.Overload` instead.
    func run<Value: Sendable>(
        in lane: Lane, mayWait: Bool = true, _ body: @Sendable @escaping (PostgresConnection) throws -> Value
    ) async throws -> Value {
        do {
            return try await threads(of: lane).run(for: CurrentScreen.name, mayWait: mayWait) { try self.runOnThread(in: lane, body) }
        } catch let overload as BlockingWork.Overload {
            guard mayWait else { throw overload }
            throw DataUnavailable(reason: "too many transactions wait")
        }
    }

    /// Runs `body` on a dedicated thread. `body` opens its own connection.
    func runOnDedicatedThread<Value: Sendable>(_ body: @Sendable @escaping () throws -> Value) async throws -> Value {
        try enter()
        defer { leave() }
        return try await BlockingWork(width: 1, waitingLimit: 1).run(body)
    }

    private func runOnThread<Value>(in lane: Lane, _ body: (PostgresConnection) throws -> Value) throws -> Value {
        let (connection, isNew) = try connected(for: lane)
        do {
            defer { putBack(connection, for: lane) }
            return try body(connection)
        } catch PostgresError.unreachable where !isNew, PostgresError.readOnly where !isNew {
            dropIdle()
            let (connection, _) = try connected(for: lane)
            defer { putBack(connection, for: lane) }
            return try body(connection)
        } catch PostgresError.readOnly {
            dropIdle()
            throw PostgresError.readOnly
        }
    }

    private func connected(for lane: Lane) throws -> (PostgresConnection, isNew: Bool) {
        let (idle, recentReason, epoch) = state.withLock { state -> (PostgresConnection?, String?, Int) in
            if let connection = state.idle[lane]?.popLast() { return (connection, nil, state.epoch) }
            return (nil, state.nextAttempt.flatMap { .now < $0 ? state.lastFailureReason : nil }, state.epoch)
        }
        if let idle { return (idle, false) }
        if let recentReason { throw PostgresError.unreachable(reason: recentReason) }
        do {
            let connection = try PostgresConnection(to: address, statementTimeout: timeLimit, isForWrites: lane == .writes)
            connection.epoch = epoch
            state.withLock { ($0.failureCount, $0.nextAttempt) = (0, nil) }
            return (connection, true)
        } catch {
            state.withLock { state in
                state.nextAttempt = .now + Self.delays[min(state.failureCount, Self.delays.count - 1)]
                state.failureCount += 1
                if case .unreachable(let reason) = error { state.lastFailureReason = reason }
            }
            throw error
        }
    }

    private func putBack(_ connection: PostgresConnection, for lane: Lane) {
        connection.deallocateStatements(all: false)
        guard connection.isIdle else { return }
        state.withLock { state in
            if !state.isClosed, connection.epoch == state.epoch { state.idle[lane, default: []].append(connection) }
        }
    }

    /// Begins a new epoch. Idle connections are discarded at once, and all other connections after their current transactions.
    func renew() {
        state.withLock { $0.epoch += 1 }
        dropIdle()
    }

    private func dropIdle() {
        let dropped = state.withLock { state in
            defer { state.idle = [:] }
            return state.idle
        }
        withExtendedLifetime(dropped) {}
    }

    /// Begins a use of the pool. ``close()`` waits until all uses have ended.
    func enter() throws(PostgresStoreError) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.activeCount += 1 }
            return state.isClosed
        }
        if isClosed { throw .closed }
    }

    func leave() {
        let closers = state.withLock { state in
            state.activeCount -= 1
            return state.takeClosers()
        }
        for closer in closers { closer.resume() }
    }

    /// Rejects new uses of the pool, waits until the current uses have ended, and closes the connections.
    func close() async {
        await withCheckedContinuation { continuation in
            let closers = state.withLock { state in
                state.isClosed = true
                state.closers.append(continuation)
                return state.takeClosers()
            }
            for closer in closers { closer.resume() }
        }
        dropIdle()
    }
}

extension ConnectionPool.State {
    /// Removes and returns the continuations that wait in ``ConnectionPool/close()``. Returns none until the pool is closed and unused.
    fileprivate mutating func takeClosers() -> [CheckedContinuation<Void, Never>] {
        guard isClosed, activeCount == 0 else { return [] }
        defer { closers = [] }
        return closers
    }
}
