import Synchronization

/// What one of several replicas has heard of the commits of all: up to which position, and how fresh that is.
///
/// Its service store tells it, in the order of the commits. What was computed can be given for as long as it is trusted:
/// after that somebody else's commit may have gone unheard for too long.
package final class HeardCommits: Sendable {
    package typealias Instant = ContinuousClock.Instant

    /// For how long what was heard last can be trusted without a sign that nothing was missed.
    package static let bound = Duration.seconds(3)

    private typealias Waiting = Waiters<Position, CheckedContinuation<Bool, Never>>

    private struct State {
        var position = Position(number: 0)
        /// Each is resumed by the code that removes it.
        var waiters = Waiting()
        /// The lowest position that was waited for in vain. Until it is heard, waits for it and for later ones fail at once.
        var unheard: Position?

        func isInVain(_ position: Position) -> Bool { unheard.map { position >= $0 } ?? false }
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
        let reached = state.withLock { state in
            if position > state.position { state.position = position }
            if state.isInVain(state.position) { state.unheard = nil }
            return state.waiters.removeAll(upTo: state.position)
        }
        for waiter in reached { waiter.resume(returning: true) }
    }

    /// Notes that commits are heard from now on. Earlier ones may have been lost, and their positions be given to others.
    package func beginHearing() {
        state.withLock { state in (state.position, state.unheard) = (Position(number: 0), nil) }
    }

    /// Notes that no commits are heard: all waits for one fail, and later ones fail at once, until ``beginHearing()``.
    package func endHearing() {
        let waiters = state.withLock { state in
            state.unheard = Position(number: 0)
            return state.waiters.removeAll()
        }
        for waiter in waiters { waiter.resume(returning: false) }
    }

    /// A Boolean value that indicates whether a request waits for a commit. Positions cannot be forged, so the commit is about to be
    /// announced or was lost with a primary; a lost one is waited for only once.
    package var isAwaited: Bool { state.withLock { !$0.waiters.isEmpty } }

    /// Waits until everything up to a position was announced. It fails at once where this position or an earlier one was waited for in vain
    /// and has not been announced since.
    ///
    /// - Returns: false where it was not announced in time.
    package func wait(for position: Position, upTo patience: Duration) async -> Bool {
        await withCheckedContinuation { continuation in
            let (answer, ticket) = state.withLock { state -> (Bool?, Waiting.Ticket?) in
                if state.position >= position { return (true, nil) }
                if state.isInVain(position) { return (false, nil) }
                return (nil, state.waiters.insert(continuation, until: position))
            }
            if let answer { continuation.resume(returning: answer) }
            guard let ticket else { return }
            _ = timers.schedule(after: patience) { [weak self] in self?.giveUp(ticket, position) }
        }
    }

    private func giveUp(_ ticket: Waiting.Ticket, _ position: Position) {
        let waiter = state.withLock { state in
            let waiter = state.waiters.remove(ticket)
            if waiter != nil { state.unheard = min(state.unheard ?? position, position) }
            return waiter
        }
        waiter?.resume(returning: false)
    }

    private func nanoseconds(_ time: Instant) -> Int64 {
        let (seconds, attoseconds) = (time - origin).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
