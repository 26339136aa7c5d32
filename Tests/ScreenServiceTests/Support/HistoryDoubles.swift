import ScreenDiff
@testable import ScreenService
import Synchronization

/// Keeps history in memory as a store would on disk, and fails when it is told to.
final class InMemoryHistory: HistoryStoring {
    struct Failure: Error {}

    private struct State {
        var records: [HistoryKey: HistoryRecord] = [:]
        var batches: [HistoryBatch] = []
        var isFailing = false
    }

    private let state = Mutex(State())
    /// Yields at each batch that was written.
    let writes: AsyncStream<Void>
    private let writesContinuation: AsyncStream<Void>.Continuation

    init(_ records: [HistoryRecord] = []) {
        (writes, writesContinuation) = AsyncStream.makeStream()
        state.withLock { state in
            for record in records { state.records[record.key] = record }
        }
    }

    /// All batches that were written, in order.
    var batches: [HistoryBatch] { state.withLock { $0.batches } }
    var kept: [HistoryKey: HistoryRecord] { state.withLock { $0.records } }

    func fail(_ isFailing: Bool) {
        state.withLock { $0.isFailing = isFailing }
    }

    func records() async throws -> [HistoryRecord] {
        try state.withLock { state in
            if state.isFailing { throw Failure() }
            return Array(state.records.values)
        }
    }

    func write(_ batch: HistoryBatch) async throws {
        try state.withLock { state in
            if state.isFailing { throw Failure() }
            state.batches.append(batch)
            state.records.apply(batch)
        }
        writesContinuation.yield()
    }
}

extension [HistoryKey: HistoryRecord] {
    /// What a batch means, by the words of its documentation.
    mutating func apply(_ batch: HistoryBatch) {
        for record in batch.saved { self[record.key] = record }
        for (key, time) in batch.superseded {
            guard let old = self[key] else { continue }
            self[key] = HistoryRecord(
                key: key, view: old.view, outline: old.outline, recordedAt: old.recordedAt, supersededAt: time
            )
        }
        for key in batch.removed { self[key] = nil }
    }
}

extension HistoryKey {
    static func some(_ number: UInt64, of audience: Audience = .everyone, screen: String = "letters") -> HistoryKey {
        HistoryKey(audience: audience, screen: screen, version: Version(high: number, low: ~number))
    }
}

extension EncodedOutline {
    /// An outline of one section, which tells itself from others by `number`.
    static func some(_ number: UInt64 = 0, cells: Int = 1) -> EncodedOutline {
        let outline = Outline(
            sections: [.init(id: number, views: 0, cellCount: cells)],
            cells: (0..<UInt64(cells)).map { .init(id: $0, content: number) }
        )
        return EncodedOutline(outline: outline, title: number)
    }
}
