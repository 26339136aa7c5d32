import Logging
import Synchronization

/// Batched look-ups of versions in a store. The number of waiting requests is limited.
final class HistoryLookups: Sendable {
    struct Found: Sendable {
        let record: HistoryRecord
        let outline: EncodedOutline
    }

    enum Outcome: Sendable {
        case found(Found)
        case absent
        /// The look-up has failed: too many requests are waiting, the store cannot be read, or the record is damaged.
        case unusable

        var found: Found? {
            if case .found(let found) = self { found } else { nil }
        }
    }

    private struct State {
        var isFailing = false
        var counts = History.Counts()
    }

    /// The maximum numbers of keys in one look-up and of waiting requests.
    static let keyLimit = 256, waitingLimit = 4096

    private let store: any HistoryStoring
    private let hash: ContentHash
    private let logger: Logger
    private let lookups = BatchedLookups<HistoryKey, Outcome>(batchLimit: keyLimit, waitingLimit: waitingLimit)
    private let state = Mutex(State())

    init(store: any HistoryStoring, hash: ContentHash, logger: Logger) {
        self.store = store
        self.hash = hash
        self.logger = logger
    }

    var counts: History.Counts { state.withLock { $0.counts } }

    func find(_ key: HistoryKey) async -> Outcome {
        do {
            return try await lookups.value(of: key) { [self] in try await outcomes(of: $0) } ?? .absent
        } catch {
            if error is BatchedLookups<HistoryKey, Outcome>.Overload { state.withLock { $0.counts.refusedLookups += 1 } }
            return .unusable
        }
    }

    private func outcomes(of keys: [HistoryKey]) async throws -> [HistoryKey: Outcome] {
        state.withLock { $0.counts.lookups += 1 }
        do {
            let records = try await store.records(of: keys)
            noteReadResult(error: nil)
            return unsealed(records)
        } catch {
            noteReadResult(error: error)
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
                    "a record of history is damaged; its version counts as unknown",
                    metadata: ["screen": "\(record.key.screen)", "version": "\(record.key.version)"]
                )
            }
        }
        return outcomes
    }

    /// Records whether a read of the store has failed. Logs only the first of several consecutive failures.
    private func noteReadResult(error: (any Error)?) {
        let wasFailing = state.withLock { state in
            defer { state.isFailing = error != nil }
            return state.isFailing
        }
        guard let error, !wasFailing else { return }
        logger.error("history cannot be read; versions that are not in memory count as unknown", metadata: ["error": "\(error)"])
    }
}
