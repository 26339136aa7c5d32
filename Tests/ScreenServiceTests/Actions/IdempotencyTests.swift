@testable import ScreenService
import ScreenWire
import Synchronization
import Testing

struct IdempotencyTests {
    @Test func theSameKeyWithTheSameInputIsDoneOnceAndAnsweredAgain() async throws {
        let letters = try await LetterService()
        let version = try await letters.service.snapshot(of: letters.view()).value.version
        let first = try await letters.service.perform(.add("d", from: version, key: "k"), on: letters.view())
        let again = try await letters.service.perform(.add("d", from: version, key: "k"), on: letters.view())
        #expect(again.bytes == first.bytes)
        #expect(try await letters.store.read("everyone") == ["a", "b", "c", "d"])
    }

    @Test(arguments: [(Int64.min, false), (0, false), (90_000, true), (.max, true)])
    func aReceiptOfAnyStoredTimeIsAliveOrNot(_ example: (performedAt: Int64, isAlive: Bool)) {
        let key = ActionReceipt.Key(user: "u", screen: "s", action: "a", text: "k")
        let receipt = ActionReceipt(key: key, request: Version(high: 0, low: 0), performedAt: example.performedAt)
        #expect(receipt.isAlive(at: 100_000) == example.isAlive)
    }

    @Test func theVersionMayHaveMovedOnMeanwhile() async throws {
        let letters = try await LetterService()
        let first = try await letters.service.perform(.add("d", key: "k"), on: letters.view())
        let again = try await letters.service.perform(.add("d", from: first.version, key: "k"), on: letters.view())
        #expect(again.version == first.version)
        #expect(again.text.hasSuffix(#""stages":[]}"#))
    }

    @Test func theSameKeyWithAnotherInputIsRefused() async throws {
        let letters = try await LetterService()
        _ = try await letters.service.perform(.add("d", key: "k"), on: letters.view())
        await #expect(throws: ActionFault.keyOfOtherRequest) {
            try await letters.service.perform(.add("e", key: "k"), on: letters.view())
        }
        await #expect(throws: ActionFault.keyOfOtherRequest) {
            try await letters.service.perform(.add("d", key: "k"), on: letters.view(["limit": "2"]))
        }
        #expect(try await letters.store.read("everyone") == ["a", "b", "c", "d"])
    }

    @Test func aKeyBelongsToAUserAndAnAction() async throws {
        let letters = try await LetterService()
        for user in ["u", "v"] { _ = try await letters.service.perform(.add("d", key: "k", user: user), on: letters.view()) }
        _ = try await letters.service.perform(.of("clear", .object([]), key: "k"), on: letters.view())
        #expect(try await letters.store.read("everyone") == [])
    }

    @Test func aKeyIsRememberedForADay() async throws {
        let time = Time()
        let letters = try await LetterService(now: { time.seconds })
        _ = try await letters.service.perform(.add("d", key: "k"), on: letters.view())
        time.seconds += 24 * 3600 - 1
        _ = try await letters.service.perform(.add("d", key: "k"), on: letters.view())
        #expect(try await letters.store.read("everyone") == ["a", "b", "c", "d"])
        time.seconds += 1
        _ = try await letters.service.perform(.add("d", key: "k"), on: letters.view())
        #expect(try await letters.store.read("everyone") == ["a", "b", "c", "d", "d"])
    }

    @Test func whatFailedMayBeTriedAgainUnderItsKey() async throws {
        let letters = try await LetterService()
        letters.store.fail(DataUnavailable(reason: "busy"))
        await #expect(throws: DataUnavailable(reason: "busy")) {
            try await letters.service.perform(.add("d", key: "k"), on: letters.view())
        }
        _ = try await letters.service.perform(.add("d", key: "k"), on: letters.view())
        #expect(try await letters.store.read("everyone") == ["a", "b", "c", "d"])
    }

    @Test func nothingIsDoneWhereReceiptsCannotBeLookedAt() async throws {
        let gone = DataUnavailable(reason: "gone")
        let letters = try await LetterService(receipts: UnreachableReceipts(error: gone))
        await #expect(throws: gone) { try await letters.service.perform(.add("d", key: "k"), on: letters.view()) }
        #expect(try await letters.store.read("everyone") == ["a", "b", "c"])
    }

    /// What the first look has not found may have been on its way to being committed.
    @Test(arguments: [false, true], [false, true])
    func whereAnActionFailsBeforeItsReceiptIsClaimedAnotherReplicaMayHaveDoneIt(isAlone: Bool, canLookAgain: Bool) async throws {
        let gone = DataUnavailable(reason: "gone")
        let receipts = UnreachableReceipts(error: gone, lookCount: canLookAgain ? 2 : 1)
        let letters = try await LetterService(heard: isAlone ? nil : HeardCommits(), receipts: receipts)
        letters.store.fail(gone)
        let expected: any Error = isAlone ? gone : DeadlineFault.outcomeUnknown(hasKey: true)
        let error = await #expect(throws: (any Error).self) {
            try await letters.service.perform(.add("d", key: "k"), on: letters.view())
        }
        #expect("\(error!)" == "\(expected)")
    }

    @Test func aRequestWhoseTwinIsUnderWayIsTurnedAway() async throws {
        let letters = try await LetterService()
        let gate = letters.store.hold()
        let first = Task { try await letters.service.perform(.add("d", key: "k"), on: letters.view()) }
        await gate.isReached()
        await #expect(throws: ActionFault.underWay) {
            try await letters.service.perform(.add("d", key: "k"), on: letters.view())
        }
        gate.open()
        _ = try await first.value
        _ = try await letters.service.perform(.add("d", key: "k"), on: letters.view())
        #expect(try await letters.store.read("everyone") == ["a", "b", "c", "d"])
    }

    @Test func aCallerAtTheBoundOfReceiptsMayActWithoutAKeyOrRepeat() async throws {
        let cost = ActionReceipt.cost(ofKeyBytes: ActionReceipt.Key(user: "u", screen: "letters", action: "add", text: "k").byteCount)
        let letters = try await LetterService(receiptBounds: ReceiptBounds(bytes: 10 * cost, bytesPerCaller: cost))
        func asked(_ letter: String, key: String?, by limitKey: LimitKey) -> ActionRequest {
            var caller = Caller.user("u")
            caller.limitKey = limitKey
            let input: JSONValue = .object([.init("letter", .string(letter))])
            return ActionRequest(action: "add", caller: caller, version: nil, input: input, idempotencyKey: key)
        }
        let (flooding, other) = (LimitKey.address(high: 0, low: 1), LimitKey.address(high: 0, low: 2))
        _ = try await letters.service.perform(asked("d", key: "k", by: flooding), on: letters.view())
        let failure = await #expect(throws: ActionFailure.self) {
            try await letters.service.attempt(asked("e", key: "l", by: flooding), on: letters.view())
        }
        guard case .receiptsFull(ofCaller: true, _) = failure?.cause as? ActionFault else { throw try #require(failure) }
        #expect(failure?.outcome == .notPerformed)
        _ = try await letters.service.perform(asked("d", key: "k", by: flooding), on: letters.view())
        _ = try await letters.service.perform(asked("f", key: nil, by: flooding), on: letters.view())
        _ = try await letters.service.perform(asked("g", key: "m", by: other), on: letters.view())
        #expect(try await letters.store.read("everyone") == ["a", "b", "c", "d", "f", "g"])
        #expect(letters.service.receiptCounts == (2, 2 * cost, 1))
    }

    @Test func anActionThatFailsTakesNoRoomOfReceipts() async throws {
        let letters = try await LetterService()
        await #expect(throws: BrokenRules.self) { try await letters.service.perform(.add("x", key: "k"), on: letters.view()) }
        #expect(letters.service.receiptCounts == (0, 0, 0))
    }

    @Test func receiptsOfEarlierProcessesCount() async throws {
        let receipts = ReceiptsInMemory()
        let first = try await LetterService(receipts: receipts)
        _ = try await first.service.perform(.add("d", key: "k"), on: first.view())
        let second = try await LetterService(receipts: receipts)
        let counting = Task { await second.service.countReceipts() }
        while second.service.receiptCounts.receipts == 0 { await Task.yield() }
        #expect(second.service.receiptCounts == first.service.receiptCounts)
        counting.cancel()
        await counting.value
    }

    @Test(arguments: [nil, "k"]) func aHandlerIsGivenTheKey(key: String?) async throws {
        let deeds = try await Deeds(deadline: .after(.seconds(3600)))
        try await deeds.attempt(key: key) { _ in }
        #expect(deeds.screen.keys.withLock { $0 } == [key])
    }

    @Test func aStoreThatTakesTheReceiptAlongIsNotAskedTwice() async throws {
        let receipts = CountingReceipts()
        let letters = try await LetterService(receipts: receipts)
        letters.store.takesReceipts = true
        _ = try await letters.service.perform(.add("d", key: "k"), on: letters.view())
        #expect(receipts.keptCount == 0)
        letters.store.takesReceipts = false
        _ = try await letters.service.perform(.add("e", key: "l"), on: letters.view())
        #expect(receipts.keptCount == 1)
    }
}

/// A clock that stands still until a test moves it.
final class Time: Sendable {
    private let now = Atomic<Int64>(1000)

    var seconds: Int64 {
        get { now.load(ordering: .relaxed) }
        set { now.store(newValue, ordering: .relaxed) }
    }
}

/// Receipts of which none is there, and which can be looked at some times.
final class UnreachableReceipts: ReceiptStoring {
    private let error: DataUnavailable
    private let lookCount: Atomic<Int>

    init(error: DataUnavailable, lookCount: Int = 0) {
        self.error = error
        self.lookCount = Atomic(lookCount)
    }

    func receipt(for key: ActionReceipt.Key) async throws -> ActionReceipt? {
        if lookCount.subtract(1, ordering: .relaxed).oldValue <= 0 { throw error }
        return nil
    }

    func keep(_ receipt: ActionReceipt) async throws { throw error }
}

private final class CountingReceipts: ReceiptStoring {
    private let count = Atomic(0)

    var keptCount: Int { count.load(ordering: .relaxed) }

    func receipt(for key: ActionReceipt.Key) async throws -> ActionReceipt? { nil }

    func keep(_ receipt: ActionReceipt) async throws {
        count.add(1, ordering: .relaxed)
    }
}
