import LogLines
import Synchronization
import Testing

@testable import ScreenService

@Suite("Deadlines of computations", .timeLimit(.minutes(1))) struct DeadlineTests {
    private let turns = Turns()
    private let time = HeldDeadline()

    @Test func allRequestsThatWaitForAHangingComputationFailAtTheDeadline() async throws {
        let lines = LogLines()
        let letters = try await LetterService(deadline: time.deadline, logger: lines.logger)
        let gate = letters.store.hold()
        let requests = (0..<20).map { _ in turns.start { try await letters.service.changes(of: letters.view(), from: nil).value } }
        await gate.isReached()
        turns.settle()
        time.pass()
        for request in requests { await #expect(throws: DeadlineFault.notComputed) { try await request.value } }
        #expect(letters.service.metrics.totals == .counted(computations: 1, failures: 1))
        #expect(lines.all == ["warning: a screen was not computed in time: screen=letters"])
        gate.open()
    }

    @Test func requestsReceiveAResultBeforeFollowersReceiveIt() async throws {
        let outcome = Outcome<Int>()
        let (calls, continuation) = AsyncStream.makeStream(of: String.self)
        outcome.whenSettled(isFollowing: true) { _ in
            continuation.yield("follows")
            continuation.finish()
        }
        for name in ["first", "second"] { outcome.whenSettled { _ in continuation.yield(name) } }
        time.deadline.start({ 1 }, settling: outcome) { _ in DeadlineFault.notComputed }
        #expect(await calls.reduce(into: []) { $0.append($1) } == ["first", "second", "follows"])
        #expect(try await outcome.value == 1)
    }

    @Test func workThatWaitsForItsExecutorCanBeStartedOnAnotherExecutorAndRunsOnce() async throws {
        let executor = HeldExecutor()
        let outcome = Outcome<Int>()
        let runs = Mutex(0)
        let work: @Sendable () async throws -> Int = {
            runs.withLock {
                $0 += 1; return $0
            }
        }
        time.deadline.start(work, isDetached: true, on: executor, settling: outcome) { _ in DeadlineFault.notComputed }
        time.pass()
        time.renew()
        #expect(!outcome.hasBegun)
        time.deadline.start(work, isDetached: true, settling: outcome) { _ in DeadlineFault.notComputed }
        #expect(try await outcome.value == 1)
        executor.runAll()
        #expect(runs.withLock { $0 } == 1)
    }

    @Test func aViewIsNotComputedAgainWhileItsComputationContinuesPastTheDeadline() async throws {
        let letters = try await LetterService(["old"], deadline: time.deadline)
        let gate = letters.store.hold()
        let early = turns.start { try await letters.service.snapshot(of: letters.view()).value }
        await gate.isReached()
        time.pass()
        await #expect(throws: DeadlineFault.notComputed) { try await early.value }
        time.renew()
        for _ in 0..<2 * Stragglers.limit {
            await #expect(throws: DeadlineFault.viewIsStraggler) { try await letters.service.snapshot(of: letters.view()).value }
        }
        #expect(letters.service.stragglerCount == 1 && letters.service.metrics.current.computations == 1)
        _ = try await letters.service.snapshot(of: letters.view(["limit": "1"])).value
        gate.open()
        while letters.service.stragglerCount > 0 { await Task.yield() }
        // The result of the late computation is not cached.
        #expect(letters.service.snapshot(of: letters.view()).immediateValue == nil)
        let snapshot = try await letters.service.snapshot(of: letters.view()).value
        #expect(letters.service.snapshot(of: letters.view()).immediateValue === snapshot)
    }

    @Test func aRequestThatWaitsForAnEarlierComputationFailsAtTheDeadline() async throws {
        let letters = try await LetterService(["old"], deadline: time.deadline)
        let gate = letters.store.hold()
        let early = turns.start { try await letters.service.snapshot(of: letters.view()).value }
        await gate.isReached()
        letters.store.write(["new"])
        let late = turns.start { try await letters.service.snapshot(of: letters.view()).value }
        turns.settle()
        time.pass()
        for request in [early, late] { await #expect(throws: DeadlineFault.notComputed) { try await request.value } }
        gate.open()
    }

    @Test func aScreenIsNotComputedWhileTooManyOfItsComputationsContinuePastTheirDeadline() async throws {
        let letters = try await LetterService(deadline: time.deadline)
        var gates: [Gate] = []
        for number in 0..<Stragglers.limit {
            let gate = letters.store.hold()
            gates.append(gate)
            let request = turns.start { try await letters.service.snapshot(of: letters.view(["limit": "\(number + 1)"])).value }
            await gate.isReached()
            time.pass()
            await #expect(throws: DeadlineFault.notComputed) { try await request.value }
            time.renew()
        }
        await #expect(throws: DeadlineFault.tooManyStragglers) { try await letters.service.snapshot(of: letters.view()).value }
        _ = try await letters.service.snapshot(of: letters.view(of: "notes")).value
        #expect(letters.service.stragglerCount == Stragglers.limit)
        gates[0].open()
        while letters.service.stragglerCount == Stragglers.limit { await Task.yield() }
        _ = try await letters.service.snapshot(of: letters.view()).value
        for gate in gates { gate.open() }
    }

    @Test func theNumberOfConcurrentComputationsOfAScreenIsLimited() async throws {
        let letters = try await LetterService(deadline: time.deadline)
        let gates = (0..<Computations.limit).map { _ in letters.store.hold() }
        let requests = (0..<Computations.limit).map { number in
            turns.start { try await letters.service.snapshot(of: letters.view(["q": "\(number)"])).value }
        }
        for gate in gates { await gate.isReached() }
        await #expect(throws: DeadlineFault.tooManyAtOnce) { try await letters.service.snapshot(of: letters.view()).value }
        #expect(letters.service.metrics.current.failures == 1)
        // The limit does not affect other screens.
        _ = try await letters.service.snapshot(of: letters.view(of: "notes")).value
        for gate in gates { gate.open() }
        for request in requests { _ = try await request.value }
        _ = try await letters.service.snapshot(of: letters.view()).value
    }

    @Test func aComputationContinuesAfterTheDeadlineOfARequestThatJoinedIt() async throws {
        let letters = try await LetterService(["old"])
        let gate = letters.store.hold()
        let first = turns.start { try await letters.service.snapshot(of: letters.view()).value }
        await gate.isReached()
        let second = turns.start { try await letters.service.snapshot(of: letters.view(), within: time.deadline).value }
        turns.settle()
        time.pass()
        await #expect(throws: DeadlineFault.notComputed) { try await second.value }
        gate.open()
        let snapshot = try await first.value
        #expect(letters.service.snapshot(of: letters.view(), within: time.deadline).immediateValue === snapshot)
        #expect(letters.service.stragglerCount == 0)
    }

    @Test func aFollowerStillReceivesChangesAfterTheDeadlineOfRequestsHasPassed() async throws {
        let letters = try await LetterService(["old"], deadline: time.deadline)
        let version = try await letters.service.snapshot(of: letters.view()).value.version
        let follower = try await Follower(letters.service, letters.view(), since: version)
        time.pass()
        time.renew()
        letters.store.write(["new"])
        #expect(await follower.document(saying: "the letter new") != nil)
    }
}

/// An executor whose jobs wait until a test runs them.
private final class HeldExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    func runAll() {
        for job in jobs.withLock({ $0 }) { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
