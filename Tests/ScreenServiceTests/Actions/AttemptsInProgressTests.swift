import Testing

@testable import ScreenService

@Suite("Attempts in progress") struct AttemptsInProgressTests {
    private func attempt(_ key: String? = nil) -> ActionAttempt {
        let receipt = key.map { text in
            ActionReceipt(key: .init(user: "u", screen: "s", action: "a", text: text), request: Version(high: 1, low: 1), performedAt: 1000)
        }
        return ActionAttempt(receipt, for: ReceiptsInMemory(), announcingTo: Topics())
    }

    @Test func anIdempotencyKeyCannotBeUsedAgainUntilItsAttemptHasEnded() throws {
        let table = AttemptsInProgress()
        let (first, second) = (attempt("k"), attempt("k"))
        try table.begin(first, by: .user("u"), on: "s")
        table.noteLate(first)
        #expect(throws: ActionFault.keyInProgress) { try table.begin(second, by: .user("u"), on: "s") }
        #expect(table.counts == (1, 1, 1, 0))
        table.end(first)
        try table.begin(second, by: .user("u"), on: "s")
        #expect(table.counts == (1, 1, 0, 0))
    }

    @Test func attemptsInProgressAreLimitedForEachCallerAndInTotal() throws {
        let table = AttemptsInProgress(bounds: .init(count: 3, countPerCaller: 2))
        let attempts = [attempt("k"), attempt()]
        for attempt in attempts { try table.begin(attempt, by: .address(high: 0, low: 1), on: "s") }
        #expect(throws: ActionFault.tooManyInProgress(ofCaller: true)) {
            try table.begin(attempt(), by: .address(high: 0, low: 1), on: "s")
        }
        let other = attempt()
        try table.begin(other, by: .address(high: 0, low: 2), on: "s")
        #expect(throws: ActionFault.tooManyInProgress(ofCaller: false)) { try table.begin(attempt(), by: .user("u"), on: "s") }
        #expect(table.counts == (3, 1, 0, 2))
        for attempt in attempts + [other] { table.end(attempt) }
        #expect(table.counts == (0, 0, 0, 2))
        try table.begin(attempt("k"), by: .address(high: 0, low: 1), on: "s")
    }

    @Test func aScreenRejectsNewAttemptsIfTooManyAttemptsContinuePastTheirDeadline() throws {
        let table = AttemptsInProgress(bounds: .init(lateCountPerScreen: 1))
        let late = attempt()
        try table.begin(late, by: .user("u"), on: "s")
        table.noteLate(late)
        #expect(throws: DeadlineFault.tooManyStragglers) { try table.begin(attempt(), by: .user("v"), on: "s") }
        let other = attempt()
        try table.begin(other, by: .user("u"), on: "t")
        table.end(late)
        let next = attempt()
        try table.begin(next, by: .user("v"), on: "s")
        withExtendedLifetime((other, next)) {}
    }

    @Test func anAttemptThatHasEndedIsNotCountedAsLate() throws {
        let table = AttemptsInProgress()
        let attempt = attempt()
        try table.begin(attempt, by: .user("u"), on: "s")
        table.end(attempt)
        table.noteLate(attempt)
        table.end(attempt)
        #expect(table.counts == (0, 0, 0, 0))
    }
}
