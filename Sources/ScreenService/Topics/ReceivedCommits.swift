import Synchronization

/// The position of the last commit that was reported to this replica, and the time until which this report is trusted.
///
/// The service store reports the commits of all replicas in order. If ``bound`` has passed without a report, other replicas may have
/// committed unnoticed. In this case, cached results are not used until the next report.
package final class ReceivedCommits: Sendable {
    package typealias Instant = ContinuousClock.Instant

    /// The time for which a report is trusted.
    package static let bound = Duration.seconds(3)

    private struct Waiter {
        let id: Int
        let position: Position
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var position = Position(number: 0)
        /// The waiters in descending order of positions and ids. The next waiters to resume are at the end of the array. The code that
        /// removes a waiter must also resume it.
        var waiters: [Waiter] = []
        var lastID = 0
        /// The lowest position for which a wait has timed out. Until this position is announced, waits for this position and for later
        /// positions fail immediately.
        var missing: Position?

        func isMissing(_ position: Position) -> Bool { missing.map { position >= $0 } ?? false }

        /// Inserts a waiter.
        ///
        /// - Returns: The identifier of the waiter.
        mutating func insert(_ continuation: CheckedContinuation<Bool, Never>, for position: Position) -> Int {
            lastID += 1
            waiters.insert(Waiter(id: lastID, position: position, continuation: continuation), at: index(of: lastID, at: position))
            return lastID
        }

        /// Removes and returns the waiters for all positions up to the current position, in ascending order.
        mutating func removeReached() -> [Waiter] {
            var reached: [Waiter] = []
            while let last = waiters.last, last.position <= position { reached.append(waiters.removeLast()) }
            return reached
        }

        mutating func remove(_ id: Int, at position: Position) -> Waiter? {
            let index = index(of: id, at: position)
            return waiters.indices.contains(index) && waiters[index].id == id ? waiters.remove(at: index) : nil
        }

        /// Returns the index of a waiter, by binary search. If there is no such waiter, returns the index at which it must be inserted.
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
    /// The time until which reports are trusted, in nanoseconds after `origin`. It is atomic, because every request reads it.
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

    /// The position of the last commit that was announced.
    package var position: Position { state.withLock { $0.position } }

    /// A Boolean value that indicates whether all commits that are older than ``bound`` have been announced.
    package var isTrusted: Bool { nanoseconds(now()) < trustedUntil.load(ordering: .acquiring) }

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

    /// Records that this replica receives all commits from now on. Earlier commits may have been lost, and their positions may be assigned
    /// again.
    package func beginReceiving() {
        state.withLock { state in (state.position, state.missing) = (Position(number: 0), nil) }
    }

    /// Records that this replica no longer receives commits. All current waits fail. New waits fail immediately until
    /// ``beginReceiving()`` is called.
    package func endReceiving() {
        let waiters = state.withLock { state in
            state.missing = Position(number: 0)
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.continuation.resume(returning: false) }
    }

    /// A Boolean value that indicates whether a request waits for a commit.
    ///
    /// Clients cannot forge positions. Therefore an awaited commit is about to be announced, or it was lost with a primary server. After
    /// the first wait for a lost commit has timed out, later requests do not wait for this commit.
    package var isAwaited: Bool { state.withLock { !$0.waiters.isEmpty } }

    /// Waits until all commits up to a position have been announced.
    ///
    /// Returns `false` immediately if an earlier wait for this position or for a lower position has timed out and the position of the
    /// earlier wait is still not announced.
    ///
    /// - Returns: `false` if the position was not announced in time.
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

    /// Ends a wait that has timed out, unless the wait has already ended.
    private func endWait(_ id: Int, at position: Position) {
        let waiter = state.withLock { state -> Waiter? in
            guard let waiter = state.remove(id, at: position) else { return nil }
            state.missing = min(state.missing ?? position, position)
            return waiter
        }
        waiter?.continuation.resume(returning: false)
    }

    private func nanoseconds(_ time: Instant) -> Int64 {
        let (seconds, attoseconds) = (time - origin).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
