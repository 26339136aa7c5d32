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

    /// The number of followers, which are streams and waiting requests.
    public var followerCount: Int { feeds.followerCount }

    /// The number of computations in progress, by screen.
    public var runningComputations: [String: Int] { computations.runningCounts }

    /// The time since the last heartbeat that showed that no commit of another replica was missed, and the position of the last received
    /// commit. The value is `nil` if the store has no replicas.
    public var replication: (heartbeatAge: Duration, position: Position)? {
        topics.received.map { ($0.heartbeatAge, $0.position) }
    }

    /// The transactions, waiting transactions and connections of the store.
    public var storeCounts: StoreCounts { store.counts }
}
