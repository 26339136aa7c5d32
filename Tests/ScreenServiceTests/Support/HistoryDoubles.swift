import ScreenDiff
@testable import ScreenService
import Synchronization

/// A store of history that fails when it is told to, holds look-ups, and counts what it is asked.
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
    /// Yields at each batch that was written.
    let writes: AsyncStream<Void>
    private let writesContinuation: AsyncStream<Void>.Continuation
    let isShared: Bool

    init(isShared: Bool = false) {
        self.isShared = isShared
        (writes, writesContinuation) = AsyncStream.makeStream()
    }

    /// All batches that were written, in order.
    var batches: [HistoryBatch] { state.withLock { $0.batches } }
    /// What it was asked for, in order.
    var lookups: [[HistoryKey]] { state.withLock { $0.lookups } }

    func fail(_ isFailing: Bool) {
        state.withLock { $0.isFailing = isFailing }
    }

    /// Makes each batch fail that touches one of these records.
    func damage(_ keys: Set<HistoryKey>) {
        state.withLock { $0.damagedKeys = keys }
    }

    /// Has the next look-up wait.
    func hold() -> Gate {
        let gate = Gate()
        state.withLock { $0.gate = gate }
        return gate
    }

    /// Has the next forgetting wait.
    func holdForgetting() -> Gate {
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

    func forget(over bounds: HistoryBounds, now: Int64) async throws -> HistoryHoldings? {
        await state.withLock { $0.forgettingGate.take() }?.pass()
        try throwIfFailing()
        return try await kept.forget(over: bounds, now: now)
    }

    private func throwIfFailing() throws {
        if state.withLock({ $0.isFailing }) { throw Failure() }
    }
}

extension History {
    /// As who runs it does by and by.
    func settle() async {
        await flush()
        await forgetIfDue()
    }
}

/// A clock that a test sets, in seconds since 1970.
final class TestClock: Sendable {
    private let seconds = Mutex<Int64>(1_700_000_000)

    var now: Int64 { seconds.withLock { $0 } }

    func advance(by seconds: Int64) {
        self.seconds.withLock { $0 += seconds }
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
