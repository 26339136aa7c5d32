@testable import ScreenService

/// A service store of parts, whose secret is known.
struct TestStore: ServiceStoring {
    var topics = Topics()
    var history: any HistoryStoring = HistoryInMemory()
    var receipts: any ReceiptStoring = ReceiptsInMemory()
    var hash = ContentHash.fixed

    func secret(byteCount: Int) -> [UInt8] { Array(hash.secret.prefix(byteCount)) }
    func checkReadable() {}
    func close() {}
}

extension Eventual {
    /// The value, where nobody has to wait for it.
    var atHand: Value? {
        if case .now(let value) = self { value } else { nil }
    }
}
