import Glibc
import Logging
import Synchronization

/// State that all event loops of a server share.
final class SharedState: Sendable {
    let configuration: HTTPServer.Configuration
    let metrics: HTTPServer.Metrics
    let bodyMemory: BodyMemory
    let handler: HTTPServer.Handler
    let makeRecord: (@Sendable () -> any RequestRecording)?
    let logger: Logger
    let now: @Sendable () -> Moment
    private let connectionCount = Atomic<Int>(0)
    /// The number of connections from each block of addresses.
    private let callers = Mutex<[NetworkAddress: Int]>([:])
    private let draining = Atomic(false)

    init(
        configuration: HTTPServer.Configuration,
        metrics: HTTPServer.Metrics,
        handler: @escaping HTTPServer.Handler,
        makeRecord: (@Sendable () -> any RequestRecording)?,
        logger: Logger,
        now: @escaping @Sendable () -> Moment
    ) {
        self.configuration = configuration
        self.metrics = metrics
        bodyMemory = BodyMemory(configuration)
        self.handler = handler
        self.makeRecord = makeRecord
        self.logger = logger
        self.now = now
    }

    var loops: Int { max(configuration.loops, 1) }

    /// The maximum number of connections of one event loop. It is the loop's share of the server's limit of connections, plus a few
    /// connections over the limit, whose requests receive a response with status 503.
    var connectionLimitOfLoop: UInt32 {
        let limit = configuration.connectionLimit
        return UInt32(clamping: (limit + loops - 1) / loops + min(max(limit / (4 * loops), 1), 16))
    }

    /// The idle timeout for libmicrohttpd, rounded up to whole seconds.
    var idleSeconds: UInt32 {
        let (seconds, attoseconds) = configuration.idleTimeout.components
        return UInt32(clamping: min(attoseconds > 0 ? seconds + 1 : max(seconds, 1), 1 << 30))
    }

    /// A Boolean value that indicates whether each response closes its connection.
    var isDraining: Bool { draining.load(ordering: .relaxed) }

    func drain() {
        draining.store(true, ordering: .relaxed)
    }

    /// The maximum number of connections of one address that are served. One address cannot have more than half of all connections.
    private var callerLimit: Int { min(configuration.connectionsPerCaller, max(configuration.connectionLimit / 2, 1)) }

    /// The number of connections of one address above its limit that get a response. Further ones are closed at once, because otherwise
    /// they would keep connections of other addresses from being accepted.
    private static let answeredExcess = 8

    /// Returns whether to keep an accepted connection of an address.
    func accepts(from peer: NetworkAddress) -> Bool {
        let count = callers.withLock { $0[peer.block] ?? 0 }
        return count < callerLimit + Self.answeredExcess || configuration.isProxy(peer)
    }

    /// Counts a new connection. If it exceeds a limit, returns the reason to reject its requests.
    func addConnection(from peer: NetworkAddress?) -> Refusal? {
        let count = connectionCount.add(1, ordering: .relaxed).newValue
        let countOfCaller = peer.map { peer in
            callers.withLock { counts in
                counts[peer.block, default: 0] += 1
                return counts[peer.block]!
            }
        }
        let limit = configuration.connectionLimit
        if count == limit + 1 { logger.warning("the limit of \(limit) connections is reached") }
        if count > limit { return .tooManyConnections }
        guard let peer, let countOfCaller, countOfCaller > callerLimit else { return nil }
        return configuration.isProxy(peer) ? nil : .tooManyConnectionsOfCaller
    }

    func removeConnection(from peer: NetworkAddress?) {
        connectionCount.subtract(1, ordering: .relaxed)
        guard let block = peer?.block else { return }
        callers.withLock { counts in
            let rest = (counts[block] ?? 1) - 1
            counts[block] = rest > 0 ? rest : nil
        }
    }
}

/// A time of the server's clock. It is one integer, because integers are fast and the clock is read for each request.
struct Moment: Comparable {
    private var nanoseconds: Int64

    /// The time since the start of the system.
    static var now: Moment {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Returns the number of milliseconds from this time to another time, rounded up, or 0 if the other time is earlier.
    func milliseconds(until later: Moment) -> Int64 {
        max(later.nanoseconds - nanoseconds + 999_999, 0) / 1_000_000
    }

    func nanoseconds(until later: Moment) -> Int64 { later.nanoseconds - nanoseconds }

    static func + (moment: Moment, duration: Duration) -> Moment {
        var later = moment
        later.nanoseconds += nanoseconds(of: duration)
        return later
    }

    static func < (a: Moment, b: Moment) -> Bool { a.nanoseconds < b.nanoseconds }

    /// Returns the nanoseconds of a duration. Durations longer than fifty years are shortened, so that no sum overflows.
    private static func nanoseconds(of duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        let limit: Int64 = 50 * 31_557_600
        return min(max(seconds, -limit), limit) * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
