@testable import ScreenService
import ScreenWire
import Testing

/// An unknown outcome is never stated as not performed.
@Suite("Outcomes of actions that fail", .timeLimit(.minutes(1))) struct ActionOutcomeTests {
    private struct Failure: Error {}
    private typealias Outcome = ProblemDocument.Outcome

    private let time = HeldDeadline()

    private func failure(_ letters: LetterService, _ request: ActionRequest) async throws -> ActionFailure {
        try #require(await #expect(throws: ActionFailure.self) { try await letters.service.attempt(request, on: letters.view()) })
    }

    private func outcome(
        _ deeds: Deeds, key: String? = "k", _ deed: @escaping @Sendable (ActionAttempt) async throws -> Void
    ) async throws -> Outcome? {
        try await #require(#expect(throws: ActionFailure.self) { try await deeds.attempt(key: key, deed) }).outcome
    }

    @Test func aRequestRefusedBeforeItsHandlerIsNotPerformed() async throws {
        let letters = try await LetterService()
        for request in [ActionRequest.of("fly", .object([])), .of("add", .object([])), .add("dd", key: "k")] {
            #expect(try await failure(letters, request).outcome == .notPerformed)
        }
    }

    @Test(arguments: [nil, "k"]) func aHandlerThatThrowsFromItsTransactionHasNotPerformed(key: String?) async throws {
        let deeds = try await Deeds(deadline: time.deadline)
        for error in [BrokenRules([]), DataUnavailable(reason: "gone"), ScreenError.noSuchValue(parameter: "q", detail: "")] as [any Error] {
            #expect(try await outcome(deeds, key: key) { _ in throw error } == .notPerformed)
        }
    }

    @Test(arguments: [nil, "k"]) func anUnforeseenErrorOfTheHandlerIsUnknown(key: String?) async throws {
        let deeds = try await Deeds(deadline: time.deadline)
        #expect(try await outcome(deeds, key: key) { _ in throw Failure() } == .unknown)
    }

    @Test func aFailureAfterItsOwnCommitIsUnknown() async throws {
        let deeds = try await Deeds(deadline: time.deadline)
        #expect(try await outcome(deeds) { attempt in
            attempt.noteCommit()
            throw BrokenRules([])
        } == .unknown)
    }

    @Test func anotherRequestUnderTheSameKeyIsNotPerformed() async throws {
        let letters = try await LetterService()
        _ = try await letters.service.perform(.add("d", key: "k"), on: letters.view())
        #expect(try await failure(letters, .add("e", key: "k")).outcome == .notPerformed)
    }

    @Test func anActionPerformedWhileAnotherReplicaStoredAReceiptUnderItsKeyIsUnknown() async throws {
        let deeds = try await Deeds(deadline: time.deadline)
        let key = ActionReceipt.Key(user: "u", screen: DeedScreen.name, action: "do", text: "k")
        #expect(try await outcome(deeds) { _ in
            try await deeds.receipts.keep(ActionReceipt(key: key, request: Version(high: 1, low: 2), performedAt: 1000))
        } == .unknown)
    }

    @Test func aRequestWhileTheFirstIsInProgressIsUnknown() async throws {
        let letters = try await LetterService()
        let gate = letters.store.hold()
        let first = Task { try await letters.service.perform(.add("d", key: "k"), on: letters.view()) }
        await gate.isReached()
        #expect(try await failure(letters, .add("d", key: "k")).outcome == .unknown)
        gate.open()
        _ = try await first.value
    }

    @Test func aRequestWhoseReceiptCannotBeLookedAtIsUnknown() async throws {
        let letters = try await LetterService(receipts: UnreachableReceipts(error: DataUnavailable(reason: "gone")))
        #expect(try await failure(letters, .add("d", key: "k")).outcome == .unknown)
    }

    @Test func aRequestForWhichThereIsNoRoomIsUnknownUnderAKey() async throws {
        let letters = try await LetterService(deadline: time.deadline)
        var gates: [Gate] = []
        for _ in 0..<Stragglers.limit {
            let gate = letters.store.hold()
            let first = Task { try await letters.service.perform(.add("d"), on: letters.view()) }
            await gate.isReached()
            time.pass()
            await #expect(throws: DeadlineFault.outcomeUnknown(hasKey: false)) { try await first.value }
            time.renew()
            gates.append(gate)
        }
        #expect(try await failure(letters, .add("d")).outcome == .notPerformed)
        #expect(try await failure(letters, .add("d", key: "k")).outcome == .unknown)
        for gate in gates { gate.open() }
        while letters.service.stragglerCount > 0 { await Task.yield() }
    }

    @Test(arguments: [false, true]) func pastTheDeadlineTheOutcomeIsKnownOnlyWithinATransaction(isInTransaction: Bool) async throws {
        let deeds = try await Deeds(deadline: time.deadline)
        let gate = Gate()
        let asker = Task {
            try await outcome(deeds) { attempt in
                guard isInTransaction else { return await gate.pass() }
                try await attempt.transaction(announcingTo: deeds.service.topics) { transaction in
                    await gate.pass()
                    try transaction.beginCommit()
                }
            }
        }
        await gate.isReached()
        time.pass()
        #expect(try await asker.value == (isInTransaction ? .notPerformed : .unknown))
        gate.open()
        await deeds.settle()
    }
}
