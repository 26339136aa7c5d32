import ScreenService
import Synchronization

/// Connections to the server, each used by one thread at a time; they are made when they are needed.
///
/// After a failed connection, new attempts pause, longer after each failure. Each lane has threads and connections of its
/// own: while the standby is away commits wait for it, and reads do not wait with them. Within a lane screens share the threads
/// (`BlockingWork`): a screen whose table is locked leaves some to the others.
final class ConnectionPool: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// A kind of work.
    enum Lane {
        /// Transactions that only read.
        case reads
        /// Transactions that may wait for other transactions and for the standby.
        case writes
        /// Look-ups and batches of history.
        case history
        /// Look-ups of receipts.
        case receipts
    }

    fileprivate struct State {
        var idle: [Lane: [PostgresConnection]] = [:]
        var activeCount = 0
        var isClosed = false
        var closers: [CheckedContinuation<Void, Never>] = []
        /// Raised when another server may be the primary: what was connected before is let go of.
        var epoch = 0
        var failureCount = 0
        /// Until then nobody tries to connect.
        var pausingUntil: Instant?
        var reason = ""
    }

    private static let pauses: [Duration] = [.milliseconds(100), .milliseconds(200), .milliseconds(500), .seconds(1)]
    /// The maximum number of transactions of one screen that wait for a connection, for each lane.
    private static let waitingLimit = 4096
    /// A connection for a look-up, and one for a batch.
    private static let historyWidth = 2

    let address: PostgresAddress
    /// How long a statement may take, and all of a transaction.
    let timeLimit: Duration
    private let reads, writes, history, receipts: BlockingWork
    private let state = Mutex(State())

    /// - Parameter width: the maximum number of connections for screens, half of them for writes; two at least. History and
    ///   look-ups of receipts have their own beside them.
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

    /// The number of transactions that wait for a connection, by screen.
    func waitingCounts(in lane: Lane) -> [String: Int] { threads(of: lane).waitingCounts }

    private func threads(of lane: Lane) -> BlockingWork {
        switch lane {
        case .reads: reads
        case .writes: writes
        case .history: history
        case .receipts: receipts
        }
    }

    /// Runs `body` with a connection, on a thread of the pool's. It runs once more with a new one where an old one turns out to
    /// be broken, or that of a server which takes no writes any more: whatever it did is undone. Callers call ``enter()``
    /// before it, and ``leave()`` after it.
    ///
    /// - Parameter mayWait: a Boolean value that indicates whether it waits for a thread where none is free for its screen.
    /// - Throws: what `body` throws; ``PostgresError/unreachable(reason:)``, `BlockingWork.Overload`
    ///   where it was not to wait
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

    /// Runs `body` on a thread of its own, with a connection that it makes itself.
    ///
    /// - Throws: what `body` throws, ``PostgresStoreError/closed``
    func runApart<Value: Sendable>(_ body: @Sendable @escaping () throws -> Value) async throws -> Value {
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
        let (idle, pausing, epoch) = state.withLock { state -> (PostgresConnection?, String?, Int) in
            if let connection = state.idle[lane]?.popLast() { return (connection, nil, state.epoch) }
            return (nil, state.pausingUntil.flatMap { .now < $0 ? state.reason : nil }, state.epoch)
        }
        if let idle { return (idle, false) }
        if let pausing { throw PostgresError.unreachable(reason: pausing) }
        do {
            let connection = try PostgresConnection(to: address, statementTimeout: timeLimit, isForWrites: lane == .writes)
            connection.epoch = epoch
            state.withLock { ($0.failureCount, $0.pausingUntil) = (0, nil) }
            return (connection, true)
        } catch {
            state.withLock { state in
                state.pausingUntil = .now + Self.pauses[min(state.failureCount, Self.pauses.count - 1)]
                state.failureCount += 1
                if case .unreachable(let reason) = error { state.reason = reason }
            }
            throw error
        }
    }

    private func putBack(_ connection: PostgresConnection, for lane: Lane) {
        connection.forgetPrepared(all: false)
        guard connection.isIdle else { return }
        state.withLock { state in
            if !state.isClosed, connection.epoch == state.epoch { state.idle[lane, default: []].append(connection) }
        }
    }

    /// Has all transactions that begin from now on use new connections, as another server may be the primary.
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

    /// Begins a use of the pool, for whose end ``close()`` waits.
    func enter() throws(PostgresStoreError) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.activeCount += 1 }
            return state.isClosed
        }
        if isClosed { throw .closed }
    }

    /// Ends a use of the pool.
    func leave() {
        let closers = state.withLock { state in
            state.activeCount -= 1
            return state.takeClosers()
        }
        for closer in closers { closer.resume() }
    }

    /// Lets nobody in from now on, waits for those inside, then disconnects.
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
    /// Those who wait for its end, where it has come.
    fileprivate mutating func takeClosers() -> [CheckedContinuation<Void, Never>] {
        guard isClosed, activeCount == 0 else { return [] }
        defer { closers = [] }
        return closers
    }
}
