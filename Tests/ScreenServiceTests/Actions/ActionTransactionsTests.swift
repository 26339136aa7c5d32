import ScreenModel
@testable import ScreenService
import ScreenWire
import Synchronization
import Testing

@Suite("Deeds and their transactions", .timeLimit(.minutes(1))) struct ActionTransactionsTests {
    private struct Failure: Error {}

    private let time = HeldDeadline()

    /// Performs a deed until its deadline, which passes once it is at the gate.
    private func hang(_ deeds: Deeds, _ deed: @escaping Deeds.Deed) async throws -> (Gate, DeadlineFault?) {
        let gate = Gate()
        let asker = Task { try await deeds.perform { try await deed($0, gate) } }
        await gate.isReached()
        time.pass()
        let error = await #expect(throws: DeadlineFault.self) { try await asker.value }
        time.renew()
        return (gate, error)
    }

    /// Hangs within a transaction, which is refused its commit then.
    ///
    /// - Parameter claims: whether its receipt was kept, each time that the transaction ran.
    private func hangInTransaction(_ deeds: Deeds, claims: [Bool] = []) async throws -> (Gate, DeadlineFault?) {
        try await hang(deeds) { attempt, gate in
            try attempt.enterTransaction(announcingTo: deeds.service.topics)
            defer { attempt.leaveTransaction() }
            for isKept in claims {
                attempt.beginClaim()
                attempt.endClaim(isKept: isKept)
            }
            await gate.pass()
            try attempt.beginCommit()
        }
    }

    @Test func aTransactionThatIsUnderWayAtTheDeadlineIsKnownToBeRolledBack() async throws {
        let deeds = try await Deeds(deadline: time.deadline)
        let (gate, error) = try await hangInTransaction(deeds)
        #expect(error == .notPerformed)
        gate.open()
        await deeds.settle()
        #expect(try await !deeds.hasReceipt)
    }

    /// A handler that works outside of transactions would do its work twice.
    @Test func aKeyStaysTakenPastTheDeadlineUntilTheFirstAttemptHasEnded() async throws {
        let deeds = try await Deeds(deadline: time.deadline)
        let count = Mutex(0)
        let (gate, error) = try await hang(deeds) { _, gate in
            count.withLock { $0 += 1 }
            await gate.pass()
        }
        #expect(error == .outcomeUnknown(hasKey: true))
        for _ in 0..<2 {
            await #expect(throws: ActionFault.underWay) { try await deeds.perform { _ in count.withLock { $0 += 1 } } }
        }
        gate.open()
        await deeds.settle()
        try await deeds.perform { _ in count.withLock { $0 += 1 } }
        #expect(count.withLock { $0 } == 1)
    }

    @Test func aKeyIsFreeOnceAnAttemptThatHasFailedPastItsDeadlineHasEnded() async throws {
        let deeds = try await Deeds(deadline: time.deadline)
        let (gate, _) = try await hang(deeds) { attempt, gate in
            try attempt.beginCommit()
            await gate.pass()
            attempt.leaveCommit()
            throw Failure()
        }
        await #expect(throws: ActionFault.underWay) { try await deeds.perform { _ in } }
        gate.open()
        await deeds.settle()
        try await deeds.perform { _ in }
        #expect(try await deeds.hasReceipt)
    }

    @Test func itIsNotKnownWhereAnotherAttemptHasTakenTheKeyBeforeTheTransactionRanAgain() async throws {
        let deeds = try await Deeds(deadline: time.deadline)
        let (gate, error) = try await hangInTransaction(deeds, claims: [true, false])
        #expect(error == .outcomeUnknown(hasKey: true))
        gate.open()
        await deeds.settle()
    }

    /// Else the same request, sent again, would be answered as if it had been done.
    @Test func aDeedThatOverlooksThatItWasRefusedKeepsNoReceipt() async throws {
        let deeds = try await Deeds(deadline: time.deadline)
        let (gate, _) = try await hang(deeds) { attempt, gate in
            await gate.pass()
            try? attempt.enterTransaction(announcingTo: deeds.service.topics)
        }
        gate.open()
        await deeds.settle()
        #expect(try await !deeds.hasReceipt)
    }

    @Test func aDeedInAStoreThatAnnouncesElsewhereIsRefusedBeforeItBegins() async throws {
        let deeds = try await Deeds(deadline: time.deadline)
        await #expect(throws: OtherTopics()) {
            try await deeds.perform { try $0.enterTransaction(announcingTo: Topics()) }
        }
        #expect(try await !deeds.hasReceipt)
    }

    @Test func aDeedThatIsLeftBehindIsCancelled() async throws {
        let deeds = try await Deeds(deadline: time.deadline)
        _ = try await hang(deeds) { _, gate in
            gate.arrive()
            while !Task.isCancelled { await Task.yield() }
        }
        await deeds.settle()
    }

    @Test func whereDataGoesOutOfReachBehindACommitTheOutcomeIsNotKnown() async throws {
        let deeds = try await Deeds(deadline: time.deadline)
        let gone = DataUnavailable(reason: "gone")
        await #expect(throws: gone) { try await deeds.perform { _ in throw gone } }
        await #expect(throws: DeadlineFault.outcomeUnknown(hasKey: true)) {
            try await deeds.perform { attempt in
                attempt.markCommitted(withReceipt: true)
                throw gone
            }
        }
    }

    @Test func whereACommitIsInDoubtTheOutcomeIsNotKnownWhateverTheDeedMakesOfIt() async throws {
        let deeds = try await Deeds(deadline: time.deadline)
        for error in [DataUnavailable(reason: "gone"), BrokenRules([]), Failure(), nil] as [(any Error)?] {
            await #expect(throws: DeadlineFault.outcomeUnknown(hasKey: true)) {
                try await deeds.perform { attempt in
                    try attempt.enterTransaction(announcingTo: deeds.service.topics, isInDoubt: { true })
                    if let error { throw error }
                }
            }
        }
        #expect(try await !deeds.hasReceipt)
    }

    @Test func aDoubtThatCanBeEndedIsEndedBeforeAnybodyIsToldOfIt() async throws {
        let deeds = try await Deeds(deadline: time.deadline)
        deeds.receipts.setDoubt(true, canEnd: true)
        await #expect(throws: BrokenRules([])) { try await deeds.perform { _ in throw BrokenRules([]) } }
    }

    @Test func whatIsCommittedAfterALossIsKnown() async throws {
        let deeds = try await Deeds(deadline: time.deadline)
        await #expect(throws: BrokenRules([])) {
            try await deeds.perform { attempt in
                attempt.markCommitted(withReceipt: false)
                attempt.markLost()
                attempt.markCommitted(withReceipt: false)
                throw BrokenRules([])
            }
        }
    }

    /// The commit in doubt may be that of an earlier attempt.
    @Test func underAKeyTheOutcomeIsNotKnownWhereTheDeedHasNotWrittenYet() async throws {
        let deeds = try await Deeds(deadline: time.deadline)
        deeds.receipts.setDoubt(true)
        await #expect(throws: DeadlineFault.outcomeUnknown(hasKey: true)) { try await deeds.perform { _ in throw BrokenRules([]) } }
    }

    @Test func whatIsDoneOutsideOfTransactionsIsDoneOnceWhateverIsInDoubt() async throws {
        let deeds = try await Deeds(deadline: time.deadline)
        deeds.receipts.setDoubt(true)
        let count = Mutex(0)
        for _ in 0..<2 { try await deeds.perform { _ in count.withLock { $0 += 1 } } }
        #expect(count.withLock { $0 } == 1)
    }

    @Test func aCommitThatFailsBehindAnotherIsInDoubtAsWell() async throws {
        let deeds = try await Deeds(deadline: time.deadline)
        for isInDoubt in [true, false] {
            let expected: any Error = isInDoubt ? DeadlineFault.outcomeUnknown(hasKey: true) : BrokenRules([])
            let error = await #expect(throws: (any Error).self) {
                try await deeds.perform { attempt in
                    try attempt.enterTransaction(announcingTo: deeds.service.topics, isInDoubt: { isInDoubt })
                    attempt.markCommitted(withReceipt: false)
                    try attempt.beginCommit()
                    attempt.leaveCommit()
                    throw BrokenRules([])
                }
            }
            #expect("\(error!)" == "\(expected)")
        }
    }

    @Test func whatIsLostBehindItsCommitIsNotKnownWhateverTheDeedMakesOfIt() async throws {
        let deeds = try await Deeds(deadline: time.deadline)
        await #expect(throws: DeadlineFault.outcomeUnknown(hasKey: true)) {
            try await deeds.perform { attempt in
                attempt.markCommitted(withReceipt: true)
                attempt.markLost()
                throw BrokenRules([])
            }
        }
    }

    @Test func aCommitEndsTheDoubt() async throws {
        let deeds = try await Deeds(deadline: time.deadline)
        await #expect(throws: Failure.self) {
            try await deeds.perform { attempt in
                try attempt.enterTransaction(announcingTo: deeds.service.topics, isInDoubt: { true })
                attempt.markCommitted(withReceipt: false)
                throw Failure()
            }
        }
    }

    @Test func aDeedThatFailsBecauseAnotherAttemptHasDoneItIsDone() async throws {
        let deeds = try await Deeds(deadline: time.deadline)
        try await deeds.perform { attempt in
            try await deeds.receipts.keep(attempt.receipt!)
            throw Failure()
        }
    }

    @Test func aDeedThatFailsBehindItsOwnCommitHasFailed() async throws {
        let deeds = try await Deeds(deadline: time.deadline)
        await #expect(throws: Failure.self) {
            try await deeds.perform { attempt in
                try await deeds.receipts.keep(attempt.receipt!)
                attempt.markCommitted(withReceipt: true)
                throw Failure()
            }
        }
    }
}
