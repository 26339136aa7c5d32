import Glibc

extension HTTPServer {
    /// The address that a server listens on, and its limits.
    public struct Configuration: Sendable {
        /// The name or address to listen on, such as `localhost`, `0.0.0.0` or `::`. IPv4 addresses of a name take precedence over IPv6
        /// addresses.
        public var host = "127.0.0.1"
        /// The port to listen on. If it is 0, the system chooses a free port, which `start()` returns.
        public var port: UInt16 = 8080
        /// The number of event loops that serve connections, each on its own thread. The default is the number of cores, but at most 8.
        public var loops = min(max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1), 8)
        /// The maximum number of connections that are served at one time. The server accepts a few connections above this limit, and
        /// responds to their requests with 503. All further connections wait to be accepted. The default depends on the system's limit of
        /// open files.
        public var connectionLimit = Self.connectionLimit(openFiles: Self.openFileLimit)
        /// The maximum number of connections from one address, or from the addresses with the same first 64 bits for IPv6, but at most half
        /// of all connections. The first connections above this limit get a 429, and further ones are closed.
        public var connectionsPerCaller = 2048
        /// Returns a Boolean value that indicates whether a peer is a proxy. Its connections are requests of many callers, so
        /// `connectionsPerCaller` does not apply to them.
        public var isProxy: @Sendable (NetworkAddress) -> Bool = { _ in false }
        /// The timeout of a connection between two requests, and of a connection whose client does not read the response.
        public var idleTimeout: Duration = .seconds(60)
        /// The maximum time from the beginning of a request to the end of its headers. The first request begins when its connection is
        /// accepted.
        public var headerDeadline: Duration = .seconds(10)
        /// The maximum time from the beginning of a request to the end of its body.
        public var bodyDeadline: Duration = .seconds(30)
        /// The memory for the head of one request, in bytes. This memory contains the request line and any empty lines before it, the
        /// headers, and 64 additional bytes for each header.
        ///
        /// A head that leaves less than 2 KB of this memory free is rejected with 414 or 431. A head is rejected with 431 if it has more
        /// than `(maximumHeaderBytes / 2 - 1644) / 64` headers. With the default memory, this limit is 54 headers.
        public var maximumHeaderBytes = 10 * 1024
        /// The maximum length of a body, in bytes. A longer body is rejected with 413.
        public var maximumBodyBytes = 1024 * 1024
        /// The maximum memory for the bodies of all requests in progress, in bytes. A request whose body would exceed this limit is
        /// rejected with 503, and its body is discarded.
        public var maximumBodyBytesInAll = 64 * 1024 * 1024
        /// The percentage of `maximumBodyBytesInAll` that one caller may use. A caller may always use memory for one body of the
        /// maximum length. A request that exceeds the caller's share is rejected with 429, and its body is discarded.
        public var callerShare = 20
        /// The number of bytes at the beginning of each body that are not counted against `maximumBodyBytesInAll` and `callerShare`. So
        /// callers can send short bodies while long bodies use the whole limit. The number of connections limits the total of these bytes.
        public var admittedBodyBytes = 16 * 1024

        /// The size of the send buffer of a stream's socket, in bytes. The system doubles this size. With a small buffer, the server
        /// notices early that a client reads slowly, and sends this client fewer and larger parts.
        public var streamSendBufferBytes = 32 * 1024

        public init() {}

        var timeouts: Timeouts {
            Timeouts(idle: idleTimeout, head: headerDeadline, body: bodyDeadline)
        }

        /// Returns the default limit of connections: the limit of open files minus a reserve. The reserve is half of the limit of open
        /// files, but at least 96 and at most 256 files.
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

/// The maximum duration of each step of a request. Received bytes do not extend a step.
///
/// In contrast, libmicrohttpd measures its own timeout from the last byte received. A client that sends one byte per second would never
/// exceed that timeout.
struct Timeouts: Sendable {
    /// A step during which the server waits for the client.
    enum Step {
        case opening, idle, head, body
    }

    /// The timeout for a connection over the limit of connections, and for the head of a request on a half-closed connection. With a longer
    /// timeout, connections over the limit would keep later connections from being answered.
    static let brief = Duration.seconds(1)

    var idle: Duration
    var head: Duration
    var body: Duration

    /// Returns the maximum duration of a step. The durations for the head and for the body are measured from the beginning of the
    /// request. The first request of a connection begins when the connection is accepted. Later requests begin with their request line.
    /// After a deferred reply, the duration for the body is measured from the end of the deferred work.
    func limit(_ step: Step) -> Duration {
        switch step {
        case .opening, .head: head
        case .idle: idle
        case .body: body
        }
    }

    var shortest: Duration { min(idle, head, body) }
}
