import LogLines
import ScreenWire
import Synchronization
import Testing

@testable import ScreenService

@Suite("Deadlines of actions", .timeLimit(.minutes(1))) struct ActionDeadlineTests {
    private struct Failure: Error {}

    private let time = HeldDeadline()

    /// Performs an action that hangs in the store until its deadline has passed.
    ///
    /// - Returns: The gate of the store, and the failure of the action.
    private func hang(_ letters: LetterService, _ request: ActionRequest) async throws -> (Gate, ActionFailure) {
        let gate = letters.store.hold()
        let response = Task { try await letters.failure(request) }
        await gate.isReached()
        time.pass()
        let failure = try await response.value
        time.renew()
        return (gate, failure)
    }

    /// Performs an action whose transaction hangs until the deadline of the action has passed. After the deadline, the transaction tries to
    /// commit.
    ///
    /// - Parameter claims: One Boolean value for each run of the transaction before the run that hangs. The value is `true` if its run
    ///   can store the receipt.
    /// - Returns: The gate of the transaction, and the failure of the action.
    private func hangInTransaction(_ handlers: HandlerService, claims: [Bool] = []) async throws -> (Gate, ActionFailure) {
        try await handlers.hang { attempt, gate in
            try await attempt.transaction(announcingTo: handlers.service.topics, storingReceipt: true) { transaction in
                for isStored in claims {
                    transaction.willRunAgain()
                    try? transaction.run(storingReceipt: { _ in if !isStored { throw ReceiptTaken() } }) {}
                }
                await gate.pass()
                try transaction.beginCommit()
            }
        }
    }

    @Test(arguments: [nil, "k"]) func anActionHasAnUnknownOutcomeIfItsDeadlinePassesOutsideOfATransaction(key: String?) async throws {
        let lines = LogLines()
        let letters = try await LetterService(deadline: time.deadline, logger: lines.logger)
        let (gate, failure) = try await hang(letters, .add("d", key: key))
        #expect(failure.cause as? DeadlineFault == .outcomeUnknown(hasKey: key != nil))
        #expect(failure.outcome == .unknown)
        #expect(lines.all == ["warning: an action took too long: isUndone=false screen=letters"])
        #expect(letters.service.stragglerCount == 1)
        gate.open()
        while letters.service.stragglerCount > 0 { await Task.yield() }
    }

    @Test func aTransactionIsRolledBackIfTheDeadlineOfItsActionPasses() async throws {
        let handlers = try await HandlerService()
        let (gate, failure) = try await hangInTransaction(handlers)
        #expect(failure.cause as? DeadlineFault == .notPerformed)
        #expect(failure.outcome == .notPerformed)
        gate.open()
        await handlers.settle()
        #expect(try await !handlers.hasReceipt)
    }

    @Test func theOutcomeIsUnknownIfAnotherAttemptUsesTheKeyBetweenTwoTransactionRuns() async throws {
        let handlers = try await HandlerService()
        let (gate, failure) = try await hangInTransaction(handlers, claims: [true, false])
        #expect(failure.cause as? DeadlineFault == .outcomeUnknown(hasKey: true))
        gate.open()
        await handlers.settle()
    }

    /// If a receipt were stored, the response to a repeated request would say that the action was performed, although its transaction was
    /// rejected.
    @Test func noReceiptIsStoredIfAHandlerIgnoresThatItsTransactionWasRejected() async throws {
        let handlers = try await HandlerService()
        let (gate, _) = try await handlers.hang { attempt, gate in
            await gate.pass()
            try? await attempt.transaction(announcingTo: handlers.service.topics) { _ in }
        }
        gate.open()
        await handlers.settle()
        #expect(try await !handlers.hasReceipt)
    }

    @Test func aHandlerIsCancelledWhenItsDeadlineHasPassed() async throws {
        let handlers = try await HandlerService()
        _ = try await handlers.hang { _, gate in
            gate.arrive()
            while !Task.isCancelled { await Task.yield() }
        }
        await handlers.settle()
    }

    /// If the key were released at the deadline, a second attempt would repeat the effects that the handler has outside of transactions.
    @Test func anIdempotencyKeyCannotBeUsedAgainWhileItsAttemptContinuesPastTheDeadline() async throws {
        let handlers = try await HandlerService()
        let count = Mutex(0)
        let (gate, _) = try await handlers.hang { _, gate in
            count.withLock { $0 += 1 }
            await gate.pass()
        }
        for _ in 0..<2 {
            await #expect(throws: ActionFault.keyInProgress) { try await handlers.perform { _ in count.withLock { $0 += 1 } } }
        }
        gate.open()
        await handlers.settle()
        try await handlers.perform { _ in count.withLock { $0 += 1 } }
        #expect(count.withLock { $0 } == 1)
    }

    @Test func anIdempotencyKeyCanBeUsedAgainAfterItsAttemptHasFailedPastTheDeadline() async throws {
        let handlers = try await HandlerService()
        let (gate, _) = try await handlers.hang { attempt, gate in
            try await attempt.transaction(announcingTo: handlers.service.topics) { transaction in
                try transaction.beginCommit()
                await gate.pass()
                transaction.endCommit(.undone)
                throw Failure()
            }
        }
        await #expect(throws: ActionFault.keyInProgress) { try await handlers.perform { _ in } }
        gate.open()
        await handlers.settle()
        try await handlers.perform { _ in }
        #expect(try await handlers.hasReceipt)
    }

    @Test func aRequestWithItsOwnDeadlineIgnoresTheDeadlineOfTheService() async throws {
        let own = HeldDeadline()
        let letters = try await LetterService(deadline: time.deadline)
        let gate = letters.store.hold()
        let response = Task { try await letters.service.perform(.add("d"), on: letters.view(), within: own.deadline) }
        await gate.isReached()
        time.pass()
        #expect(letters.service.stragglerCount == 0)
        own.pass()
        await #expect(throws: DeadlineFault.outcomeUnknown(hasKey: false)) { try await response.value }
        gate.open()
        while letters.service.stragglerCount > 0 { await Task.yield() }
    }

    /// The outcome is unknown, because an earlier request with the same key may have been performed.
    @Test func aHandlerThatHasNotStartedBeforeTheDeadlineIsNotRun() async throws {
        let receipts = HeldReceipts()
        let letters = try await LetterService(receipts: receipts, deadline: time.deadline)
        let response = Task { try await letters.service.perform(.add("d", key: "k"), on: letters.view()) }
        await receipts.gate.isReached()
        time.pass()
        await #expect(throws: DeadlineFault.outcomeUnknown(hasKey: true)) { try await response.value }
        receipts.gate.open()
        while letters.service.stragglerCount > 0 { await Task.yield() }
        #expect(try await letters.store.read("everyone") == ["a", "b", "c"])
    }

    @Test func anActionIsReportedAsPerformedIfItsResponseHangsPastTheDeadline() async throws {
        let letters = try await LetterService(deadline: time.deadline)
        let gate = letters.store.hold()
        let response = Task { try await letters.service.perform(.of("clear", .object([])), on: letters.view()) }
        await gate.isReached()
        time.pass()
        await #expect(throws: ActionFault.performedButNotAnswered) { try await response.value }
        #expect(try await letters.store.read("everyone") == [])
        gate.open()
    }

    @Test func cancellingARequestDoesNotCancelItsHandler() async throws {
        let letters = try await LetterService(deadline: time.deadline)
        let gate = letters.store.hold()
        let response = Task { try await letters.service.perform(.add("d", key: "k"), on: letters.view()) }
        await gate.isReached()
        response.cancel()
        gate.open()
        _ = try await response.value
        #expect(try await letters.store.read("everyone") == ["a", "b", "c", "d"])
    }

    @Test func anActionIsRejectedIfTooManyHandlersOfItsScreenContinuePastTheirDeadline() async throws {
        let letters = try await LetterService(deadline: time.deadline)
        var gates: [Gate] = []
        for _ in 0..<Stragglers.limit { gates.append(try await hang(letters, .add("d")).0) }
        for (key, outcome) in [(nil, .notPerformed), ("k", .unknown)] as [(String?, ProblemDocument.Outcome)] {
            let failure = try await letters.failure(.add("d", key: key))
            #expect(failure.cause as? DeadlineFault == .tooManyStragglers)
            #expect(failure.outcome == outcome)
        }
        #expect(letters.service.actionCounts.refused == 2)
        _ = try await letters.service.snapshot(of: letters.view()).value
        for gate in gates { gate.open() }
        while letters.service.stragglerCount > 0 { await Task.yield() }
        _ = try await letters.service.perform(.add("e"), on: letters.view())
    }
}

/// An empty store of receipts. Its look-ups hang until the gate opens.
private struct HeldReceipts: ReceiptStoring {
    let gate = Gate()

    func receipt(for key: ActionReceipt.Key) async throws -> ActionReceipt? {
        await gate.pass()
        return nil
    }

    func keep(_ receipt: ActionReceipt) async throws {}
}
