import Logging
import Synchronization

/// Look-ups of versions in a store, many keys at a time.
///
/// Whoever asks while a look-up is under way is in the next one, so that a flood of versions that never were
/// costs the store one transaction after another and no more. Beyond a bound nobody waits.
final class HistoryLookups: Sendable {
    struct Found: Sendable {
        let record: HistoryRecord
        let outline: EncodedOutline
    }

    struct Counts: Hashable, Sendable {
        /// Transactions of the store.
        var lookups = 0
        /// Askers who were told nothing, because too many waited.
        var refusals = 0
        /// Records whose seal was not theirs.
        var damaged = 0
    }

    private typealias Asker = CheckedContinuation<Found?, Never>

    private struct State {
        var askers: [(key: HistoryKey, asker: Asker)] = []
        var isRunning = false
        var isFailing = false
        var counts = Counts()
    }

    /// How many keys are looked up at once, and how many askers may wait for their turn.
    static let keyLimit = 256, askerLimit = 4096

    private let store: any HistoryStoring
    private let hash: ContentHash
    private let logger: Logger
    private let state = Mutex(State())

    init(store: any HistoryStoring, hash: ContentHash, logger: Logger) {
        self.store = store
        self.hash = hash
        self.logger = logger
    }

    var counts: Counts { state.withLock { $0.counts } }

    /// What the store has under a key; nil for nothing, where too many wait, and where it cannot be read.
    func find(_ key: HistoryKey) async -> Found? {
        await withCheckedContinuation { asker in
            let isFirst = state.withLock { state -> Bool? in
                guard state.askers.count < Self.askerLimit else {
                    state.counts.refusals += 1
                    return nil
                }
                state.askers.append((key, asker))
                defer { state.isRunning = true }
                return !state.isRunning
            }
            guard let isFirst else { return asker.resume(returning: nil) }
            // Detached, because it serves others, too.
            if isFirst { Task.detached { await self.run() } }
        }
    }

    private func run() async {
        while let batch = takeBatch() {
            let found = await found(Array(Set(batch.map(\.key))))
            for (key, asker) in batch { asker.resume(returning: found[key]) }
        }
    }

    private func takeBatch() -> [(key: HistoryKey, asker: Asker)]? {
        state.withLock { state in
            let batch = Array(state.askers.prefix(Self.keyLimit))
            state.askers.removeFirst(batch.count)
            state.isRunning = !batch.isEmpty
            if batch.isEmpty { return nil }
            state.counts.lookups += 1
            return batch
        }
    }

    private func found(_ keys: [HistoryKey]) async -> [HistoryKey: Found] {
        do {
            let records = try await store.records(of: keys)
            noteReading(error: nil)
            return unsealed(records)
        } catch {
            noteReading(error: error)
            return [:]
        }
    }

    private func unsealed(_ records: [HistoryRecord]) -> [HistoryKey: Found] {
        var found: [HistoryKey: Found] = [:]
        for record in records {
            if let outline = EncodedOutline(of: record, hash: hash) {
                found[record.key] = Found(record: record, outline: outline)
            } else {
                state.withLock { $0.counts.damaged += 1 }
                logger.warning(
                    "a record of history is damaged, and is as if it were not there",
                    metadata: ["screen": "\(record.key.screen)", "version": "\(record.key.version)"]
                )
            }
        }
        return found
    }

    /// Says once that reading has begun to fail.
    private func noteReading(error: (any Error)?) {
        let wasFailing = state.withLock { state in
            defer { state.isFailing = error != nil }
            return state.isFailing
        }
        guard let error, !wasFailing else { return }
        logger.error("history cannot be read; versions that are not in memory count as unknown", metadata: ["error": "\(error)"])
    }
}
