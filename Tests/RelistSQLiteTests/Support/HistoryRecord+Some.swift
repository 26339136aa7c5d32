import ScreenService

extension HistoryRecord {
    static func some(
        _ audience: Audience = .everyone,
        screen: String = "posts",
        version: UInt64,
        view: UInt64 = 1,
        outline: [UInt8] = [1, 2, 3],
        usedAt: Int64 = 1_600_000_000
    ) -> HistoryRecord {
        HistoryRecord(
            key: HistoryKey(audience: audience, screen: screen, version: Version(high: ~version, low: version)),
            view: view,
            outline: outline,
            usedAt: usedAt
        )
    }
}

extension HistoryBatch {
    static func saving(_ record: HistoryRecord) -> HistoryBatch {
        var batch = HistoryBatch()
        batch.saved = [record]
        return batch
    }
}
