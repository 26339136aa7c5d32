import Synchronization

/// Timers of one duration, with one task that sleeps for all.
///
/// A sleeping task for each would stay in the system's queue until its time comes, though it is cancelled.
final class Timers: Sendable {
    typealias Instant = ContinuousClock.Instant

    private struct State {
        /// In the order of their times, with those that were cancelled.
        var pending: [(time: Instant, id: Int)] = []
        /// Of those that were not cancelled.
        var calls: [Int: @Sendable () -> Void] = [:]
        var lastID = 0
        var isSleeping = false
    }

    private let duration: Duration
    private let now: @Sendable () -> Instant
    private let sleep: @Sendable (_ until: Instant) async -> Void
    private let state = Mutex(State())

    init(
        _ duration: Duration, now: @escaping @Sendable () -> Instant = { .now },
        sleep: @escaping @Sendable (_ until: Instant) async -> Void = { try? await Task.sleep(until: $0) }
    ) {
        self.duration = duration
        self.now = now
        self.sleep = sleep
    }

    /// - Returns: what cancels it.
    func schedule(_ call: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let (id, isFirst) = state.withLock { state in
            state.lastID += 1
            // Under the lock, so that times are in order.
            state.pending.append((now() + duration, state.lastID))
            state.calls[state.lastID] = call
            defer { state.isSleeping = true }
            return (state.lastID, !state.isSleeping)
        }
        if isFirst { Task.detached { await self.run() } }
        return { self.cancel(id) }
    }

    private func cancel(_ id: Int) {
        state.withLock { state in
            state.calls[id] = nil
            if state.calls.isEmpty { state.pending.removeAll(keepingCapacity: state.pending.capacity < 1024) }
        }
    }

    private func run() async {
        while let next = state.withLock({ next(&$0) }) {
            await sleep(next)
            for call in state.withLock({ takeDue(&$0) }) { call() }
        }
    }

    /// When to wake next; nil, and nobody sleeps any more, where nothing is pending.
    private func next(_ state: inout State) -> Instant? {
        let next = state.pending.first { state.calls[$0.id] != nil }?.time
        state.isSleeping = next != nil
        return next
    }

    private func takeDue(_ state: inout State) -> [@Sendable () -> Void] {
        let time = now()
        let due = state.pending.prefix { $0.time <= time || state.calls[$0.id] == nil }
        state.pending.removeFirst(due.count)
        return due.compactMap { state.calls.removeValue(forKey: $0.id) }
    }
}
