import Synchronization

/// A store that lasts as long as the process, for servers whose data does not outlive it either.
public final class ServiceStoreInMemory: ServiceStoring {
    public let topics = Topics()
    public let history: any HistoryStoring = HistoryInMemory()
    public let receipts: any ReceiptStoring = ReceiptsInMemory()
    private let secrets = Mutex<[Int: [UInt8]]>([:])

    public init() {}

    public func secret(byteCount: Int) -> [UInt8] {
        secrets.withLock { secrets in
            let secret = secrets[byteCount] ?? (0..<byteCount).map { _ in .random(in: 0...255) }
            secrets[byteCount] = secret
            return secret
        }
    }

    public func checkReadable() {}

    /// Does nothing: it goes when it is let go of.
    public func close() {}
}

/// History that lasts as long as the process.
public final class HistoryInMemory: HistoryStoring {
    private let kept = Mutex<[HistoryKey: HistoryRecord]>([:])

    public init() {}

    public func records(of keys: [HistoryKey]) async throws -> [HistoryRecord] {
        kept.withLock { kept in keys.compactMap { kept[$0] } }
    }

    public func write(_ batch: HistoryBatch) async throws {
        kept.withLock { kept in
            for record in batch.saved { kept[record.key] = record }
            for (key, time) in batch.used {
                kept[key] = kept[key].map { HistoryRecord(key: key, view: $0.view, outline: $0.outline, usedAt: time) }
            }
        }
    }

    public func forget(over bounds: HistoryBounds, now: Int64) async throws -> HistoryHoldings? {
        kept.withLock { kept in
            kept = kept.filter { $0.value.usedAt >= now - bounds.age }
            let records = Array(kept.values)
            let retention = HistoryRetention(of: Self.holdings(of: records), byteLimit: bounds.bytes, now: now)
            for holding in retention.forgotten { kept[records[Int(holding.id)].key] = nil }
            let bytes = kept.values.reduce(0) { $0 + $1.cost }
            return HistoryHoldings(versions: kept.count, bytes: bytes, crowdedOut: retention.crowdedOut)
        }
    }

    private static func holdings(of records: [HistoryRecord]) -> [HistoryRetention.Holding] {
        var audiences: [Audience: Int] = [:]
        return records.enumerated().map { index, record in
            let audience = audiences[record.key.audience] ?? audiences.count
            audiences[record.key.audience] = audience
            return HistoryRetention.Holding(
                id: Int64(index), audience: audience, view: Int(truncatingIfNeeded: record.view), bytes: record.cost,
                usedAt: record.usedAt
            )
        }
    }
}

/// Receipts that last as long as the process.
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

    public func holdings(at now: Int64) async throws -> [ReceiptHolding]? {
        let receipts = kept.withLock { $0.values.filter { $0.isAlive(at: now) } }
        return receipts.map { ReceiptHolding(hour: $0.performedAt / 3600, count: 1, bytes: cost(of: $0.key)) }
    }
}
