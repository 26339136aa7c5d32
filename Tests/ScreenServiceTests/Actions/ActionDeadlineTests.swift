import LogLines
@testable import ScreenService
import ScreenWire
import Testing

@Suite("Deadlines of actions", .timeLimit(.minutes(1))) struct ActionDeadlineTests {
    private let time = HeldDeadline()

    /// Performs an action that hangs until its deadline.
    private func hang(_ letters: LetterService, _ request: ActionRequest) async throws -> (Gate, any Error) {
        let gate = letters.store.hold()
        let asker = Task { try await letters.service.perform(request, on: letters.view()) }
        await gate.isReached()
        time.pass()
        let error = await #expect(throws: (any Error).self) { try await asker.value }
        time.renew()
        return (gate, try #require(error))
    }

    @Test(arguments: [nil, "k"]) func whatADeedThatHangsDoesOutsideOfTransactionsIsNotKnown(key: String?) async throws {
        let lines = LogLines()
        let letters = try await LetterService(deadline: time.deadline, logger: lines.logger)
        let (gate, error) = try await hang(letters, .add("d", key: key))
        #expect(error as? DeadlineFault == .outcomeUnknown(hasKey: key != nil))
        #expect(lines.all == ["warning: an action took too long: isUndone=false screen=letters"])
        #expect(letters.service.stragglerCount == 1)
        gate.open()
        while letters.service.stragglerCount > 0 { await Task.yield() }
    }

    @Test func anActionThatIsGivenADeadlineHasNoOther() async throws {
        let own = HeldDeadline()
        let letters = try await LetterService(deadline: time.deadline)
        let gate = letters.store.hold()
        let asker = Task { try await letters.service.perform(.add("d"), on: letters.view(), within: own.deadline) }
        await gate.isReached()
        time.pass()
        #expect(letters.service.stragglerCount == 0)
        own.pass()
        await #expect(throws: DeadlineFault.outcomeUnknown(hasKey: false)) { try await asker.value }
        gate.open()
        while letters.service.stragglerCount > 0 { await Task.yield() }
    }

    @Test func whatIsDoneAfterTheDeadlineIsDoneUnderItsKey() async throws {
        let letters = try await LetterService(deadline: time.deadline)
        let (gate, _) = try await hang(letters, .add("d", key: "k"))
        gate.open()
        while letters.service.stragglerCount > 0 { await Task.yield() }
        let answer = try await letters.service.perform(.add("d", key: "k"), on: letters.view())
        #expect(answer.text.contains("the letter d"))
        #expect(try await letters.store.read("everyone") == ["a", "b", "c", "d"])
    }

    /// Its client may have asked before under the same key, and heard nothing.
    @Test func aDeedThatHasNotBegunInTimeIsNotDoneButMayHaveBeenBefore() async throws {
        let receipts = HeldReceipts()
        let letters = try await LetterService(receipts: receipts, deadline: time.deadline)
        let asker = Task { try await letters.service.perform(.add("d", key: "k"), on: letters.view()) }
        await receipts.gate.isReached()
        time.pass()
        await #expect(throws: DeadlineFault.outcomeUnknown(hasKey: true)) { try await asker.value }
        receipts.gate.open()
        while letters.service.stragglerCount > 0 { await Task.yield() }
        #expect(try await letters.store.read("everyone") == ["a", "b", "c"])
    }

    @Test func anAnswerThatHangsSaysThatTheActionWasPerformed() async throws {
        let letters = try await LetterService(deadline: time.deadline)
        let gate = letters.store.hold()
        let asker = Task { try await letters.service.perform(.of("clear", .object([])), on: letters.view()) }
        await gate.isReached()
        time.pass()
        await #expect(throws: ActionFault.performedButNotAnswered) { try await asker.value }
        #expect(try await letters.store.read("everyone") == [])
        gate.open()
    }

    @Test func whoLeavesDoesNotTakeTheDeedAlong() async throws {
        let letters = try await LetterService(deadline: time.deadline)
        let gate = letters.store.hold()
        let asker = Task { try await letters.service.perform(.add("d", key: "k"), on: letters.view()) }
        await gate.isReached()
        asker.cancel()
        gate.open()
        _ = try await asker.value
        #expect(try await letters.store.read("everyone") == ["a", "b", "c", "d"])
    }

    @Test func whereTooManyDeedsOfAScreenHangNoMoreBegins() async throws {
        let letters = try await LetterService(deadline: time.deadline)
        var gates: [Gate] = []
        for _ in 0..<Stragglers.limit { gates.append(try await hang(letters, .add("d")).0) }
        await #expect(throws: DeadlineFault.tooMuchHangs) { try await letters.service.perform(.add("d"), on: letters.view()) }
        await #expect(throws: DeadlineFault.tooMuchHangs) { try await letters.service.perform(.add("d", key: "k"), on: letters.view()) }
        #expect(letters.service.actionCounts.refused == 2)
        _ = try await letters.service.snapshot(of: letters.view()).value
        for gate in gates { gate.open() }
        while letters.service.stragglerCount > 0 { await Task.yield() }
        _ = try await letters.service.perform(.add("e"), on: letters.view())
    }
}

/// Receipts that are looked for in vain, and long.
private struct HeldReceipts: ReceiptStoring {
    let gate = Gate()

    func receipt(for key: ActionReceipt.Key) async throws -> ActionReceipt? {
        await gate.pass()
        return nil
    }

    func keep(_ receipt: ActionReceipt) async throws {}
}
