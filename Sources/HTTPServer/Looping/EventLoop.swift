import CMicroHTTPD
import Glibc
import Synchronization

/// A thread that serves connections: it waits, lets the library work, and keeps the deadlines.
///
/// Every call to the library about its daemon and its connections comes from this thread.
/// Others talk to it through its inbox alone.
///
/// `@unchecked Sendable`: until `start()` one thread builds it, afterwards only its own thread
/// touches anything but `inbox`, `ended` and `connectionVisits`, which are Sendable.
final class EventLoop: @unchecked Sendable {
    enum Message: Sendable {
        case answer(Answer, Connection)
        /// Boxed, so that the others, of which there may be ten thousand at once, stay small.
        indirect case reply(Reply, Connection)
        case wake(NativeStream)
        case drain(until: Moment)
    }

    let inbox: Inbox<Message>
    let ended = Latch()
    /// The number of times that it has looked at a connection among all others, for its deadline or its stage. Tests read it.
    let connectionVisits = Atomic(0)
    let shared: SharedState
    private var listeningSocket: ListeningSocket?
    /// Implicitly unwrapped, because its callbacks need the loop before the loop has it.
    private var daemon: Daemon!
    private var connections: [Connection] = []
    let presence: Presence
    private let lingering = LingeringSockets()
    /// Requests that have begun since the last wait began.
    var requestsBegun = 0
    /// Waits in a row with several requests each.
    private var busyWaits = 0
    /// How many of them there are before absences are looked for.
    private static let busyWaitsBeforeALook = 16
    var streams = OpenStreams()

    /// What `now` is, once somebody has asked; nil again when time passes.
    private var instant: Moment?
    private var nextSweep: Moment
    /// The minimum time between two sweeps, which is also the maximum delay of a deadline. Otherwise connections with deadlines
    /// one millisecond apart would cause a sweep of all connections every millisecond.
    private let sweepGranularity: Duration
    private var drainsUntil: Moment?
    /// A Boolean value that indicates whether the time to drain is over, and all connections were cut.
    private var hasCutAll = false

    init(_ shared: SharedState, listeningSocket: ListeningSocket) throws(HTTPServer.StartError) {
        self.shared = shared
        self.listeningSocket = listeningSocket
        nextSweep = shared.now()
        sweepGranularity = OpenStreams.granularity(of: min(shared.configuration.patience.shortest, Patience.brief))
        inbox = try Inbox()
        presence = try Presence()
        daemon = try Daemon(callbacks(listeningSocket), wakeUp: inbox.wakeUp.descriptor, presence: presence.descriptor)
    }

    /// When the last wait ended; steps begin and end at these instants. The clock is read once for all.
    var now: Moment {
        if let instant { return instant }
        let now = shared.now()
        instant = now
        return now
    }

    var isDraining: Bool { drainsUntil != nil }

    /// Starts its thread, which keeps it alive until it has drained.
    func start() throws(HTTPServer.StartError) {
        let code = Thread.start { self.run() }
        guard code == 0 else { throw .outOfResources(code: code) }
    }

    /// Undoes `init` where `start()` was not called or has failed.
    func abandon() {
        daemon.stopAccepting()
        daemon.stop()
    }

    private func run() {
        while !(isDraining && connections.isEmpty && lingering.isEmpty) {
            // Before the library runs: what is resumed afterwards waits for something else to happen.
            for message in inbox.takeAll() { take(message) }
            takeAbsences()
            streams.sweep(now: now)
            keepDeadlines()
            let longestWait = longestWait
            instant = nil
            daemon.run(waiting: longestWait)
        }
        daemon.stop()
        // A stream that was woken last holds the inbox that holds it.
        _ = inbox.takeAll()
        ended.open()
    }

    private func take(_ message: Message) {
        switch message {
        case .answer(let answer, let connection):
            if case .suspended = connection.stage { resume(connection, as: .answered(answer)) }
        case .reply(let reply, let connection):
            if case .suspended = connection.stage {
                goOn(connection, with: reply)
            } else {
                // Its connection was cut meanwhile.
                reply.ended?(Reply.Ending(status: nil, isComplete: false))
            }
        case .wake(let stream):
            stream.acceptWake()
        case .drain(let deadline):
            drainsUntil = deadline
            daemon.stopAccepting()
            listeningSocket = nil
            // Later ones are retired when their requests are over.
            visitAll { if $0.isBetweenRequests { $0.retire(now: now) } }
        }
    }

    /// To ask costs a system call, which many requests shall not pay for after each wait. Until it is taken, an absence ends
    /// each wait at once, so it is not missed.
    private func takeAbsences() {
        busyWaits = requestsBegun > 1 ? busyWaits + 1 : 0
        requestsBegun = 0
        guard busyWaits % Self.busyWaitsBeforeALook == 0 else { return }
        for (connection, absence) in presence.absences() { take(absence, of: connection) }
    }

    private func take(_ absence: Presence.Absence, of connection: Connection) {
        switch absence {
        case .halfClosed: takeEnd(of: connection)
        case .gone: takeLoss(of: connection)
        }
    }

    /// What has come before the end is answered; a client that waits gets the answer that there is by now.
    private func takeEnd(of connection: Connection) {
        guard !connection.isHalfClosed else { return }
        connection.isHalfClosed = true
        // The library misses the end where it comes with what it reads last.
        nextSweep = min(nextSweep, now + Patience.brief)
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

    /// Ends what is for this client alone. The rest the library notices, or nobody misses.
    private func takeLoss(of connection: Connection) {
        switch connection.stage {
        case .suspended(_, endsWithClient: true), .streaming: connection.cut()
        default: takeEnd(of: connection)
        }
    }
}

// MARK: - Waiting

extension EventLoop {
    /// How long nothing is due but what the library sees for itself, in milliseconds; -1 for no limit.
    /// Rounded up, so that what is due at the end of the wait is due.
    private var longestWait: Int32 {
        if connections.isEmpty && lingering.isEmpty { return isDraining ? 0 : -1 }
        // Nobody tells when all has arrived.
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
        let connection = Connection(handle, isOverLimit: !shared.admitConnection(), now: now)
        connection.index = connections.count
        connections.append(connection)
        presence.watch(connection)
        if connection.isOverLimit { nextSweep = min(nextSweep, now + Patience.brief) }
        return connection
    }

    func remove(_ connection: Connection) {
        presence.forget(connection)
        lingering.keep(connection.socket, now: now, longest: shared.configuration.patience.idle)
        if !lingering.isEmpty { nextSweep = min(nextSweep, now + Patience.brief) }
        shared.forgetConnection()
        connection.stage = .cut
        connections.swapAt(connection.index, connections.count - 1)
        connections[connection.index].index = connection.index
        connections.removeLast()
    }

    /// Cuts connections that are due.
    private func keepDeadlines() {
        if let drainsUntil {
            let isOver = now >= drainsUntil
            lingering.sweep(now: now, longest: isOver ? .zero : shared.configuration.patience.idle)
            if isOver, !hasCutAll {
                hasCutAll = true
                visitAll { if !$0.isCut { $0.cut() } }
            }
        }
        if now >= nextSweep { sweep() }
    }

    private func visitAll(_ visit: (Connection) -> Void) {
        connectionVisits.add(connections.count, ordering: .relaxed)
        for connection in connections { visit(connection) }
    }

    /// Looks at every connection's deadline, and finds when to look again.
    private func sweep() {
        let patience = shared.configuration.patience
        lingering.sweep(now: now, longest: patience.idle)
        var next = now + (lingering.isEmpty ? patience.shortest : min(patience.shortest, Patience.brief))
        visitAll { connection in
            guard let step = connection.step else { return }
            let isBrief = connection.isOverLimit || connection.isHalfClosed && step == .head
            let deadline = connection.since + (isBrief ? min(patience.limit(step), Patience.brief) : patience.limit(step))
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
