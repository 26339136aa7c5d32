import ScreenWire
import Testing

@testable import ScreenService

/// Tests that an action with an unknown outcome is never reported as not performed.
@Suite("Outcomes of failed actions", .timeLimit(.minutes(1))) struct ActionOutcomeTests {
    private struct Failure: Error {}
    private static let rejections: [any Error] = [
        BrokenRules([]), DataUnavailable(reason: "gone"), ScreenError.noSuchValue(parameter: "q", detail: ""),
    ]

    @Test func anActionIsReportedAsNotPerformedIfItIsRejectedBeforeItsHandlerRuns() async throws {
        let letters = try await LetterService()
        for request in [ActionRequest.of("fly", .object([])), .of("add", .object([])), .add("dd", key: "k")] {
            #expect(try await letters.failure(request).outcome == .notPerformed)
        }
    }

    @Test(arguments: [nil, "k"]) func anActionHasAnUnknownOutcomeIfItsHandlerThrowsAnUnexpectedError(key: String?) async throws {
        let handlers = try await HandlerService()
        for error in Self.rejections { #expect(try await handlers.failure(key: key) { _ in throw error }.outcome == .notPerformed) }
        #expect(try await handlers.failure(key: key) { _ in throw Failure() }.outcome == .unknown)
    }

    @Test func anActionHasAnUnknownOutcomeIfItFailsAfterACommit() async throws {
        let handlers = try await HandlerService()
        for error in Self.rejections + [Failure()] {
            let failure = try await handlers.failure { attempt in
                attempt.noteCommit()
                throw error
            }
            #expect(failure.outcome == .unknown)
            let cause: any Error = error is DataUnavailable ? DeadlineFault.outcomeUnknown(hasKey: true) : error
            #expect("\(failure.cause)" == "\(cause)")
        }
    }

    /// The receipt is from this attempt itself, so it does not prove that another attempt has performed the action.
    @Test func anAttemptThrowsItsErrorIfItFailsAfterItHasStoredItsReceipt() async throws {
        let handlers = try await HandlerService()
        await #expect(throws: Failure.self) {
            try await handlers.perform { attempt in
                try await handlers.receipts.keep(attempt.receipt!)
                attempt.noteCommit()
                throw Failure()
            }
        }
    }

    @Test func anActionHasAnUnknownOutcomeIfItsCommitHasAnUnknownOutcome() async throws {
        let handlers = try await HandlerService()
        for error in Self.rejections + [Failure(), nil] as [(any Error)?] {
            await #expect(throws: DeadlineFault.outcomeUnknown(hasKey: true)) {
                try await handlers.perform { attempt in
                    attempt.noteCommit(.unknown)
                    if let error { throw error }
                }
            }
        }
        #expect(try await !handlers.hasReceipt)
    }

    @Test func anUnknownOutcomeOfAnEarlierCommitDoesNotReplaceTheErrorOfTheHandler() async throws {
        let handlers = try await HandlerService()
        await #expect(throws: BrokenRules([])) {
            try await handlers.perform { attempt in
                for outcome in [.committed(at: nil), .unknown, .committed(at: nil)] as [ActionTransaction.Outcome] {
                    attempt.noteCommit(outcome, withReceipt: false)
                }
                throw BrokenRules([])
            }
        }
    }

    @Test func anActionHasAnUnknownOutcomeIfItsSecondCommitHasAnUnknownOutcome() async throws {
        let handlers = try await HandlerService()
        for (outcome, cause) in [(.unknown, DeadlineFault.outcomeUnknown(hasKey: true)), (.undone, BrokenRules([]))]
            as [(ActionTransaction.Outcome, any Error)]
        {
            let failure = try await handlers.failure { attempt in
                attempt.noteCommit()
                attempt.noteCommit(outcome)
                throw BrokenRules([])
            }
            #expect("\(failure.cause)" == "\(cause)")
        }
    }

    @Test func aFailedAttemptReportsSuccessIfAnotherAttemptHasPerformedTheAction() async throws {
        let handlers = try await HandlerService()
        try await handlers.perform { attempt in
            try await handlers.receipts.keep(attempt.receipt!)
            throw Failure()
        }
    }

    @Test func anActionHasAnUnknownOutcomeIfAnotherReplicaUsesItsKeyWhileItRuns() async throws {
        let handlers = try await HandlerService()
        let key = ActionReceipt.Key(user: "u", screen: HandlerScreen.name, action: "do", text: "k")
        let failure = try await handlers.failure { _ in
            try await handlers.receipts.keep(ActionReceipt(key: key, request: Version(high: 1, low: 2), performedAt: 1000))
        }
        #expect(failure.outcome == .unknown)
    }

    @Test func aTransactionThatUsesTheTopicsOfAnotherServiceIsRejected() async throws {
        let handlers = try await HandlerService()
        await #expect(throws: TopicsMismatch()) {
            try await handlers.perform { try await $0.transaction(announcingTo: Topics()) { _ in } }
        }
        #expect(try await !handlers.hasReceipt)
    }
}
