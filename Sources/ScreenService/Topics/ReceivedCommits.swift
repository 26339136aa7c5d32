import Synchronization

/// The position of the last commit that was announced to this replica.
///
/// The service store announces the commits of all replicas in order, and regularly reports that none is missing. A report is trusted for
/// the duration ``bound``. After this time, other replicas may have committed unnoticed, so cached results are not used until the next
/// report.
///
/// Requests can wait for the announcement of a position. Clients cannot forge positions, so an awaited commit is about to be announced, or
/// it was lost with a primary server. After one wait has timed out, the position counts as missing: waits for this position and for later
/// positions fail immediately until it is announced.
package final class ReceivedCommits: Sendable {
    package typealias Instant = ContinuousClock.Instant

    package static let bound = Duration.seconds(3)

    private struct Waiter {
        let id: Int
        let position: Position
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var position = Position(number: 0)
        /// The waiters, with the lowest position at the end. The code that removes a waiter must resume it.
        var waiters: [Waiter] = []
        var lastID = 0
        /// The first position that counts as missing, or `nil` if there is none. A wait for this position or for a later position fails
        /// immediately.
        var missing: Position?

        func isMissing(_ position: Position) -> Bool { missing.map { position >= $0 } ?? false }

        mutating func insert(_ continuation: CheckedContinuation<Bool, Never>, for position: Position) -> Int {
            lastID += 1
            waiters.insert(Waiter(id: lastID, position: position, continuation: continuation), at: index(of: lastID, at: position))
            return lastID
        }

        mutating func removeReached() -> [Waiter] {
            var reached: [Waiter] = []
            while let last = waiters.last, last.position <= position { reached.append(waiters.removeLast()) }
            return reached
        }

        mutating func remove(_ id: Int, at position: Position) -> Waiter? {
            let index = index(of: id, at: position)
            return waiters.indices.contains(index) && waiters[index].id == id ? waiters.remove(at: index) : nil
        }

        /// Returns the index of a waiter, or the index at which it must be inserted.
        private func index(of id: Int, at position: Position) -> Int {
            var (low, high) = (0, waiters.count)
            while low < high {
                let middle = (low + high) / 2
                let isEarlier = (waiters[middle].position, waiters[middle].id) > (position, id)
                if isEarlier { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    private let state = Mutex(State())
    /// The time until which the last report is trusted, in nanoseconds after `origin`. It is atomic, because every request reads it.
    private let trustedUntil = Atomic<Int64>(0)
    private let origin: Instant
    private let now: @Sendable () -> Instant
    private let timers: Timers

    package convenience init() {
        self.init(now: { .now }, timers: Timers())
    }

    init(now: @escaping @Sendable () -> Instant, timers: Timers) {
        self.now = now
        self.timers = timers
        origin = now()
    }

    package var position: Position { state.withLock { $0.position } }

    /// A Boolean value that indicates whether all commits that are older than ``bound`` have been announced.
    package var isTrusted: Bool { nanoseconds(now()) < trustedUntil.load(ordering: .acquiring) }

    /// The time since the last report that no commit is missing. Before the first report, it is the time since the creation of this object.
    package var heartbeatAge: Duration {
        let last = max(trustedUntil.load(ordering: .acquiring) - Self.nanoseconds(of: Self.bound), 0)
        return .nanoseconds(nanoseconds(now()) - last)
    }

    /// Records that all commits that were made before `time` have been announced.
    package func trust(since time: Instant) {
        trustedUntil.store(nanoseconds(time + Self.bound), ordering: .releasing)
    }

    /// Records that all commits up to a position have been announced.
    package func receive(_ position: Position) {
        let reached = state.withLock { state in
            state.position = max(state.position, position)
            if state.isMissing(state.position) { state.missing = nil }
            return state.removeReached()
        }
        for waiter in reached { waiter.continuation.resume(returning: true) }
    }

    /// Records that this replica receives all commits from now on. The recorded positions are discarded: if a primary server has lost
    /// commits, its successor may assign their positions to other commits.
    package func beginReceiving() {
        state.withLock { state in (state.position, state.missing) = (Position(number: 0), nil) }
    }

    /// Records that this replica no longer receives commits. All waits fail until ``beginReceiving()`` is called.
    package func endReceiving() {
        let waiters = state.withLock { state in
            state.missing = Position(number: 0)
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.continuation.resume(returning: false) }
    }

    /// A Boolean value that indicates whether a request waits for a commit.
    package var isAwaited: Bool { state.withLock { !$0.waiters.isEmpty } }

    /// Waits until all commits up to a position have been announced.
    ///
    /// - Returns: `false` if the wait has timed out, or if the position counts as missing.
    package func wait(for position: Position, upTo timeout: Duration) async -> Bool {
        await withCheckedContinuation { continuation in
            let (result, id) = state.withLock { state -> (Bool?, Int?) in
                if state.position >= position { return (true, nil) }
                if state.isMissing(position) { return (false, nil) }
                return (nil, state.insert(continuation, for: position))
            }
            if let result { continuation.resume(returning: result) }
            guard let id else { return }
            _ = timers.schedule(after: timeout) { [weak self] in self?.endWait(id, at: position) }
        }
    }

    private func endWait(_ id: Int, at position: Position) {
        let waiter = state.withLock { state -> Waiter? in
            guard let waiter = state.remove(id, at: position) else { return nil }
            state.missing = min(state.missing ?? position, position)
            return waiter
        }
        waiter?.continuation.resume(returning: false)
    }

    private func nanoseconds(_ time: Instant) -> Int64 { Self.nanoseconds(of: time - origin) }

    private static func nanoseconds(of duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
