import Glibc
public import Logging
import Synchronization

/// A server of HTTP/1.1 that passes requests to a handler, on a few threads of its own.
///
/// The server rejects malformed requests. It reads the body of a request only if the handler needs it.
public final class HTTPServer: Sendable {
    /// A function that returns the reply to a request.
    ///
    /// The function is called once for each request, before the body is read. It must not block, because its thread serves many
    /// connections. Slow work belongs in `Reply.later`.
    ///
    /// A rejected request has a ``Request/refusal`` and must not be performed. libmicrohttpd itself responds to heads that it cannot
    /// parse, and to some heads that are too long (414, 431).
    public typealias Handler = @Sendable (consuming Request) -> Reply

    private enum State {
        case fresh
        case started([EventLoop])
    }

    private let shared: SharedState
    private let state = Mutex(State.fresh)

    /// Creates a server.
    ///
    /// - Parameter makeRecord: Creates the record of the requests of one connection; nil for no records.
    public convenience init(
        configuration: Configuration = Configuration(),
        metrics: Metrics = Metrics(),
        logger: Logger,
        makeRecord: (@Sendable () -> any RequestRecording)? = nil,
        handler: @escaping Handler
    ) {
        self.init(
            configuration: configuration, metrics: metrics, logger: logger, now: { Moment.now }, makeRecord: makeRecord, handler: handler
        )
    }

    init(
        configuration: Configuration,
        metrics: Metrics = Metrics(),
        logger: Logger,
        now: @escaping @Sendable () -> Moment,
        makeRecord: (@Sendable () -> any RequestRecording)? = nil,
        handler: @escaping Handler
    ) {
        shared = SharedState(
            configuration: configuration, metrics: metrics, handler: handler, makeRecord: makeRecord, logger: logger, now: now
        )
    }

    deinit {
        end(within: .zero)
    }

    /// Starts listening and serving. Returns the address that the server listens on.
    ///
    /// - Parameter passed: a listening socket to serve. Without one, the server listens on the host and the port of its configuration.
    @discardableResult
    public func start(on passed: PassedSocket? = nil) throws(StartError) -> BoundAddress {
        LibraryPanic.install(shared.logger)
        signal(SIGPIPE, SIG_IGN)
        return try state.withLock { state throws(StartError) in
            guard case .fresh = state else { throw .alreadyStarted }
            guard shared.configuration.connectionLimit > 0 else { throw .noConnections }
            let socket = try socket(passed)
            state = .started(try startLoops(socket))
            return socket.address
        }
    }

    private func socket(_ passed: PassedSocket?) throws(StartError) -> ListeningSocket {
        if let passed { return ListeningSocket(passed) }
        return try ListeningSocket(host: shared.configuration.host, port: shared.configuration.port)
    }

    /// Sends a message to each event loop, and waits until each loop has taken its message or has ended. If a loop hangs, the function
    /// does not return.
    public func roundTrip() async {
        for loop in loops { await loop.roundTrip() }
    }

    /// Closes each connection after its next response, but continues to serve requests. This gives a load balancer time to move its
    /// clients to other servers before this one stops.
    public func drain() {
        shared.drain()
    }

    /// Stops the server. It accepts no more connections, closes idle ones, and waits up to `grace` for the responses to pending requests.
    /// Afterwards, it closes all remaining connections immediately. The function returns when every connection is closed.
    public func stop(grace: Duration) async {
        for loop in end(within: grace) { await loop.ended.wait() }
    }

    var loops: [EventLoop] {
        state.withLock { if case .started(let loops) = $0 { loops } else { [] } }
    }

    @discardableResult
    func end(within grace: Duration) -> [EventLoop] {
        shared.drain()
        let deadline = shared.now() + grace
        let loops = loops
        for loop in loops { loop.inbox.post(.drain(until: deadline)) }
        return loops
    }

    private func startLoops(_ socket: ListeningSocket) throws(StartError) -> [EventLoop] {
        var built: [EventLoop] = []
        var started = 0
        do {
            for _ in 0..<shared.loops {
                built.append(try EventLoop(shared, listeningSocket: socket))
            }
            for loop in built {
                try loop.start()
                started += 1
            }
            return built
        } catch {
            for loop in built[..<started] { loop.inbox.post(.drain(until: shared.now())) }
            for loop in built[started...] { loop.abandon() }
            throw error
        }
    }
}

extension HTTPServer {
    /// A reason why a server did not start. Each `code` is a value of `errno`, except for `hostNotFound`.
    public enum StartError: Error, Equatable {
        /// The host is neither an address nor a known name. The code is an error code of `getaddrinfo`.
        case hostNotFound(host: String, code: Int32)
        /// The address is in use, not an address of this machine, or not permitted.
        case cannotListen(host: String, port: UInt16, code: Int32)
        /// The system has no file descriptors, memory or threads left.
        case outOfResources(code: Int32)
        /// The limit of connections is 0. The default limit is 0 if the limit of open files is too low.
        case noConnections
        /// The server was started before. A server can be started only once.
        case alreadyStarted
        /// The service manager has passed more than one socket.
        case severalSockets(count: Int)
        /// The descriptor that the service manager has passed is not a listening TCP socket.
        case notListening
    }
}
