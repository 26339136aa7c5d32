import ScreenService
import Synchronization

/// Keeps history as long as the test runs.
final class HistoryInMemory: HistoryStoring {
    private let kept = Mutex<[HistoryKey: HistoryRecord]>([:])

    func records() async throws -> [HistoryRecord] {
        kept.withLock { Array($0.values) }
    }

    func write(_ batch: HistoryBatch) async throws {
        kept.withLock { kept in
            for record in batch.saved { kept[record.key] = record }
            for key in batch.removed { kept[key] = nil }
        }
    }
}
