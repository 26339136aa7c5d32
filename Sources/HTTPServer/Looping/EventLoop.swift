import CMicroHTTPD
import Glibc
import Synchronization

/// A thread that serves connections: it waits for events, runs libmicrohttpd, and enforces deadlines.
///
/// After `start()`, only this thread calls functions on the daemon and its connections. Other threads send messages to the inbox of the
/// loop.
///
/// A sweep checks the deadlines of all connections together. Two sweeps are at least `sweepGranularity` apart, which is also the maximum
/// delay of a deadline. Without this minimum, connections with deadlines one millisecond apart would cause a sweep every millisecond.
///
/// `@unchecked Sendable`: one thread creates the loop. After `start()`, other threads access only `inbox`, `ended` and
/// `connectionVisits`, which are Sendable.
final class EventLoop: @unchecked Sendable {
    enum Message: Sendable {
        case answer(Answer, Connection)
        /// The case is indirect to keep `Message` small, because there may be ten thousand messages at once.
        indirect case reply(Reply, Connection)
        case wake(NativeStream)
        case drain(until: Moment)
        case probe(Latch)
    }

    let inbox: Inbox
    let ended = Latch()
    /// The number of connections that all calls of `visitConnections(_:)` together have visited. Only tests read this number.
    let connectionVisits = Atomic(0)
    let shared: SharedState
    private var listeningSocket: ListeningSocket?
    /// The daemon is implicitly unwrapped. Its callbacks need the loop, so the loop must exist before the daemon.
    private var daemon: Daemon!
    private var connections: [Connection] = []
    let disconnectMonitor: DisconnectMonitor
    private let lingering = LingeringSockets()
    /// The number of requests that have begun since the last wait.
    var requestsBegun = 0
    private var busyWaits = 0
    private static let busyWaitsPerCheck = 16
    var streams = OpenStreams()

    private var cachedNow: Moment?
    private var nextSweep: Moment
    private let sweepGranularity: Duration
    private var drainsUntil: Moment?
    private var hasCutAll = false
    /// A Boolean value that indicates whether libmicrohttpd could not accept a connection during the last wait.
    var lacksResources = false

    init(_ shared: SharedState, listeningSocket: ListeningSocket) throws(HTTPServer.StartError) {
        self.shared = shared
        self.listeningSocket = listeningSocket
        nextSweep = shared.now()
        sweepGranularity = OpenStreams.granularity(of: min(shared.configuration.timeouts.shortest, Timeouts.brief))
        inbox = try Inbox()
        disconnectMonitor = try DisconnectMonitor()
        daemon = try Daemon(callbacks(listeningSocket), wakeUp: inbox.descriptor, disconnectMonitor: disconnectMonitor.descriptor)
    }

    /// The current time. The clock is read only once between two waits.
    var now: Moment {
        if let cachedNow { return cachedNow }
        let now = shared.now()
        cachedNow = now
        return now
    }

    var isDraining: Bool { drainsUntil != nil }

    /// Starts the thread, which keeps the loop alive until the loop has drained.
    func start() throws(HTTPServer.StartError) {
        let code = Thread.start { self.run() }
        guard code == 0 else { throw .outOfResources(code: code) }
    }

    /// Waits until the loop has taken a message or has ended.
    func roundTrip() async {
        let taken = Latch()
        if inbox.post(.probe(taken)) { await taken.wait() }
    }

    /// Frees the daemon of a loop whose thread was not started.
    func abandon() {
        daemon.stopAccepting()
        daemon.stop()
    }

    private func run() {
        shared.metrics.addLoop()
        while !(isDraining && connections.isEmpty && lingering.isEmpty) {
            // Messages are handled before the daemon waits, because a message can resume a connection.
            for message in inbox.takeAll() { take(message) }
            handleDisconnects()
            streams.sweep(now: now)
            keepDeadlines()
            let longestWait = longestWait
            cachedNow = nil
            pauseIfNothingCanBeAccepted()
            daemon.run(waiting: longestWait)
        }
        daemon.stop()
        // Discards the remaining messages to break a retain cycle: the inbox retains a wake message, the message retains its stream, and
        // the stream retains the inbox.
        for case .probe(let taken) in inbox.close() { taken.open() }
        ended.open()
    }

    /// Pauses for a tenth of a second if the process or the system lacks a resource for the first connection of this loop.
    ///
    /// While a loop has connections, libmicrohttpd accepts no further ones until one of them ends. Without connections, it would try again
    /// and again without a pause. Such a loop has nothing to do that cannot wait.
    private func pauseIfNothingCanBeAccepted() {
        if lacksResources, connections.isEmpty { usleep(100_000) }
        lacksResources = false
    }

    private func take(_ message: Message) {
        switch message {
        case .answer(let answer, let connection):
            if case .suspended = connection.stage { resume(connection, as: .answered(answer)) }
        case .reply(let reply, let connection):
            if case .suspended = connection.stage {
                continueSuspended(connection, with: reply)
            } else {
                // The connection was cut before the reply arrived.
                reply.ended?(Reply.Ending(status: nil, isComplete: false))
            }
        case .wake(let stream):
            stream.acceptWake()
        case .probe(let taken):
            taken.open()
        case .drain(let deadline):
            drainsUntil = deadline
            daemon.stopAccepting()
            listeningSocket = nil
            // Connections between requests are retired now, and all others when their requests end.
            visitConnections { if $0.isBetweenRequests { $0.retire(now: now) } }
        }
    }

    /// Handles the clients that have disconnected.
    ///
    /// The check for disconnects is a system call. While several requests begin between two waits, the check is made only once in
    /// `busyWaitsPerCheck` waits. No disconnect is missed, because each wait after a disconnect ends immediately until the check is made.
    private func handleDisconnects() {
        busyWaits = requestsBegun > 1 ? busyWaits + 1 : 0
        requestsBegun = 0
        guard busyWaits % Self.busyWaitsPerCheck == 0 else { return }
        for (connection, isGone) in disconnectMonitor.disconnects() {
            if isGone { handleDisconnect(of: connection) } else { handleHalfClose(of: connection) }
        }
    }

    /// Handles a client that has shut down its sending half.
    private func handleHalfClose(of connection: Connection) {
        guard !connection.isHalfClosed else { return }
        connection.isHalfClosed = true
        // A sweep must check this connection soon, because libmicrohttpd may have missed the end of the input.
        nextSweep = min(nextSweep, now + Timeouts.brief)
        switch connection.stage {
        case .opening, .idle: connection.retire(now: now)
        case .head:
            connection.since = now
            connection.endReading()
        case .bodiless, .body, .discarding: connection.endReading()
        case .suspended(let task, endsWithClient: true): task.cancel()
        case .streaming(let stream):
            stream.probe()
            streams.schedule(stream, now: now)
        case .suspended, .retired, .resumedAtHead, .answered, .sending, .cut: break
        }
    }

    /// Cuts the connection of a disconnected client if the task of a `waiting` reply is running, or if a stream is being sent. In all
    /// other stages, libmicrohttpd detects the disconnect.
    private func handleDisconnect(of connection: Connection) {
        switch connection.stage {
        case .suspended(_, endsWithClient: true), .streaming: connection.cut()
        default: handleHalfClose(of: connection)
        }
    }
}

// MARK: - Waiting

extension EventLoop {
    /// The number of milliseconds until the next deadline or heartbeat, rounded up; -1 if there is none.
    private var longestWait: Int32 {
        if connections.isEmpty && lingering.isEmpty { return isDraining ? 0 : -1 }
        // No event reports that sent bytes were delivered, so the loop polls.
        if connections.isEmpty && isDraining { return 20 }
        var due = nextSweep
        if let nextHeartbeat = streams.nextSweep { due = min(due, nextHeartbeat) }
        if let drainsUntil, drainsUntil > now { due = min(due, drainsUntil) }
        return Int32(clamping: now.milliseconds(until: due))
    }
}

// MARK: - Connections

extension EventLoop {
    func add(_ handle: OpaquePointer) -> Connection {
        let peer = httpd_peer(handle).flatMap(NetworkAddress.init)
        let connection = Connection(
            handle, from: peer, excess: shared.addConnection(from: peer), record: shared.makeRecord?(), now: now
        )
        connection.index = connections.count
        connections.append(connection)
        disconnectMonitor.watch(connection)
        if connection.isOverLimit { nextSweep = min(nextSweep, now + Timeouts.brief) }
        return connection
    }

    func remove(_ connection: Connection) {
        disconnectMonitor.forget(connection)
        lingering.keep(connection.socket, now: now, longest: shared.configuration.timeouts.idle)
        if !lingering.isEmpty { nextSweep = min(nextSweep, now + Timeouts.brief) }
        shared.removeConnection(from: connection.peer)
        connection.stage = .cut
        connections.swapAt(connection.index, connections.count - 1)
        connections[connection.index].index = connection.index
        connections.removeLast()
    }

    private func keepDeadlines() {
        if let drainsUntil {
            let isOver = now >= drainsUntil
            lingering.sweep(now: now, longest: isOver ? .zero : shared.configuration.timeouts.idle)
            if isOver, !hasCutAll {
                hasCutAll = true
                visitConnections { if !$0.isCut { $0.cut() } }
            }
        }
        if now >= nextSweep { sweep() }
    }

    private func visitConnections(_ visit: (Connection) -> Void) {
        connectionVisits.add(connections.count, ordering: .relaxed)
        for connection in connections { visit(connection) }
    }

    private func sweep() {
        let timeouts = shared.configuration.timeouts
        lingering.sweep(now: now, longest: timeouts.idle)
        var next = now + (lingering.isEmpty ? timeouts.shortest : min(timeouts.shortest, Timeouts.brief))
        visitConnections { connection in
            guard let step = connection.step else { return }
            let isBrief = connection.isOverLimit || connection.isHalfClosed && step == .head
            let deadline = connection.since + (isBrief ? min(timeouts.limit(step), Timeouts.brief) : timeouts.limit(step))
            if deadline > now {
                next = min(next, deadline)
            } else if connection.isBetweenRequests, !connection.isOverLimit {
                connection.retire(now: now)
            } else {
                connection.cut()
            }
        }
        nextSweep = max(next, now + sweepGranularity)
    }
}
