import ScreenWire
import Synchronization
import Testing

@testable import ScreenService

@Suite("Idempotency keys") struct IdempotencyTests {
    @Test func anActionIsPerformedOnceIfItsRequestIsRepeatedWithTheSameKey() async throws {
        let letters = try await LetterService()
        let version = try await letters.service.snapshot(of: letters.view()).value.version
        let first = try await letters.service.perform(.add("d", from: version, key: "k"), on: letters.view())
        let again = try await letters.service.perform(.add("d", from: version, key: "k"), on: letters.view())
        #expect(again.bytes == first.bytes)
        #expect(try await letters.store.read("everyone") == ["a", "b", "c", "d"])
    }

    @Test(arguments: [(Int64.min, false), (0, false), (90_000, true), (.max, true)])
    func theAgeOfAReceiptIsComputedWithoutAnOverflowForAnyStoredTime(_ example: (performedAt: Int64, isAlive: Bool)) {
        let key = ActionReceipt.Key(user: "u", screen: "s", action: "a", text: "k")
        let receipt = ActionReceipt(key: key, request: Version(high: 0, low: 0), performedAt: example.performedAt)
        #expect(receipt.isAlive(at: 100_000) == example.isAlive)
    }

    @Test func aRepeatedActionRequestCanContainANewerVersion() async throws {
        let letters = try await LetterService()
        let first = try await letters.service.perform(.add("d", key: "k"), on: letters.view())
        let again = try await letters.service.perform(.add("d", from: first.version, key: "k"), on: letters.view())
        #expect(again.version == first.version)
        #expect(again.text.hasSuffix(#""stages":[]}"#))
    }

    @Test func aRequestWithAUsedKeyAndADifferentInputIsRejected() async throws {
        let letters = try await LetterService()
        _ = try await letters.service.perform(.add("d", key: "k"), on: letters.view())
        let failure = try await letters.failure(.add("e", key: "k"))
        #expect(failure.cause as? ActionFault == .keyOfOtherRequest)
        #expect(failure.outcome == .notPerformed)
        await #expect(throws: ActionFault.keyOfOtherRequest) {
            try await letters.service.perform(.add("d", key: "k"), on: letters.view(["limit": "2"]))
        }
        #expect(try await letters.store.read("everyone") == ["a", "b", "c", "d"])
    }

    @Test func differentUsersAndDifferentActionsCanUseTheSameKey() async throws {
        let letters = try await LetterService()
        for user in ["u", "v"] { _ = try await letters.service.perform(.add("d", key: "k", user: user), on: letters.view()) }
        _ = try await letters.service.perform(.of("clear", .object([]), key: "k"), on: letters.view())
        #expect(try await letters.store.read("everyone") == [])
    }

    @Test func aReceiptExpiresAfterADay() async throws {
        let clock = ManualClock()
        let letters = try await LetterService(clock: clock)
        _ = try await letters.service.perform(.add("d", key: "k"), on: letters.view())
        clock.advance(by: .seconds(24 * 3600 - 1))
        _ = try await letters.service.perform(.add("d", key: "k"), on: letters.view())
        #expect(try await letters.store.read("everyone") == ["a", "b", "c", "d"])
        clock.advance(by: .seconds(1))
        _ = try await letters.service.perform(.add("d", key: "k"), on: letters.view())
        #expect(try await letters.store.read("everyone") == ["a", "b", "c", "d", "d"])
    }

    @Test func aFailedActionCanBeRepeatedWithTheSameKey() async throws {
        let letters = try await LetterService()
        letters.store.fail(DataUnavailable(reason: "busy"))
        await #expect(throws: DataUnavailable(reason: "busy")) {
            try await letters.service.perform(.add("d", key: "k"), on: letters.view())
        }
        _ = try await letters.service.perform(.add("d", key: "k"), on: letters.view())
        #expect(try await letters.store.read("everyone") == ["a", "b", "c", "d"])
    }

    @Test func anActionWithAKeyIsNotPerformedIfReceiptsCannotBeRead() async throws {
        let gone = DataUnavailable(reason: "gone")
        let letters = try await LetterService(receipts: UnreachableReceipts(error: gone))
        let failure = try await letters.failure(.add("d", key: "k"))
        #expect(failure.cause as? DataUnavailable == gone)
        #expect(failure.outcome == .unknown)
        #expect(try await letters.store.read("everyone") == ["a", "b", "c"])
    }

    /// Another replica may be committing a receipt for the same key. The look-ups may not find this receipt yet, so the outcome is
    /// unknown.
    @Test(arguments: [false, true], [false, true])
    func anActionThatFailsWithoutAReceiptHasAnUnknownOutcomeIfOtherReplicasExist(isAlone: Bool, canLookAgain: Bool) async throws {
        let gone = DataUnavailable(reason: "gone")
        let receipts = UnreachableReceipts(error: gone, lookCount: canLookAgain ? 2 : 1)
        let letters = try await LetterService(received: isAlone ? nil : ReceivedCommits(), receipts: receipts)
        letters.store.fail(gone)
        let expected: any Error = isAlone ? gone : DeadlineFault.outcomeUnknown(hasKey: true)
        let error = await #expect(throws: (any Error).self) {
            try await letters.service.perform(.add("d", key: "k"), on: letters.view())
        }
        #expect("\(error!)" == "\(expected)")
    }

    @Test func aRepeatedRequestIsRejectedWhileTheFirstRequestIsInProgress() async throws {
        let letters = try await LetterService()
        let gate = letters.store.hold()
        let first = Task { try await letters.service.perform(.add("d", key: "k"), on: letters.view()) }
        await gate.isReached()
        let failure = try await letters.failure(.add("d", key: "k"))
        #expect(failure.cause as? ActionFault == .keyInProgress)
        #expect(failure.outcome == .unknown)
        gate.open()
        _ = try await first.value
        _ = try await letters.service.perform(.add("d", key: "k"), on: letters.view())
        #expect(try await letters.store.read("everyone") == ["a", "b", "c", "d"])
    }

    @Test func aCallerWithTooManyReceiptsCanRepeatRequestsAndSendRequestsWithoutAKey() async throws {
        let cost = ActionReceipt.cost(ofKeyBytes: ActionReceipt.Key(user: "u", screen: "letters", action: "add", text: "k").byteCount)
        let letters = try await LetterService(receiptBounds: ReceiptBounds(bytes: 10 * cost, bytesPerCaller: cost))
        func request(_ letter: String, key: String?, by limitKey: LimitKey) -> ActionRequest {
            var caller = Caller.user("u")
            caller.limitKey = limitKey
            let input: JSONValue = .object([.init("letter", .string(letter))])
            return ActionRequest(action: "add", caller: caller, version: nil, input: input, idempotencyKey: key)
        }
        let (flooding, other) = (LimitKey.address(high: 0, low: 1), LimitKey.address(high: 0, low: 2))
        _ = try await letters.service.perform(request("d", key: "k", by: flooding), on: letters.view())
        let failure = await #expect(throws: ActionFailure.self) {
            try await letters.service.attempt(request("e", key: "l", by: flooding), on: letters.view())
        }
        guard case .receiptsFull(ofCaller: true, _) = failure?.cause as? ActionFault else { throw try #require(failure) }
        #expect(failure?.outcome == .notPerformed)
        _ = try await letters.service.perform(request("d", key: "k", by: flooding), on: letters.view())
        _ = try await letters.service.perform(request("f", key: nil, by: flooding), on: letters.view())
        _ = try await letters.service.perform(request("g", key: "m", by: other), on: letters.view())
        #expect(try await letters.store.read("everyone") == ["a", "b", "c", "d", "f", "g"])
        #expect(letters.service.receiptCounts == (2, 2 * cost, 1))
    }

    @Test func aFailedActionDoesNotIncreaseTheNumberOfReceipts() async throws {
        let letters = try await LetterService()
        await #expect(throws: BrokenRules.self) { try await letters.service.perform(.add("x", key: "k"), on: letters.view()) }
        #expect(letters.service.receiptCounts == (0, 0, 0))
    }

    @Test func aServiceCountsTheReceiptsThatEarlierProcessesStored() async throws {
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

    @Test(arguments: [nil, "k"]) func aHandlerReceivesTheIdempotencyKeyOfTheRequest(key: String?) async throws {
        let handlers = try await HandlerService()
        try await handlers.perform(key: key) { _ in }
        #expect(handlers.screen.keys.withLock { $0 } == [key])
    }

    @Test func aReceiptThatWasCommittedWithItsActionIsNotStoredAgain() async throws {
        let receipts = CountingReceipts()
        let letters = try await LetterService(receipts: receipts)
        letters.store.storesReceipts = true
        _ = try await letters.service.perform(.add("d", key: "k"), on: letters.view())
        #expect(receipts.storedCount == 0)
        letters.store.storesReceipts = false
        _ = try await letters.service.perform(.add("e", key: "l"), on: letters.view())
        #expect(receipts.storedCount == 1)
    }
}

/// An empty store of receipts. The first `lookCount` look-ups succeed. All later look-ups and all attempts to store a receipt
/// fail.
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

    var storedCount: Int { count.load(ordering: .relaxed) }

    func receipt(for key: ActionReceipt.Key) async throws -> ActionReceipt? { nil }

    func keep(_ receipt: ActionReceipt) async throws {
        count.add(1, ordering: .relaxed)
    }
}
