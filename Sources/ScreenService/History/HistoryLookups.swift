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

    enum Outcome: Sendable {
        case found(Found)
        /// The store has nothing under that key.
        case absent
        /// Too many wait, the store cannot be read, or what it has is damaged.
        case unusable

        var found: Found? {
            if case .found(let found) = self { found } else { nil }
        }
    }

    struct Counts: Hashable, Sendable {
        /// Transactions of the store.
        var lookups = 0
        /// Askers who were told nothing, because too many waited.
        var refusals = 0
        /// Records whose seal was not theirs.
        var damaged = 0
    }

    private typealias Asker = CheckedContinuation<Outcome, Never>

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

    /// What the store has under a key.
    func find(_ key: HistoryKey) async -> Outcome {
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
            guard let isFirst else { return asker.resume(returning: .unusable) }
            // Detached, because it serves others, too.
            if isFirst { Task.detached { await self.run() } }
        }
    }

    private func run() async {
        while let batch = takeBatch() {
            let outcomes = await outcomes(of: Array(Set(batch.map(\.key))))
            for (key, asker) in batch { asker.resume(returning: outcomes.map { $0[key] ?? .absent } ?? .unusable) }
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

    /// Of those that the store has; nil where it cannot be read.
    private func outcomes(of keys: [HistoryKey]) async -> [HistoryKey: Outcome]? {
        do {
            let records = try await store.records(of: keys)
            noteReading(error: nil)
            return unsealed(records)
        } catch {
            noteReading(error: error)
            return nil
        }
    }

    private func unsealed(_ records: [HistoryRecord]) -> [HistoryKey: Outcome] {
        var outcomes: [HistoryKey: Outcome] = [:]
        for record in records {
            if let outline = EncodedOutline(of: record, hash: hash) {
                outcomes[record.key] = .found(Found(record: record, outline: outline))
            } else {
                outcomes[record.key] = .unusable
                state.withLock { $0.counts.damaged += 1 }
                logger.warning(
                    "a record of history is damaged, and is as if it were not there",
                    metadata: ["screen": "\(record.key.screen)", "version": "\(record.key.version)"]
                )
            }
        }
        return outcomes
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
