import ScreenService
import Synchronization
import Testing

@testable import ScreenHTTP

@Suite("The turns of callers") struct CallerTurnsTests {
    /// Work that reports its begin, and ends when the test says so.
    private final class Work: Sendable {
        private let begun = AsyncStream.makeStream(of: Void.self)
        private let ended = AsyncStream.makeStream(of: Void.self)
        private let hasBegunFlag = Atomic(false)

        var hasBegun: Bool { hasBegunFlag.load(ordering: .acquiring) }

        func run() async {
            hasBegunFlag.store(true, ordering: .releasing)
            begun.continuation.finish()
            for await _ in ended.stream {}
        }

        func begin() async { for await _ in begun.stream {} }

        func end() { ended.continuation.finish() }
    }

    private static let (ada, bea) = (LimitKey.user("ada"), LimitKey.user("bea"))

    private func turns(
        limit: Int = 1, waitingLimit: Int = 10,
        patience: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(3600)) }
    ) -> CallerTurns {
        CallerTurns(limit: limit, waitingLimit: waitingLimit, patience: patience)
    }

    private func start(_ work: Work, of caller: LimitKey, in turns: CallerTurns) -> Task<Void, any Error> {
        Task { try await turns.run(for: caller) { await work.run() } }
    }

    /// Starts work, and returns when it waits.
    private func startWaiting(_ work: Work, of caller: LimitKey, in turns: CallerTurns) async -> Task<Void, any Error> {
        let count = turns.waitingCount(of: caller)
        let task = start(work, of: caller, in: turns)
        while turns.waitingCount(of: caller) == count { await Task.yield() }
        return task
    }

    @Test func workOverTheLimitWaitsAndBeginsInItsOrder() async throws {
        let turns = turns(limit: 2)
        let works = (0..<4).map { _ in Work() }
        var tasks = works[..<2].map { start($0, of: Self.ada, in: turns) }
        for work in works[..<2] { await work.begin() }
        for work in works[2...] { tasks.append(await startWaiting(work, of: Self.ada, in: turns)) }
        works[1].end()
        await works[2].begin()
        #expect(!works[3].hasBegun)
        works[0].end()
        await works[3].begin()
        for work in works[2...] { work.end() }
        for task in tasks { try await task.value }
        #expect(turns.callerCount == 0)
    }

    @Test func workKnowsWhetherItHasWaited() async throws {
        let (turns, first) = (turns(), Work())
        let running = start(first, of: Self.ada, in: turns)
        await first.begin()
        let waiting = Task { try await turns.run(for: Self.ada) { CallerTurn.hasWaited } }
        while turns.waitingCount(of: Self.ada) == 0 { await Task.yield() }
        first.end()
        try await running.value
        #expect(try await waiting.value)
        #expect(try await !turns.run(for: Self.ada) { CallerTurn.hasWaited })
    }

    @Test func aWaitingCallerDoesNotDelayOthers() async throws {
        let turns = turns()
        let (busy, waiting, other) = (Work(), Work(), Work())
        let first = start(busy, of: Self.ada, in: turns)
        await busy.begin()
        let second = await startWaiting(waiting, of: Self.ada, in: turns)
        let third = start(other, of: Self.bea, in: turns)
        await other.begin()
        #expect(!waiting.hasBegun)
        for work in [busy, waiting, other] { work.end() }
        for task in [first, second, third] { try await task.value }
    }

    @Test func workOverTheLimitOfWaitingWorkIsRejected() async throws {
        let turns = turns(waitingLimit: 1)
        let (busy, waiting) = (Work(), Work())
        let first = start(busy, of: Self.ada, in: turns)
        await busy.begin()
        let second = await startWaiting(waiting, of: Self.ada, in: turns)
        await #expect(throws: CallerTurns.Refusal.tooManyWaiting) { try await turns.run(for: Self.ada) {} }
        for work in [busy, waiting] { work.end() }
        for task in [first, second] { try await task.value }
    }

    @Test func workThatHasWaitedTooLongIsRejectedWhileEarlierWorkRuns() async throws {
        let patience = Work()
        let turns = turns(patience: { await patience.run() })
        let (busy, late) = (Work(), Work())
        let first = start(busy, of: Self.ada, in: turns)
        await busy.begin()
        let second = await startWaiting(late, of: Self.ada, in: turns)
        patience.end()
        await #expect(throws: CallerTurns.Refusal.waitedTooLong) { try await second.value }
        busy.end()
        try await first.value
        #expect(!late.hasBegun && turns.callerCount == 0)
    }

    @Test func cancelledWorkStopsWaiting() async throws {
        let turns = turns()
        let (busy, cancelled) = (Work(), Work())
        let first = start(busy, of: Self.ada, in: turns)
        await busy.begin()
        let second = await startWaiting(cancelled, of: Self.ada, in: turns)
        second.cancel()
        await #expect(throws: CallerTurns.Refusal.waitedTooLong) { try await second.value }
        busy.end()
        try await first.value
        #expect(!cancelled.hasBegun && turns.callerCount == 0)
    }

    @Test func workThatFailsEndsItsTurn() async throws {
        struct Failure: Error {}
        let turns = turns()
        await #expect(throws: Failure.self) { try await turns.run(for: Self.ada) { throw Failure() } }
        #expect(turns.callerCount == 0)
    }
}
