import Synchronization

extension ScreenService {
    /// What is at hand: views and versions, and the bytes that all that is kept in memory takes, about.
    public var usage: (views: Int, viewBytes: Int, versions: Int, versionBytes: Int) {
        let (views, viewBytes) = cache.usage
        let (versions, versionBytes) = history.usage
        return (views, viewBytes + documents.bytes, versions, versionBytes)
    }

    /// How many computations and actions go on past their deadline.
    public var stragglerCount: Int { computations.stragglers.count + actions.inProgress.counts.late }

    /// The actions in progress, the idempotency keys that they hold, and the requests for actions that were refused since the start, as too
    /// many were in progress.
    public var actionCounts: (inProgress: Int, keys: Int, refused: Int) {
        let counts = actions.inProgress.counts
        return (counts.inProgress, counts.keys, counts.refused)
    }

    /// The receipts of the last 24 hours, the bytes that they take in the store, about, and the requests that were refused since the start
    /// because of the bounds of receipts.
    public var receiptCounts: (receipts: Int, bytes: Int, refused: Int) { actions.ledger.counts }

    /// How many views are followed now.
    public var followedViewCount: Int { feeds.count }

    /// The bytes of the followed views, about.
    public var followedViewBytes: Int { cache.followedBytes }
}

/// Counts of what the service has done since its start.
public final class ServiceMetrics: Sendable {
    private let counts = Mutex(Counts())
    private let times = Mutex<[Work: Duration]>([:])

    /// What was counted until now.
    public struct Counts: Hashable, Sendable {
        /// Models that were computed.
        public var computations = 0
        /// Computations that failed.
        public var failures = 0
        /// Requests for actions that were done, or had been done before.
        public var actions = 0
        /// Pairs of versions that were compared.
        public var diffs = 0
        /// Ids that were taken and got a number.
        public var renamedIDs = 0
    }

    /// The kinds of work that a change takes.
    public enum Work: String, Hashable, Sendable, CaseIterable {
        /// Reading data and making the model of it.
        case content
        /// Writing the bytes of a model, with the fingerprints of its parts.
        case rendering
        /// Hashing a whole document for its version.
        case hashing
        /// Comparing the outlines of two versions.
        case diffing
        /// Writing a changeset.
        case writing
        /// Encoding an outline for history.
        case encoding
    }

    public var current: Counts { counts.withLock { $0 } }

    /// The time that each kind of work took until now. What runs side by side adds up.
    public var durations: [Work: Duration] { times.withLock { $0 } }

    func count(_ change: (inout Counts) -> Void) {
        counts.withLock { change(&$0) }
    }

    /// Does some work, and counts how long it takes.
    func timing<Value>(_ work: Work, _ body: () throws -> Value) rethrows -> Value {
        let start = ContinuousClock.now
        defer { add(.now - start, to: work) }
        return try body()
    }

    /// Does some work, and counts how long it takes.
    func timing<Value>(_ work: Work, _ body: () async throws -> Value) async rethrows -> Value {
        let start = ContinuousClock.now
        defer { add(.now - start, to: work) }
        return try await body()
    }

    private func add(_ duration: Duration, to work: Work) {
        times.withLock { $0[work, default: .zero] += duration }
    }
}
