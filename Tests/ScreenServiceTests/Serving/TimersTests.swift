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
        let timers = Timers(now: { clock.now }) { instant in
            await gate.pass()
            clock.sleep(until: instant)
        }
        let (calls, calling) = AsyncStream.makeStream(of: Int.self)
        for number in 0..<3 {
            _ = timers.schedule(after: .seconds(10)) { calling.yield(number) }
            clock.advance(by: .seconds(1))
        }
        let cancelled = timers.schedule(after: .seconds(10)) { calling.yield(3) }
        cancelled()
        _ = timers.schedule(after: .seconds(10)) { calling.yield(4); calling.finish() }
        gate.open()
        #expect(await calls.reduce(into: []) { $0.append($1) } == [0, 1, 2, 4])
        #expect(clock.slept == [10, 11, 12, 13].map { .seconds($0) })
    }

    @Test func nobodySleepsForLongAndWhatIsFarAheadIsCalledAllTheSame() async {
        let timers = Timers(now: { clock.now }) { clock.sleep(until: $0) }
        let (called, calling) = AsyncStream.makeStream(of: Void.self)
        _ = timers.schedule(after: .seconds(150)) { calling.finish() }
        for await _ in called {}
        #expect(clock.slept == [60, 120, 150].map { .seconds($0) })
    }

    @Test func whoIsCancelledIsNotCalledAndNobodySleepsForIt() async {
        let gate = Gate()
        let timers = Timers(now: { clock.now }) { instant in
            await gate.pass()
            clock.sleep(until: instant)
        }
        let (called, calling) = AsyncStream.makeStream(of: Void.self)
        _ = timers.schedule(after: .seconds(10)) {}
        let cancel = timers.schedule(after: .seconds(20)) { Issue.record("It was cancelled.") }
        _ = timers.schedule(after: .seconds(30)) { calling.finish() }
        cancel()
        gate.open()
        for await _ in called {}
        #expect(clock.slept == [.seconds(10), .seconds(30)])
    }

    /// Who sleeps for the later one is not woken in time.
    @Test func whoIsDueEarlierIsCalledThoughAnotherSleepsForLonger() async {
        let never = Gate()
        let start = clock.now
        let timers = Timers(now: { clock.now }) { instant in
            if instant - start > .seconds(20) { await never.pass() }
            clock.sleep(until: instant)
        }
        let (calls, calling) = AsyncStream.makeStream(of: Int.self)
        _ = timers.schedule(after: .seconds(30)) { calling.yield(30); calling.finish() }
        await never.isReached()
        for seconds in [10, 5] { _ = timers.schedule(after: .seconds(seconds)) { calling.yield(seconds) } }
        var iterator = calls.makeAsyncIterator()
        var called: Set<Int> = []
        while called.count < 2, let number = await iterator.next() { called.insert(number) }
        #expect(called == [5, 10])
        never.open()
        #expect(await iterator.next() == 30)
    }

    @Test func thoseThatAreCancelledAreLetGoOfLongBeforeTheirTime() {
        let timers = Timers(now: { clock.now }) { _ in await Gate().pass() }
        let kept = (0..<10).map { _ in timers.schedule(after: .seconds(60)) {} }
        for _ in 0..<10_000 { timers.schedule(after: .seconds(60)) {}() }
        #expect(timers.count < 100)
        for cancel in kept { cancel() }
    }
}
