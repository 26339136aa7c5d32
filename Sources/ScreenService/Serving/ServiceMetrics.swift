import Synchronization

/// Counts what the service does, since its start.
public final class ServiceMetrics: Sendable {
    private let counts = Mutex(Counts())

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

    public var current: Counts { counts.withLock { $0 } }

    func count(_ change: (inout Counts) -> Void) {
        counts.withLock { change(&$0) }
    }
}
