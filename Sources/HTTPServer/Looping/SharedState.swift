import Logging
import Synchronization

/// What all event loops of a server share.
final class SharedState: Sendable {
    let configuration: HTTPServer.Configuration
    let metrics: HTTPServer.Metrics
    let bodyMemory: BodyMemory
    let handler: HTTPServer.Handler
    let logger: Logger
    /// The clock that deadlines are kept by.
    let now: @Sendable () -> Moment
    /// Open connections on all loops.
    private let connectionCount = Atomic<Int>(0)
    private let draining = Atomic(false)

    init(
        configuration: HTTPServer.Configuration,
        metrics: HTTPServer.Metrics,
        handler: @escaping HTTPServer.Handler,
        logger: Logger,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.configuration = configuration
        self.metrics = metrics
        bodyMemory = BodyMemory(configuration)
        self.handler = handler
        self.logger = logger
        let origin = now()
        self.now = { Moment(after: now() - origin) }
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
        return UInt32(clamping: min(attoseconds > 0 ? seconds + 1 : max(seconds, 1), 1 << 30))
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

/// A time of the server's clock, as a plain number: it is noted twice for each request.
struct Moment: Comparable {
    private var nanoseconds: Int64

    /// - Parameter duration: since the clock's origin.
    init(after duration: Duration) {
        nanoseconds = Self.nanoseconds(of: duration)
    }

    /// The whole milliseconds until a later moment, rounded up; 0 where that is none.
    func milliseconds(until later: Moment) -> Int64 {
        max(later.nanoseconds - nanoseconds + 999_999, 0) / 1_000_000
    }

    static func + (moment: Moment, duration: Duration) -> Moment {
        var later = moment
        later.nanoseconds += nanoseconds(of: duration)
        return later
    }

    static func < (a: Moment, b: Moment) -> Bool { a.nanoseconds < b.nanoseconds }

    /// At most fifty years, so that no sum of them overflows.
    private static func nanoseconds(of duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        let limit: Int64 = 50 * 31_557_600
        return min(max(seconds, -limit), limit) * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
