@testable import ScreenService
import Synchronization
import Testing

@Suite("Timers", .timeLimit(.minutes(1))) struct TimersTests {
    /// A clock that moves when somebody sleeps, and says so.
    private final class Clock: Sendable {
        private let start = ContinuousClock.now
        private let time: Mutex<ContinuousClock.Instant>
        private let nights = Mutex<[Duration]>([])

        init() {
            time = Mutex(start)
        }

        var now: ContinuousClock.Instant { time.withLock { $0 } }
        /// Until when somebody has slept, since the start.
        var slept: [Duration] { nights.withLock { $0 } }

        func advance(by duration: Duration) {
            time.withLock { $0 += duration }
        }

        func sleep(until instant: ContinuousClock.Instant) {
            nights.withLock { $0.append(instant - start) }
            time.withLock { $0 = max($0, instant) }
        }
    }

    private let clock = Clock()

    @Test func allAreCalledInTheirTurnByOneWhoSleeps() async {
        let gate = Gate()
        let timers = Timers(.seconds(10), now: { clock.now }) { instant in
            await gate.pass()
            clock.sleep(until: instant)
        }
        let (calls, calling) = AsyncStream.makeStream(of: Int.self)
        for number in 0..<3 {
            _ = timers.schedule { calling.yield(number) }
            clock.advance(by: .seconds(1))
        }
        let cancelled = timers.schedule { calling.yield(3) }
        cancelled()
        _ = timers.schedule { calling.yield(4); calling.finish() }
        gate.open()
        #expect(await calls.reduce(into: []) { $0.append($1) } == [0, 1, 2, 4])
        #expect(clock.slept == [10, 11, 12, 13].map { .seconds($0) })
    }

    @Test func whoIsCancelledIsNotCalledAndNobodySleepsForIt() async {
        let timers = Timers(.seconds(10), now: { clock.now }) { clock.sleep(until: $0) }
        timers.schedule { Issue.record("It was cancelled.") }()
        let (called, calling) = AsyncStream.makeStream(of: Void.self)
        let keep = timers.schedule { calling.finish() }
        for await _ in called {}
        keep()
    }
}
