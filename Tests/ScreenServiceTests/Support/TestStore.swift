import Logging

@testable import ScreenService

/// A service store with the given topics, history, receipts and secret.
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
    /// The value if it is available immediately, or `nil` if it is not.
    var immediateValue: Value? {
        if case .now(let value) = self { value } else { nil }
    }
}

extension Logger {
    static let silent = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }
}
