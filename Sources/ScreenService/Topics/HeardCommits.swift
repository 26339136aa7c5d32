import Synchronization

/// What one of several replicas has heard of the commits of all: up to which position, and how fresh that is.
///
/// Its service store tells it, in the order of the commits. What was computed can be given for as long as it is trusted:
/// after that somebody else's commit may have gone unheard for too long.
package final class HeardCommits: Sendable {
    package typealias Instant = ContinuousClock.Instant

    /// For how long what was heard last can be trusted without a sign that nothing was missed.
    package static let bound = Duration.seconds(3)

    private struct Waiter {
        let position: Position
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var position = Position(number: 0)
        /// Whoever takes one out answers it.
        var waiters: [Int: Waiter] = [:]
        var lastID = 0
    }

    private let state = Mutex(State())
    /// Nanoseconds after `origin`; each request asks.
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

    /// Whether nothing that was committed more than ``bound`` ago can have gone unheard.
    package var isTrusted: Bool { nanoseconds(now()) < trustedUntil.load(ordering: .acquiring) }

    /// Notes that all was heard that had been committed by a time.
    package func trust(since time: Instant) {
        trustedUntil.store(nanoseconds(time + Self.bound), ordering: .releasing)
    }

    /// Notes that everything up to a position was announced.
    package func hear(_ position: Position) {
        let answered = state.withLock { state -> [Waiter] in
            if position > state.position { state.position = position }
            guard !state.waiters.isEmpty else { return [] }
            let answered = state.waiters.filter { $0.value.position <= state.position }
            for id in answered.keys { state.waiters[id] = nil }
            return Array(answered.values)
        }
        for waiter in answered { waiter.continuation.resume(returning: true) }
    }

    /// Notes that commits may have been lost, and their positions be given to others.
    package func forgetPosition() {
        state.withLock { $0.position = Position(number: 0) }
    }

    /// Whether somebody waits for a commit that has not been heard of.
    package var isAwaited: Bool { state.withLock { !$0.waiters.isEmpty } }

    /// Waits until everything up to a position was announced.
    ///
    /// - Returns: false where that has not come in time.
    package func wait(for position: Position, upTo patience: Duration) async -> Bool {
        if self.position >= position { return true }
        return await withCheckedContinuation { continuation in
            let id = state.withLock { state -> Int? in
                if state.position >= position { return nil }
                state.lastID += 1
                state.waiters[state.lastID] = Waiter(position: position, continuation: continuation)
                return state.lastID
            }
            guard let id else { return continuation.resume(returning: true) }
            _ = timers.schedule(after: patience) { [weak self] in
                let waiter = self?.state.withLock { $0.waiters.removeValue(forKey: id) }
                waiter?.continuation.resume(returning: false)
            }
        }
    }

    private func nanoseconds(_ time: Instant) -> Int64 {
        let (seconds, attoseconds) = (time - origin).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
