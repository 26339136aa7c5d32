import Synchronization
import Testing

@testable import ScreenService

@Suite("Timers", .timeLimit(.minutes(1))) struct TimersTests {
    /// A clock whose time advances when a timer sleeps. It records all sleeps.
    private final class Clock: Sendable {
        private let start = ContinuousClock.now
        private let time: Mutex<ContinuousClock.Instant>
        private let sleeps = Mutex<[Duration]>([])

        init() {
            time = Mutex(start)
        }

        var now: ContinuousClock.Instant { time.withLock { $0 } }
        /// The time at which each sleep ends, measured from the start of the clock.
        var wakeTimes: [Duration] { sleeps.withLock { $0 } }

        func advance(by duration: Duration) {
            time.withLock { $0 += duration }
        }

        func sleep(until instant: ContinuousClock.Instant) {
            sleeps.withLock { $0.append(instant - start) }
            time.withLock { $0 = max($0, instant) }
        }
    }

    private let clock = Clock()

    @Test func timersFireWhenTheyAreDueAndShareOneSleepingTask() async {
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
        _ = timers.schedule(after: .seconds(10)) {
            calling.yield(4); calling.finish()
        }
        gate.open()
        #expect(await calls.reduce(into: []) { $0.append($1) } == [0, 1, 2, 4])
        #expect(clock.wakeTimes == [10, 11, 12, 13].map { .seconds($0) })
    }

    @Test func aTimerInTheDistantFutureFiresAfterSeveralShorterSleeps() async {
        let timers = Timers(now: { clock.now }) { clock.sleep(until: $0) }
        let (called, calling) = AsyncStream.makeStream(of: Void.self)
        _ = timers.schedule(after: .seconds(150)) { calling.finish() }
        for await _ in called {}
        #expect(clock.wakeTimes == [60, 120, 150].map { .seconds($0) })
    }

    @Test func aCancelledTimerNeitherFiresNorWakesTheSleepingTask() async {
        let gate = Gate()
        let timers = Timers(now: { clock.now }) { instant in
            await gate.pass()
            clock.sleep(until: instant)
        }
        let (called, calling) = AsyncStream.makeStream(of: Void.self)
        _ = timers.schedule(after: .seconds(10)) {}
        let cancel = timers.schedule(after: .seconds(20)) { Issue.record("A cancelled timer fired.") }
        _ = timers.schedule(after: .seconds(30)) { calling.finish() }
        cancel()
        gate.open()
        for await _ in called {}
        #expect(clock.wakeTimes == [.seconds(10), .seconds(30)])
    }

    /// A task sleeps until the timer of 30 seconds is due. The timers of 10 and 5 seconds are added later and are due earlier, so they must
    /// not wait for this task.
    @Test func aNewTimerThatIsDueBeforeAllOtherTimersFiresInTime() async {
        let never = Gate()
        let start = clock.now
        let timers = Timers(now: { clock.now }) { instant in
            if instant - start > .seconds(20) { await never.pass() }
            clock.sleep(until: instant)
        }
        let (calls, calling) = AsyncStream.makeStream(of: Int.self)
        _ = timers.schedule(after: .seconds(30)) {
            calling.yield(30); calling.finish()
        }
        await never.isReached()
        for seconds in [10, 5] { _ = timers.schedule(after: .seconds(seconds)) { calling.yield(seconds) } }
        var iterator = calls.makeAsyncIterator()
        var called: Set<Int> = []
        while called.count < 2, let number = await iterator.next() { called.insert(number) }
        #expect(called == [5, 10])
        never.open()
        #expect(await iterator.next() == 30)
    }

    @Test func cancelledTimersAreRemovedBeforeTheyAreDue() {
        let timers = Timers(now: { clock.now }) { _ in await Gate().pass() }
        let kept = (0..<10).map { _ in timers.schedule(after: .seconds(60)) {} }
        for _ in 0..<10_000 { timers.schedule(after: .seconds(60)) {}() }
        #expect(timers.count < 100)
        for cancel in kept { cancel() }
    }
}
