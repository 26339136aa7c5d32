import Synchronization

/// Keeps history as long as the process runs, for servers whose data does not outlive it either.
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

    public func forget(over bounds: HistoryBounds, now: Int64) async throws -> HistoryHoldings {
        kept.withLock { kept in
            kept = kept.filter { $0.value.usedAt >= now - bounds.age }
            let records = Array(kept.values)
            let retention = HistoryRetention(of: Self.holdings(of: records), byteLimit: bounds.bytes, now: now)
            for id in retention.forgotten { kept[records[Int(id)].key] = nil }
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
