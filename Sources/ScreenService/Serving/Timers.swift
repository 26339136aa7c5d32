import Synchronization

/// Timers that share one sleeping task, which sleeps until the next timer is due.
///
/// If each timer had a task, cancelled tasks would accumulate, because the system keeps a cancelled task in its queue until its wake time.
/// If a new timer is due before the sleeping task wakes, a new task replaces the sleeping task. This is rare if all timers have similar
/// durations.
final class Timers: Sendable {
    typealias Instant = ContinuousClock.Instant

    private struct State {
        /// The timers sorted by time, including some cancelled timers.
        var pending: [(time: Instant, id: Int)] = []
        /// The function of each timer, by the id of the timer. A cancelled timer has no function.
        var calls: [Int: @Sendable () -> Void] = [:]
        var lastID = 0
        /// The time at which the sleeping task wakes, or `nil` if there is no such task.
        var wakeTime: Instant?
        /// The number of the sleeping task. Tasks with lower numbers were replaced.
        var sleeper = 0

        /// Returns the index at which a timer that is due at `time` is inserted into `pending`.
        func place(of time: Instant) -> Int {
            var (low, high) = (0, pending.count)
            while low < high {
                let middle = (low + high) / 2
                if pending[middle].time <= time { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    /// The maximum duration of one sleep. A sleep of many years could exceed the range of the system's clock.
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

    /// The number of timers, including some cancelled timers.
    var count: Int { state.withLock { $0.pending.count } }

    /// Calls a function after a duration. The returned function cancels the timer, unless the call has begun.
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
            // Cancelled timers are removed in batches, which is cheaper than removing each timer when it is cancelled.
            if state.pending.count > 2 * state.calls.count + 64 {
                state.pending = state.pending.filter { state.calls[$0.id] != nil }
            }
            return call
        }
        // `call` is released outside of the lock. The release can deinitialize values that `call` captured, and these can cancel other
        // timers, which takes the lock.
        withExtendedLifetime(call) {}
    }

    private func run(_ sleeper: Int) async {
        while let next = state.withLock({ next(&$0, sleeper, from: now()) }) {
            await sleep(next)
            for call in state.withLock({ takeDue(&$0, sleeper) }) { call() }
        }
    }

    /// Returns the next time to wake, or `nil` if there is no timer or another task has replaced this task.
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
