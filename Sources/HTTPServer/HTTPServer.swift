import Glibc
public import Logging
import Synchronization

/// A server of HTTP/1.1 that asks a handler for its answers, on a few threads of its own.
///
/// It accepts, reads and judges requests, hands the head of each to the handler, reads the body where the handler asks for
/// it, and sends what that answers. It renders nothing and knows no routes.
public final class HTTPServer: Sendable {
    /// Answers a request, also one with a ``Request/refusal``, which it must not serve. What is too malformed to be
    /// judged (and 414, and 431 for what does not fit at all) is answered by the library, with a page of its own.
    ///
    /// It is called once for each request, before the body is read. It is called on the thread that serves many connections,
    /// so it must not block: what takes long belongs into `Reply.later`.
    public typealias Handler = @Sendable (consuming Request) -> Reply

    private enum State {
        case fresh
        case started([EventLoop])
    }

    private let shared: SharedState
    private let state = Mutex(State.fresh)

    public convenience init(
        configuration: Configuration = Configuration(),
        metrics: Metrics = Metrics(),
        logger: Logger,
        handler: @escaping Handler
    ) {
        self.init(configuration: configuration, metrics: metrics, logger: logger, now: { .now }, handler: handler)
    }

    init(
        configuration: Configuration,
        metrics: Metrics = Metrics(),
        logger: Logger,
        now: @escaping @Sendable () -> ContinuousClock.Instant,
        handler: @escaping Handler
    ) {
        shared = SharedState(
            configuration: configuration, metrics: metrics, handler: handler, logger: logger, now: now
        )
    }

    /// A server that is forgotten stops as if with no grace.
    deinit {
        end(within: .zero)
    }

    /// Listens and serves from now on. Returns the address at which it does.
    @discardableResult
    public func start() throws(StartError) -> BoundAddress {
        LibraryPanic.install()
        signal(SIGPIPE, SIG_IGN)
        return try state.withLock { state throws(StartError) in
            guard case .fresh = state else { throw .alreadyStarted }
            guard shared.configuration.connectionLimit > 0 else { throw .noConnections }
            let socket = try ListeningSocket(host: shared.configuration.host, port: shared.configuration.port)
            state = .started(try startLoops(socket))
            return socket.address
        }
    }

    /// Serves on, and ends each connection with its next answer: whoever spreads requests over several servers has time
    /// to notice that this one is about to stop.
    public func drain() {
        shared.drain()
    }

    /// Stops accepting, closes idle connections, lets requests under way be answered for as
    /// long as `grace`, then cuts what is left. Returns when every connection is closed.
    public func stop(grace: Duration) async {
        for loop in end(within: grace) { await loop.ended.wait() }
    }

    /// The event loops of a server that was started.
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

    /// Starts all loops or none.
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
    /// The reason why a server did not start. Codes are those of `errno`.
    public enum StartError: Error, Equatable {
        /// The host is no address and no name that is known; the code is one of `getaddrinfo`.
        case hostNotFound(host: String, code: Int32)
        /// The address is taken, not this machine's, or not permitted.
        case cannotListen(host: String, port: UInt16, code: Int32)
        /// The system has no descriptors, memory or threads left.
        case outOfResources(code: Int32)
        /// The limit of connections is not above 0: by default, because the limit of open files leaves none.
        case noConnections
        /// A server starts once.
        case alreadyStarted
    }
}
