import Synchronization

/// Keeps receipts as long as the process runs, for servers whose data does not outlive it either.
public final class ReceiptsInMemory: ReceiptStoring {
    private let kept = Mutex<[ActionReceipt.Key: ActionReceipt]>([:])

    public init() {}

    public func receipt(for key: ActionReceipt.Key) async throws -> ActionReceipt? {
        kept.withLock { $0[key] }
    }

    public func keep(_ receipt: ActionReceipt) async throws {
        try kept.withLock { kept in
            kept = kept.filter { $0.value.isAlive(at: receipt.performedAt) }
            if kept[receipt.key] != nil { throw ReceiptTaken() }
            kept[receipt.key] = receipt
        }
    }
}
