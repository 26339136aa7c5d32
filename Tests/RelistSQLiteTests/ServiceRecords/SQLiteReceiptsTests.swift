import Foundation
import Logging
import TemporaryDatabase
import Testing

@testable import RelistSQLite
@testable import ScreenService

@Suite("Receipts in SQLite") struct SQLiteReceiptsTests {
    private struct Refusal: Error {}

    private let receipt = ActionReceipt.some()

    @Test func readingADamagedReceiptThrowsAnError() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        try await store.receipts.keep(receipt)
        await store.close()
        // The serial types of the columns `user`, `screen`, `action`, `key`, `request` and `performedAt` (sqlite.org/fileformat2.html,
        // section 2.1).
        let types: [UInt8] = [15, 15, 15, 15, 44, 2]
        let place = try #require(Data(contentsOf: URL(fileURLWithPath: folder.database)).firstRange(of: types))
        // The serial type 16 makes the time a blob of two bytes instead of an integer.
        try folder.overwrite(at: UInt64(place.upperBound - 1), with: [16])
        let reopened = try folder.open()
        await #expect(throws: DataUnavailable(reason: "the database is damaged")) {
            try await reopened.receipts.receipt(for: receipt.key)
        }
        await reopened.close()
    }

    @Test func readingAReceiptWhoseRequestHashIsTooShortThrowsAnError() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        try await store.receipts.keep(receipt)
        try await store.write { _ = try $0.write("UPDATE grdb_relist_receipt SET request = x'01'") }
        await #expect(throws: DataUnavailable(reason: "the database is damaged")) { try await store.receipts.receipt(for: receipt.key) }
        await store.close()
    }

    @Test func aWriteStoresTheReceiptOfItsAction() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        let attempt = ActionAttempt(receipt, for: store.receipts, announcingTo: store.topics)
        try await ActionAttempt.$current.withValue(attempt) { try await store.write { try $0.note("demo") } }
        #expect(attempt.isReceiptStored)
        #expect(try await store.receipts.receipt(for: receipt.key) == receipt)
        await store.close()
    }

    @Test func aWriteDoesNotStoreAReceiptThatBelongsToAnotherStore() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        let attempt = ActionAttempt(receipt, for: ReceiptsInMemory(), announcingTo: store.topics)
        try await ActionAttempt.$current.withValue(attempt) { try await store.write { try $0.note("demo") } }
        #expect(!attempt.isReceiptStored)
        #expect(try await store.receipts.receipt(for: receipt.key) == nil)
        await store.close()
    }

    @Test func aFailedWriteStoresNoReceipt() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        let attempt = ActionAttempt(receipt, for: store.receipts, announcingTo: store.topics)
        await #expect(throws: Refusal.self) {
            try await ActionAttempt.$current.withValue(attempt) {
                try await store.write { store in
                    try store.note("demo")
                    throw Refusal()
                }
            }
        }
        #expect(!attempt.isReceiptStored)
        #expect(try await store.receipts.receipt(for: receipt.key) == nil)
        await store.close()
    }

    @Test func aDamagedReceiptIsIncludedInTheNumberAndSizeOfReceipts() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        try await store.receipts.keep(receipt)
        await store.close()
        // The serial types of the columns `user`, `screen`, `action`, `key`, `request` and `performedAt` (sqlite.org/fileformat2.html,
        // section 2.1).
        let types: [UInt8] = [15, 15, 15, 15, 44, 2]
        let place = try #require(Data(contentsOf: URL(fileURLWithPath: folder.database)).firstRange(of: types))
        // The serial type 17 makes the user a text of two bytes, and the serial type 0 makes the screen NULL.
        try folder.overwrite(at: UInt64(place.lowerBound), with: [17, 0])
        let reopened = try folder.open()
        let bytes = ActionReceipt.cost(ofKeyBytes: 0)
        #expect(try await reopened.receipts.holdings(at: 1000) == [ReceiptHolding(hour: 0, count: 1, bytes: bytes)])
        await reopened.close()
    }

    @Test func expiredReceiptsAreRemovedWhenAnotherReceiptIsStored() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        try await store.receipts.keep(.some("old", at: 1000))
        try await store.receipts.keep(.some("young", at: 1001))
        try await store.receipts.keep(.some("new", at: 1000 + ActionReceipt.lifetime))
        #expect(try await store.receipts.receipt(for: ActionReceipt.some("old").key) == nil)
        #expect(try await store.receipts.receipt(for: ActionReceipt.some("young").key) != nil)
        await store.close()
    }
}
