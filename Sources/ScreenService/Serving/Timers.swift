import Synchronization

/// Timers, with one task that sleeps for all.
///
/// A sleeping task for each would stay in the system's queue until its time comes, though it is cancelled. So does one that
/// gives way because another timer is due earlier: that is rare where times are alike, and it sleeps no longer than a minute.
final class Timers: Sendable {
    typealias Instant = ContinuousClock.Instant

    private struct State {
        /// In the order of their times, with some of those that were cancelled.
        var pending: [(time: Instant, id: Int)] = []
        /// Of those that were not cancelled.
        var calls: [Int: @Sendable () -> Void] = [:]
        var lastID = 0
        /// Until when the task sleeps that sleeps for all; nil where there is none.
        var wakeTime: Instant?
        /// Counts those tasks: one that is to wake too late gives way to another.
        var sleeper = 0

        /// Behind all that are due by a time.
        func place(of time: Instant) -> Int {
            var (low, high) = (0, pending.count)
            while low < high {
                let middle = (low + high) / 2
                if pending[middle].time <= time { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    /// How long the task sleeps at most. A time may be years ahead, which is more than the system's clock takes, too.
    static let longestSleep = Duration.seconds(60)

    private let now: @Sendable () -> Instant
    private let sleep: @Sendable (_ until: Instant) async -> Void
    private let state = Mutex(State())

    init(
        now: @escaping @Sendable () -> Instant = { .now },
        sleep: @escaping @Sendable (_ until: Instant) async -> Void = { try? await Task.sleep(until: $0) }
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// How many are kept, with those that were cancelled and not let go of yet.
    var count: Int { state.withLock { $0.pending.count } }

    /// Has `call` called after a time.
    ///
    /// - Returns: what cancels it. A call that is under way by then still comes.
    func schedule(after duration: Duration, _ call: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let start = now()
        let time = start + duration
        let (id, sleeper) = state.withLock { state in
            state.lastID += 1
            state.calls[state.lastID] = call
            state.pending.insert((time, state.lastID), at: state.place(of: time))
            if let wakeTime = state.wakeTime, wakeTime <= time { return (state.lastID, nil as Int?) }
            state.wakeTime = min(time, start + Self.longestSleep)
            state.sleeper += 1
            return (state.lastID, state.sleeper)
        }
        if let sleeper { Task.detached { await self.run(sleeper) } }
        return { self.cancel(id) }
    }

    private func cancel(_ id: Int) {
        let call = state.withLock { state in
            let call = state.calls.removeValue(forKey: id)
            // Now and then, so that it costs little for each.
            if state.pending.count > 2 * state.calls.count + 64 {
                state.pending = state.pending.filter { state.calls[$0.id] != nil }
            }
            return call
        }
        // What it holds may cancel others.
        withExtendedLifetime(call) {}
    }

    private func run(_ sleeper: Int) async {
        while let next = state.withLock({ next(&$0, sleeper, from: now()) }) {
            await sleep(next)
            for call in state.withLock({ takeDue(&$0, sleeper) }) { call() }
        }
    }

    /// When to wake next; nil where nothing is pending, or another sleeps by now.
    private func next(_ state: inout State, _ sleeper: Int, from time: Instant) -> Instant? {
        guard state.sleeper == sleeper else { return nil }
        let due = state.pending.first { state.calls[$0.id] != nil }?.time
        state.wakeTime = due.map { min($0, time + Self.longestSleep) }
        return state.wakeTime
    }

    private func takeDue(_ state: inout State, _ sleeper: Int) -> [@Sendable () -> Void] {
        guard state.sleeper == sleeper else { return [] }
        let time = now()
        let due = state.pending.prefix { $0.time <= time || state.calls[$0.id] == nil }
        state.pending.removeFirst(due.count)
        return due.compactMap { state.calls.removeValue(forKey: $0.id) }
    }
}
