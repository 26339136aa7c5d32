import Logging
import Synchronization

/// Look-ups of versions in a store, many keys at a time, with a bound on those that wait.
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

    private struct State {
        var isFailing = false
        var counts = Counts()
    }

    /// How many keys are looked up at once, and how many askers may wait for their turn.
    static let keyLimit = 256, askerLimit = 4096

    private let store: any HistoryStoring
    private let hash: ContentHash
    private let logger: Logger
    private let lookups = BatchedLookups<HistoryKey, Outcome>(batchLimit: HistoryLookups.keyLimit, waitingLimit: HistoryLookups.askerLimit)
    private let state = Mutex(State())

    init(store: any HistoryStoring, hash: ContentHash, logger: Logger) {
        self.store = store
        self.hash = hash
        self.logger = logger
    }

    var counts: Counts { state.withLock { $0.counts } }

    /// What the store has under a key.
    func find(_ key: HistoryKey) async -> Outcome {
        do {
            return try await lookups.value(of: key) { [self] in try await outcomes(of: $0) } ?? .absent
        } catch {
            if error is BatchedLookups<HistoryKey, Outcome>.Overload { state.withLock { $0.counts.refusals += 1 } }
            return .unusable
        }
    }

    /// The outcomes of those keys that the store has.
    private func outcomes(of keys: [HistoryKey]) async throws -> [HistoryKey: Outcome] {
        state.withLock { $0.counts.lookups += 1 }
        do {
            let records = try await store.records(of: keys)
            noteReading(error: nil)
            return unsealed(records)
        } catch {
            noteReading(error: error)
            throw error
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
