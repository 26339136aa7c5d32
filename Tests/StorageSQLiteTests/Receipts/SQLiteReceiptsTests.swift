import Logging
@testable import ScreenService
import Storage
@testable import StorageSQLite
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

    @Test func aWriteTakesTheReceiptOfItsActionAlong() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        let pending = PendingReceipt(receipt(), for: store.receipts)
        try await PendingReceipt.$current.withValue(pending) { try await store.write { try $0.connect("demo") } }
        #expect(pending.isKept)
        #expect(try await store.receipts.receipt(for: receipt().key) == receipt())
        await store.close()
    }

    @Test func aReceiptThatIsLookedForElsewhereIsNotKept() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        let pending = PendingReceipt(receipt(), for: ReceiptsInMemory())
        try await PendingReceipt.$current.withValue(pending) { try await store.write { try $0.connect("demo") } }
        #expect(!pending.isKept)
        #expect(try await store.receipts.receipt(for: receipt().key) == nil)
        await store.close()
    }

    @Test func aWriteThatThrowsKeepsNoReceipt() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        let pending = PendingReceipt(receipt(), for: store.receipts)
        await #expect(throws: Refusal.self) {
            try await PendingReceipt.$current.withValue(pending) {
                try await store.write { store in
                    try store.connect("demo")
                    throw Refusal()
                }
            }
        }
        #expect(!pending.isKept)
        #expect(try await store.receipts.receipt(for: receipt().key) == nil)
        await store.close()
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
