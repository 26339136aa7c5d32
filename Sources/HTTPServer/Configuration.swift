import Glibc

extension HTTPServer {
    /// Where a server listens, and how much it grants to its clients.
    public struct Configuration: Sendable {
        /// A name or an address, IPv4 or IPv6: `localhost`, `0.0.0.0`, `::`. A name with both
        /// is bound to its IPv4 address.
        public var host = "127.0.0.1"
        /// 0 takes any free port; `start()` says which.
        public var port: UInt16 = 8080
        /// Threads that serve connections, each with an event loop of its own. By default as
        /// many as there are cores, eight at most.
        public var loops = min(max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1), 8)
        /// Connections that are served at one time, on all loops together; a few more are
        /// answered with 503, the rest waits to be accepted. By default what the limit of open
        /// files leaves.
        public var connectionLimit = Self.connectionLimit(openFiles: Self.openFileLimit)
        /// How long a connection may lie idle between requests, or not take what is sent to it.
        public var idleTimeout: Duration = .seconds(60)
        /// Total time from the beginning of a request until its headers are complete. A
        /// connection's first request begins when it is accepted.
        public var headerDeadline: Duration = .seconds(10)
        /// Total time from the beginning of a request until its body is complete.
        public var bodyDeadline: Duration = .seconds(30)
        /// Memory of a connection, in bytes: for a request line with its headers and the empty lines before it, and
        /// 64 more for each header. What leaves less than 2 KB of it gets 414 or 431; so does a head of more than 54
        /// headers (with other limits, one for each 64 of half the bytes less 1,644).
        public var maximumHeaderBytes = 10 * 1024
        /// The greatest length of a body, in bytes. Longer ones get 413.
        public var maximumBodyBytes = 1024 * 1024
        /// The memory for the bodies of all requests that are being received, or whose answers are not there yet, in bytes,
        /// without what ``admittedBodyBytes`` grants. A request whose body has no room gets 503, and its body is discarded.
        public var maximumBodyBytesInAll = 64 * 1024 * 1024
        /// The percentage of that memory that one caller may use. It is never less than one body of the greatest length
        /// takes. A request beyond it gets 429, and its body is discarded.
        public var callerShare = 20
        /// The first bytes of each body, which always have room, so that callers with long bodies do not keep others from
        /// sending short ones. The limit of connections bounds them.
        public var admittedBodyBytes = 16 * 1024

        /// Bytes that the system keeps for a client that takes a stream slowly (it doubles them for
        /// its own needs). The less, the sooner the stream knows and sends larger steps.
        public var streamSendBufferBytes = 32 * 1024

        public init() {}

        var patience: Patience {
            Patience(idle: idleTimeout, head: headerDeadline, body: bodyDeadline)
        }

        /// Half of the files are for everything else, but not more than 256 and not less than it takes.
        public static func connectionLimit(openFiles: Int) -> Int {
            max(openFiles - min(max(openFiles / 2, 96), 256), 0)
        }

        private static var openFileLimit: Int {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            return Int(clamping: min(limit.rlim_cur, 1 << 20))
        }
    }
}

/// How long a connection may stay at each step of a request.
///
/// The library's own timeout counts from the last byte, so a client that sends one byte a
/// second outlives it; these count from the beginning.
struct Patience: Sendable {
    /// The steps at which it is the client's turn.
    enum Step {
        case opening, idle, head, body
    }

    /// How long a head has of which all that will come has come, and that of one connection too many, which stands in the
    /// way of all who come after it.
    static let brief = Duration.seconds(1)

    var idle: Duration
    var head: Duration
    var body: Duration

    /// How long that step may last. A connection's first request begins when it is accepted,
    /// each later one with its request line; head and body count from there.
    func limit(_ step: Step) -> Duration {
        switch step {
        case .opening, .head: head
        case .idle: idle
        case .body: body
        }
    }

    var shortest: Duration { min(idle, head, body) }
}
