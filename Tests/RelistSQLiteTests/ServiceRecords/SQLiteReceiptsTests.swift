import Foundation
import Logging
@testable import ScreenService
@testable import RelistSQLite
import TemporaryDatabase
import Testing

@Suite("Receipts in SQLite") struct SQLiteReceiptsTests {
    private struct Refusal: Error {}

    private func receipt(_ text: String = "k", user: String = "u", request: UInt64 = 1, at time: Int64 = 1000) -> ActionReceipt {
        ActionReceipt(
            key: .init(user: user, screen: "s", action: "a", text: text), request: Version(high: .max, low: request),
            performedAt: time
        )
    }

    @Test func aReceiptIsReadBackAfterReopening() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        try await store.receipts.keep(receipt())
        await store.close()
        let reopened = try folder.open()
        #expect(try await reopened.receipts.receipt(for: receipt().key) == receipt())
        #expect(try await reopened.receipts.receipt(for: receipt("l").key) == nil)
        #expect(try await reopened.receipts.receipt(for: receipt(user: "v").key) == nil)
        await reopened.close()
    }

    @Test func aRowThatCannotBeReadIsNotAnAbsentReceipt() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        try await store.receipts.keep(receipt())
        await store.close()
        // The types of user, screen, action, key, request and performedAt in the record (sqlite.org/fileformat2.html, 2.1).
        let types: [UInt8] = [15, 15, 15, 15, 44, 2]
        let place = try #require(Data(contentsOf: URL(fileURLWithPath: folder.database)).firstRange(of: types))
        // Two bytes of something else.
        try folder.overwrite(at: UInt64(place.upperBound - 1), with: [16])
        let reopened = try folder.open()
        await #expect(throws: DataUnavailable(reason: "the database is damaged")) {
            try await reopened.receipts.receipt(for: receipt().key)
        }
        await reopened.close()
    }

    @Test func aWriteTakesTheReceiptOfItsActionAlong() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        let attempt = ActionAttempt(receipt(), for: store.receipts, announcingTo: store.topics)
        try await ActionAttempt.$current.withValue(attempt) { try await store.write { try $0.note("demo") } }
        #expect(attempt.isReceiptKept)
        #expect(try await store.receipts.receipt(for: receipt().key) == receipt())
        await store.close()
    }

    @Test func aReceiptThatIsLookedForElsewhereIsNotKept() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        let attempt = ActionAttempt(receipt(), for: ReceiptsInMemory(), announcingTo: store.topics)
        try await ActionAttempt.$current.withValue(attempt) { try await store.write { try $0.note("demo") } }
        #expect(!attempt.isReceiptKept)
        #expect(try await store.receipts.receipt(for: receipt().key) == nil)
        await store.close()
    }

    @Test func aWriteThatThrowsKeepsNoReceipt() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        let attempt = ActionAttempt(receipt(), for: store.receipts, announcingTo: store.topics)
        await #expect(throws: Refusal.self) {
            try await ActionAttempt.$current.withValue(attempt) {
                try await store.write { store in
                    try store.note("demo")
                    throw Refusal()
                }
            }
        }
        #expect(!attempt.isReceiptKept)
        #expect(try await store.receipts.receipt(for: receipt().key) == nil)
        await store.close()
    }

    @Test func aReceiptIsNotReplacedUntilItIsTooOldToCount() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        try await store.receipts.keep(receipt(request: 1, at: 1000))
        let almost = receipt(request: 2, at: 999 + ActionReceipt.lifetime)
        await #expect(throws: ReceiptTaken()) { try await store.receipts.keep(almost) }
        #expect(try await store.receipts.receipt(for: receipt().key) == receipt(request: 1, at: 1000))
        let new = receipt(request: 2, at: 1000 + ActionReceipt.lifetime)
        try await store.receipts.keep(new)
        #expect(try await store.receipts.receipt(for: receipt().key) == new)
        await store.close()
    }

    @Test func receiptsOfTheLastDayAreCountedByTheHour() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        let now = 50 * 3600 + 1 as Int64
        let day = ActionReceipt.lifetime
        for (text, time) in [("forged", .max), ("old", now - day), ("é", now - day + 1), ("k", 49 * 3600), ("l", 49 * 3600 + 1)] as [(String, Int64)] {
            try await store.receipts.keep(receipt(text, at: time))
        }
        let cost = { (text: String) in store.receipts.cost(of: receipt(text).key) }
        let holdings = try await store.receipts.holdings(at: now)?.sorted { $0.hour < $1.hour }
        #expect(holdings == [
            ReceiptHolding(hour: 26, count: 1, bytes: cost("é")), ReceiptHolding(hour: 49, count: 2, bytes: 2 * cost("k")),
        ])
        await store.close()
    }

    @Test func aRowThatCannotBeReadIsCounted() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        try await store.receipts.keep(receipt())
        await store.close()
        // The types of user, screen, action, key, request and performedAt in the record (sqlite.org/fileformat2.html, 2.1).
        let types: [UInt8] = [15, 15, 15, 15, 44, 2]
        let place = try #require(Data(contentsOf: URL(fileURLWithPath: folder.database)).firstRange(of: types))
        // The screen is NULL, and the user has the two bytes of both.
        try folder.overwrite(at: UInt64(place.lowerBound), with: [17, 0])
        let reopened = try folder.open()
        let bytes = ActionReceipt.cost(ofKeyBytes: 0)
        #expect(try await reopened.receipts.holdings(at: 1000) == [ReceiptHolding(hour: 0, count: 1, bytes: bytes)])
        await reopened.close()
    }

    @Test func receiptsThatAreTooOldGoWithTheNextOne() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        try await store.receipts.keep(receipt("old", at: 1000))
        try await store.receipts.keep(receipt("young", at: 1001))
        try await store.receipts.keep(receipt("new", at: 1000 + ActionReceipt.lifetime))
        #expect(try await store.receipts.receipt(for: receipt("old").key) == nil)
        #expect(try await store.receipts.receipt(for: receipt("young").key) != nil)
        await store.close()
    }
}
