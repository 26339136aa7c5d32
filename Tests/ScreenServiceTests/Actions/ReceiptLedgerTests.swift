import Testing

@testable import ScreenService

@Suite("Limits of receipts") struct ReceiptLedgerTests {
    private static let hour: Int64 = 3600
    private let clock = ManualClock(at: 100 * hour)

    private func ledger(bytes: Int = 1000, perCaller: Int = 300) -> ReceiptLedger {
        ReceiptLedger(bounds: ReceiptBounds(bytes: bytes, bytesPerCaller: perCaller)) { [clock] in clock.now }
    }

    private func store(_ bytes: Int, of caller: LimitKey, in ledger: ReceiptLedger) throws {
        ledger.end(try ledger.reserve(bytes, for: caller), isStored: true)
    }

    @Test func aCallerWithTooManyReceiptsIsRejectedUntilItsReceiptsExpire() throws {
        let ledger = ledger()
        try store(200, of: .user("u"), in: ledger)
        clock.advance(by: .seconds(Self.hour))
        try store(100, of: .user("u"), in: ledger)
        let fault = ActionFault.receiptsFull(ofCaller: true, retryAfter: Int(24 * Self.hour))
        #expect(throws: fault) { try ledger.reserve(1, for: .user("u")) }
        try store(300, of: .address(high: 0, low: 1), in: ledger)
        clock.advance(by: .seconds(24 * Self.hour - 1))
        #expect(throws: ActionFault.receiptsFull(ofCaller: true, retryAfter: 1)) { try ledger.reserve(1, for: .user("u")) }
        clock.advance(by: .seconds(1))
        try store(200, of: .user("u"), in: ledger)
        #expect(throws: ActionFault.self) { try ledger.reserve(1, for: .user("u")) }
        #expect(ledger.counts == (3, 600, 3))
    }

    @Test func theTotalSizeOfTheReceiptsOfAllCallersIsLimited() throws {
        let ledger = ledger(bytes: 500)
        for user in ["u", "v"] { try store(200, of: .user(user), in: ledger) }
        let fault = ActionFault.receiptsFull(ofCaller: false, retryAfter: Int(Self.hour))
        #expect(throws: fault) { try ledger.reserve(101, for: .user("w")) }
        try store(100, of: .user("w"), in: ledger)
        #expect(ledger.counts == (3, 500, 1))
    }

    /// If receipts of attempts in progress were not counted, concurrent actions could exceed the limit.
    @Test func theReceiptOfAnAttemptInProgressCountsTowardsTheLimit() throws {
        let ledger = ledger(bytes: 400)
        let reservation = try ledger.reserve(200, for: .user("u"))
        #expect(throws: ActionFault.self) { try ledger.reserve(200, for: .user("u")) }
        let other = try ledger.reserve(200, for: .user("v"))
        #expect(throws: ActionFault.self) { try ledger.reserve(1, for: .user("w")) }
        for each in [reservation, other] { ledger.end(each, isStored: false) }
        try store(300, of: .user("u"), in: ledger)
        #expect(ledger.counts.bytes == 300)
    }

    @Test func aRecountReplacesTheCountedReceiptsWithTheReceiptsInTheStore() async throws {
        let ledger = ledger()
        let inProgress = try ledger.reserve(10, for: .user("u"))
        try store(100, of: .user("u"), in: ledger)
        let old = clock.now / Self.hour - 24
        try await ledger.recount { now in
            #expect(now == 100 * Self.hour)
            try self.store(20, of: .user("u"), in: ledger)
            return [ReceiptHolding(hour: old, count: 2, bytes: 400), ReceiptHolding(hour: old + 1, count: 1, bytes: 100)]
        }
        ledger.end(inProgress, isStored: true)
        #expect(ledger.counts == (5, 530, 0))
        clock.advance(by: .seconds(Self.hour))
        #expect(ledger.counts == (3, 130, 0))
    }

    @Test(arguments: [false, true]) func aRecountChangesNothingIfTheStoreCannotCountItsReceipts(isFailing: Bool) async throws {
        struct Failure: Error {}
        let ledger = ledger()
        try store(100, of: .user("u"), in: ledger)
        try? await ledger.recount { _ in if isFailing { throw Failure() } else { nil } }
        #expect(ledger.counts.bytes == 100)
        clock.advance(by: .seconds(25 * Self.hour))
        #expect(ledger.counts.bytes == 0)
    }

    @Test func aCallerWithManyReceiptsIsStillLimitedAfterOtherCallersWereEvicted() throws {
        let ledger = ledger(bytes: 1 << 30)
        try store(300, of: .user("u"), in: ledger)
        for number in 0..<ReceiptLedger.callerLimit + 1 { try store(1, of: .address(high: 0, low: UInt64(number)), in: ledger) }
        #expect(throws: ActionFault.self) { try ledger.reserve(1, for: .user("u")) }
        #expect(ledger.callerCount <= ReceiptLedger.callerLimit)
    }
}
