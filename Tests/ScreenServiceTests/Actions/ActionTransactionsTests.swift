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
            try await attempt.transaction(announcingTo: deeds.service.topics, storingReceipt: true) { transaction in
                for isKept in claims {
                    transaction.willRunAgain()
                    try? transaction.run(storingReceipt: { _ in if !isKept { throw ReceiptTaken() } }) {}
                }
                await gate.pass()
                try transaction.beginCommit()
            }
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
            try await attempt.transaction(announcingTo: deeds.service.topics) { transaction in
                try transaction.beginCommit()
                await gate.pass()
                transaction.endCommit(.undone)
                throw Failure()
            }
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
            try? await attempt.transaction(announcingTo: deeds.service.topics) { _ in }
        }
        gate.open()
        await deeds.settle()
        #expect(try await !deeds.hasReceipt)
    }

    @Test func aDeedInAStoreThatAnnouncesElsewhereIsRefusedBeforeItBegins() async throws {
        let deeds = try await Deeds(deadline: time.deadline)
        await #expect(throws: OtherTopics()) {
            try await deeds.perform { try await $0.transaction(announcingTo: Topics()) { _ in } }
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
                attempt.noteCommit()
                throw gone
            }
        }
    }

    @Test func whereACommitIsInDoubtTheOutcomeIsNotKnownWhateverTheDeedMakesOfIt() async throws {
        let deeds = try await Deeds(deadline: time.deadline)
        for error in [DataUnavailable(reason: "gone"), BrokenRules([]), Failure(), nil] as [(any Error)?] {
            await #expect(throws: DeadlineFault.outcomeUnknown(hasKey: true)) {
                try await deeds.perform { attempt in
                    attempt.noteCommit(.unknown)
                    if let error { throw error }
                }
            }
        }
        #expect(try await !deeds.hasReceipt)
    }

    @Test func whatIsCommittedAfterALossIsKnown() async throws {
        let deeds = try await Deeds(deadline: time.deadline)
        await #expect(throws: BrokenRules([])) {
            try await deeds.perform { attempt in
                attempt.noteCommit(withReceipt: false)
                attempt.noteCommit(.unknown)
                attempt.noteCommit(withReceipt: false)
                throw BrokenRules([])
            }
        }
    }

    @Test(arguments: [false, true]) func aDoubtBehindACommitIsOneAsWell(isUnknown: Bool) async throws {
        let deeds = try await Deeds(deadline: time.deadline)
        let expected: any Error = isUnknown ? DeadlineFault.outcomeUnknown(hasKey: true) : BrokenRules([])
        let error = await #expect(throws: (any Error).self) {
            try await deeds.perform { attempt in
                attempt.noteCommit()
                attempt.noteCommit(isUnknown ? .unknown : .undone)
                throw BrokenRules([])
            }
        }
        #expect("\(error!)" == "\(expected)")
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
                attempt.noteCommit()
                throw Failure()
            }
        }
    }
}
