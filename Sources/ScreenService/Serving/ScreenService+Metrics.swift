import Synchronization

extension ScreenService {
    /// The numbers and approximate bytes of the cached views and of the versions in memory.
    public var usage: (views: Int, viewBytes: Int, versions: Int, versionBytes: Int) {
        let (views, viewBytes) = cache.usage
        let (versions, versionBytes) = history.usage
        return (views, viewBytes + documents.bytes, versions, versionBytes)
    }

    /// The number of computations and actions that continue past their deadline.
    public var stragglerCount: Int { computations.stragglers.count + actions.inProgress.counts.late }

    /// The number of actions in progress, the number of idempotency keys of these actions, and the number of requests that were rejected
    /// since the start because too many actions were in progress.
    public var actionCounts: (inProgress: Int, keys: Int, refused: Int) {
        let counts = actions.inProgress.counts
        return (counts.inProgress, counts.keys, counts.refused)
    }

    /// The number and approximate bytes of unexpired receipts, and the number of requests that were rejected since the start because there
    /// were too many receipts.
    public var receiptCounts: (receipts: Int, bytes: Int, refused: Int) { actions.ledger.counts }

    /// The number of followed views.
    public var followedViewCount: Int { feeds.count }

    /// The approximate size of the followed views, in bytes.
    public var followedViewBytes: Int { cache.followedBytes }
}

/// The counts and durations of the work of a service since the service was created.
public final class ServiceMetrics: Sendable {
    private let counts = Mutex(Counts())
    private let times = Mutex<[Work: Duration]>([:])

    /// The counts of each kind of event.
    public struct Counts: Hashable, Sendable {
        /// The number of models that were computed.
        public var computations = 0
        /// The number of computations that failed.
        public var failures = 0
        /// The number of successful requests for actions. Repeated requests whose action had already been performed are included.
        public var actions = 0
        /// The number of pairs of versions that were compared.
        public var diffs = 0
        /// The number of repeated ids that were made unique with a number, such as `id#2`.
        public var renamedIDs = 0
    }

    /// The kinds of work whose time is measured.
    public enum Work: String, Hashable, Sendable, CaseIterable {
        /// Reading data and computing the model.
        case content
        /// Writing the bytes and fingerprints of a model.
        case rendering
        /// Hashing a document to create its version.
        case hashing
        /// Comparing the outlines of two versions.
        case diffing
        /// Writing a changeset.
        case writing
        /// Encoding an outline for history.
        case encoding
    }

    /// The current counts.
    public var current: Counts { counts.withLock { $0 } }

    /// The total duration of each kind of work. If several pieces of work run at the same time, the duration of each is added.
    public var durations: [Work: Duration] { times.withLock { $0 } }

    func count(_ change: (inout Counts) -> Void) {
        counts.withLock { change(&$0) }
    }

    /// Runs `body`, and adds its duration to the total of a kind of work.
    func timing<Value>(_ work: Work, _ body: () throws -> Value) rethrows -> Value {
        let start = ContinuousClock.now
        defer { add(.now - start, to: work) }
        return try body()
    }

    func timing<Value>(_ work: Work, _ body: () async throws -> Value) async rethrows -> Value {
        let start = ContinuousClock.now
        defer { add(.now - start, to: work) }
        return try await body()
    }

    private func add(_ duration: Duration, to work: Work) {
        times.withLock { $0[work, default: .zero] += duration }
    }
}
