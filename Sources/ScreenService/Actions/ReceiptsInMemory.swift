import Synchronization

/// Keeps receipts as long as the process runs, for servers whose data does not outlive it either.
public final class ReceiptsInMemory: ReceiptStoring {
    private let kept = Mutex<[ActionReceipt.Key: ActionReceipt]>([:])

    public init() {}

    public func receipt(for key: ActionReceipt.Key) async throws -> ActionReceipt? {
        kept.withLock { $0[key] }
    }

    public func keep(_ receipt: ActionReceipt) async throws {
        kept.withLock { kept in
            kept = kept.filter { receipt.performedAt - $0.value.performedAt < ActionReceipt.lifetime }
            kept[receipt.key] = receipt
        }
    }
}
