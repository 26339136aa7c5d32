import Logging
import Synchronization

/// What all event loops of a server share.
final class SharedState: Sendable {
    let configuration: HTTPServer.Configuration
    let handler: HTTPServer.Handler
    let logger: Logger
    /// The clock that deadlines are kept by.
    let now: @Sendable () -> ContinuousClock.Instant
    /// Open connections on all loops.
    private let connectionCount = Atomic<Int>(0)
    private let draining = Atomic(false)

    init(
        configuration: HTTPServer.Configuration,
        handler: @escaping HTTPServer.Handler,
        logger: Logger,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.configuration = configuration
        self.handler = handler
        self.logger = logger
        self.now = now
    }

    /// How many event loops there are.
    var loops: Int { max(configuration.loops, 1) }

    /// The limit of one loop: its share, and a few more that are told why they are not served.
    var connectionLimitOfLoop: UInt32 {
        let limit = configuration.connectionLimit
        return UInt32(clamping: (limit + loops - 1) / loops + min(max(limit / (4 * loops), 1), 16))
    }

    /// The library counts idle time in whole seconds; it never closes before ours is over.
    var idleSeconds: UInt32 {
        let (seconds, attoseconds) = configuration.idleTimeout.components
        return UInt32(clamping: attoseconds > 0 ? seconds + 1 : max(seconds, 1))
    }

    /// Whether each answer ends its connection.
    var isDraining: Bool { draining.load(ordering: .relaxed) }

    func drain() {
        draining.store(true, ordering: .relaxed)
    }

    /// Counts a connection, and says whether it is within the limit.
    func admitConnection() -> Bool {
        let count = connectionCount.add(1, ordering: .relaxed).newValue
        let limit = configuration.connectionLimit
        if count == limit + 1 { logger.warning("the limit of \(limit) connections is reached") }
        return count <= limit
    }

    func forgetConnection() {
        connectionCount.subtract(1, ordering: .relaxed)
    }
}
