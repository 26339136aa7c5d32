import Synchronization

/// The transactions of a store since the start, and its current waiting transactions and connections.
public struct StoreCounts: Hashable, Sendable {
    /// The number of completed read transactions.
    public var reads = 0
    /// The number of committed write transactions.
    public var writes = 0
    /// The number of times that a write was repeated after a conflict.
    public var retries = 0
    /// The number of writes of which it is not known whether they were committed.
    public var inDoubt = 0
    /// The number of reads that wait for a connection, by the name of the screen. The name is empty outside of screens.
    public var waitingReads: [String: Int] = [:]
    /// The number of writes that wait for a connection.
    public var waitingWrites = 0
    /// The number of connections that run a transaction, by the kind of work.
    public var busyConnections: [String: Int] = [:]

    public init() {}
}

/// The counters of the transactions of a store, and the observer of its commits.
package final class StoreActivity: Sendable {
    private let reads = Atomic(0)
    private let writes = Atomic(0)
    private let retries = Atomic(0)
    private let inDoubt = Atomic(0)
    private let commitObserver = Mutex<(@Sendable (Duration) -> Void)?>(nil)

    package init() {}

    package var counts: StoreCounts {
        var counts = StoreCounts()
        counts.reads = reads.load(ordering: .relaxed)
        counts.writes = writes.load(ordering: .relaxed)
        counts.retries = retries.load(ordering: .relaxed)
        counts.inDoubt = inDoubt.load(ordering: .relaxed)
        return counts
    }

    package func noteRead() { reads.add(1, ordering: .relaxed) }
    package func noteWrites(_ count: Int = 1) { writes.add(count, ordering: .relaxed) }
    package func noteRetry() { retries.add(1, ordering: .relaxed) }
    package func noteDoubt(about count: Int = 1) { inDoubt.add(count, ordering: .relaxed) }

    package func observeCommits(_ observer: @escaping @Sendable (Duration) -> Void) {
        commitObserver.withLock { $0 = observer }
    }

    /// Reports the duration of a commit that began at `start` and has just ended.
    package func noteCommit(since start: ContinuousClock.Instant) {
        commitObserver.withLock { $0 }?(.now - start)
    }
}
