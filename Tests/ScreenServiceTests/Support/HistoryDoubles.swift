import ScreenDiff
import Synchronization

@testable import ScreenService

/// A history store that records its calls. A test can make its calls wait or fail.
final class TestHistory: HistoryStoring {
    struct Failure: Error {}

    private struct State {
        var batches: [HistoryBatch] = []
        var lookups: [[HistoryKey]] = []
        var isFailing = false
        var damagedKeys: Set<HistoryKey> = []
        var gate: Gate?
        var forgettingGate: Gate?
    }

    private let kept = HistoryInMemory()
    private let state = Mutex(State())
    /// A stream with one element for each batch that was written.
    let writes: AsyncStream<Void>
    private let writesContinuation: AsyncStream<Void>.Continuation
    let isShared: Bool

    init(isShared: Bool = false) {
        self.isShared = isShared
        (writes, writesContinuation) = AsyncStream.makeStream()
    }

    /// All batches that were written, in order.
    var batches: [HistoryBatch] { state.withLock { $0.batches } }
    /// The keys of all look-ups, in order.
    var lookups: [[HistoryKey]] { state.withLock { $0.lookups } }

    func fail(_ isFailing: Bool) {
        state.withLock { $0.isFailing = isFailing }
    }

    /// Makes the store reject each batch that contains one of these keys.
    func damage(_ keys: Set<HistoryKey>) {
        state.withLock { $0.damagedKeys = keys }
    }

    /// Makes the next look-up wait at a gate.
    func hold() -> Gate {
        let gate = Gate()
        state.withLock { $0.gate = gate }
        return gate
    }

    /// Makes the next call of `removeExcess` wait at a gate.
    func holdRemoval() -> Gate {
        let gate = Gate()
        state.withLock { $0.forgettingGate = gate }
        return gate
    }

    func has(_ key: HistoryKey) async throws -> Bool {
        try await !kept.records(of: [key]).isEmpty
    }

    func records(of keys: [HistoryKey]) async throws -> [HistoryRecord] {
        let gate = state.withLock { state in
            state.lookups.append(keys)
            defer { state.gate = nil }
            return state.gate
        }
        await gate?.pass()
        try throwIfFailing()
        return try await kept.records(of: keys)
    }

    func write(_ batch: HistoryBatch) async throws {
        try throwIfFailing()
        let keys = Set(batch.saved.map(\.key)).union(batch.used.keys)
        if state.withLock({ !$0.damagedKeys.isDisjoint(with: keys) }) { throw HistoryDamage() }
        state.withLock { $0.batches.append(batch) }
        try await kept.write(batch)
        writesContinuation.yield()
    }

    func removeExcess(over bounds: HistoryBounds, now: Int64) async throws -> HistoryUsage? {
        await state.withLock { $0.forgettingGate.take() }?.pass()
        try throwIfFailing()
        return try await kept.removeExcess(over: bounds, now: now)
    }

    private func throwIfFailing() throws {
        if state.withLock({ $0.isFailing }) { throw Failure() }
    }
}

extension History {
    /// Writes all changes, and removes the versions that exceed the limits. In a server, a background task does this over time.
    func settle() async {
        await flush()
        await removeExcessIfDue()
    }
}

extension HistoryKey {
    static func some(_ number: UInt64, of audience: Audience = .everyone, screen: String = "letters") -> HistoryKey {
        HistoryKey(audience: audience, screen: screen, version: Version(high: number, low: ~number))
    }
}

extension EncodedOutline {
    /// Returns an outline with one section. Each number results in a different outline.
    static func some(_ number: UInt64 = 0, cells: Int = 1) -> EncodedOutline {
        let outline = Outline(
            sections: [.init(id: number, views: 0, cellCount: cells)],
            cells: (0..<UInt64(cells)).map { .init(id: $0, content: number) }
        )
        return EncodedOutline(outline: outline, title: number)
    }
}
