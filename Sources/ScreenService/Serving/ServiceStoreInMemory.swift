import Synchronization

/// A service store in memory, for tests and for servers that keep all data in memory.
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

    public func close() {}
}

/// The history of a ``ServiceStoreInMemory``.
public final class HistoryInMemory: HistoryStoring {
    private let stored = Mutex<[HistoryKey: HistoryRecord]>([:])

    public init() {}

    public func records(of keys: [HistoryKey]) async throws -> [HistoryRecord] {
        stored.withLock { stored in keys.compactMap { stored[$0] } }
    }

    public func write(_ batch: HistoryBatch) async throws {
        stored.withLock { stored in
            for record in batch.saved { stored[record.key] = record }
            for (key, time) in batch.used {
                stored[key] = stored[key].map { HistoryRecord(key: key, view: $0.view, outline: $0.outline, usedAt: time) }
            }
        }
    }

    public func removeExcess(over bounds: HistoryBounds, now: Int64) async throws -> HistoryUsage? {
        stored.withLock { stored in
            stored = stored.filter { $0.value.usedAt >= now - bounds.age }
            let records = Array(stored.values)
            let retention = HistoryRetention(of: Self.holdings(of: records), byteLimit: bounds.bytes, now: now)
            for holding in retention.removed { stored[records[Int(holding.id)].key] = nil }
            let bytes = stored.values.reduce(0) { $0 + $1.cost }
            return HistoryUsage(versions: stored.count, bytes: bytes, removedEarly: retention.removedEarly)
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

/// The receipts of a ``ServiceStoreInMemory``.
public final class ReceiptsInMemory: ReceiptStoring {
    private let stored = Mutex<[ActionReceipt.Key: ActionReceipt]>([:])

    public init() {}

    public func receipt(for key: ActionReceipt.Key) async throws -> ActionReceipt? {
        stored.withLock { $0[key] }
    }

    public func keep(_ receipt: ActionReceipt) async throws {
        try stored.withLock { stored in
            stored = stored.filter { $0.value.isAlive(at: receipt.performedAt) }
            if stored[receipt.key] != nil { throw ReceiptTaken() }
            stored[receipt.key] = receipt
        }
    }

    public func holdings(at now: Int64) async throws -> [ReceiptHolding]? {
        let receipts = stored.withLock { $0.values.filter { $0.isAlive(at: now) } }
        return receipts.map { ReceiptHolding(hour: $0.performedAt / 3600, count: 1, bytes: cost(of: $0.key)) }
    }
}
