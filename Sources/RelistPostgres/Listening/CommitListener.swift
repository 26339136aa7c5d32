import Dispatch
import Glibc
import Logging
import ScreenService
import Synchronization

/// Receives the notifications about the commits of all replicas, and announces their topics in the order of the commits.
///
/// The listener has its own connection and thread. It misses commits while the connection is lost, so all topics are announced after it has
/// opened a new connection.
///
/// The listener regularly sends a statement, the heartbeat. Before the server answers it, the server sends the notifications of all
/// acknowledged commits. Therefore the answer shows that no commit was missed.
final class CommitListener: Sendable {
    typealias Instant = ContinuousClock.Instant

    static let channel = "relist"
    private static let heartbeatInterval = Duration.milliseconds(500)
    /// The maximum time to wait for the answer to a heartbeat. Afterwards, the connection is given up.
    private static let heartbeatTimeout = Duration.milliseconds(1500)
    /// The minimum time between two reads of notifications. Reading several notifications together takes little longer than reading one.
    private static let readInterval = Duration.milliseconds(4)
    /// The maximum number of commits whose topics are looked up together.
    private static let lookupLimit = 32
    /// The delays before consecutive attempts to connect again. The last delay applies to all further attempts.
    private static let delays: [Duration] = [.milliseconds(50), .milliseconds(100), .milliseconds(200), .milliseconds(500)]

    private let address: PostgresAddress
    private let topics: Topics
    private let received: ReceivedCommits
    private let logger: Logger
    private let serverMayHaveChanged: @Sendable () -> Void
    private let queue = DispatchQueue(label: "commit listener")
    private let isStopping = Atomic(false)
    /// A pipe. Closing its writing end wakes the thread, which then stops.
    private let stopSignal: (reading: Int32, writing: Int32)

    /// Creates a listener, which ``start()`` starts. `serverMayHaveChanged` is called when the connection is lost and when a new connection
    /// is open, because a different server may have become the primary.
    init(
        to address: PostgresAddress, topics: Topics, received: ReceivedCommits, logger: Logger,
        serverMayHaveChanged: @escaping @Sendable () -> Void
    ) {
        self.serverMayHaveChanged = serverMayHaveChanged
        self.address = address
        self.topics = topics
        self.received = received
        self.logger = logger
        var ends: [Int32] = [-1, -1]
        // An error of `pipe` is ignored. Without the pipe, the thread does not stop at once, but at its next heartbeat.
        _ = pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        stopSignal = (ends[0], ends[1])
    }

    deinit {
        close(stopSignal.reading)
    }

    /// Starts to listen. Returns after the first attempt to connect has succeeded or failed.
    func start() async {
        let (attempts, endAttempt) = AsyncStream.makeStream(of: Void.self)
        queue.async { [self] in run { endAttempt.finish() } }
        for await _ in attempts {}
    }

    /// Stops listening. Returns when the thread has ended.
    func stop() async {
        if !isStopping.exchange(true, ordering: .acquiringAndReleasing) { close(stopSignal.writing) }
        // The queue is serial, so the continuation is resumed after `run` has returned.
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    private var isStopped: Bool { isStopping.load(ordering: .acquiring) }

    /// Connects and listens until the listener is stopped, and connects again after an error. Calls `attempted` after each attempt to
    /// connect.
    private func run(_ attempted: () -> Void) {
        defer {
            received.endReceiving()
            attempted()
        }
        var failureCount = 0
        // The time at which all topics were last announced because the connection was lost.
        var announcedAt: Instant?
        while !isStopped {
            do {
                let connection = try PostgresConnection(to: address, statementTimeout: Self.heartbeatTimeout)
                try listen(on: connection) {
                    if failureCount > 0 { logger.notice("commits of other replicas are received again") }
                    failureCount = 0
                    attempted()
                }
            } catch _ where isStopped {
                return
            } catch {
                received.endReceiving()
                attempted()
                if failureCount == 0 {
                    serverMayHaveChanged()
                    logger.warning("commits of other replicas are not received", metadata: ["error": "\(error)"])
                }
                pause(Self.delays[min(failureCount, Self.delays.count - 1)])
                failureCount += 1
                keepFollowersCurrent(&announcedAt)
            }
        }
    }

    /// Announces all topics from time to time while there is no connection, so that followed views are computed again.
    private func keepFollowersCurrent(_ announcedAt: inout Instant?) {
        guard !received.isTrusted, announcedAt.map({ .now - $0 >= ReceivedCommits.bound }) ?? true else { return }
        announcedAt = .now
        topics.announceMissed()
    }

    private func pause(_ duration: Duration) {
        var signal = pollfd(fd: stopSignal.reading, events: Int16(POLLIN), revents: 0)
        poll(&signal, 1, Int32(duration / .milliseconds(1)))
    }

    /// Listens on a connection until the listener is stopped or the connection is lost. Calls `began` when the subscription has begun.
    private func listen(on connection: PostgresConnection, _ began: () -> Void) throws {
        try connection.script("LISTEN \(Self.channel)", until: .now + Self.heartbeatTimeout)
        serverMayHaveChanged()
        var start = Instant.now
        // The recorded positions are discarded: the new connection may lead to a different server, which may lack some commits.
        received.beginReceiving()
        var last = try lastPosition(on: connection)
        // Commits before this time may have been missed.
        topics.announceEverything()
        if let last { received.receive(last) }
        received.trust(since: start)
        began()
        try announceNotifications(of: connection)
        var readAt = Instant.now
        while !isStopped {
            try waitForNotifications(on: connection, until: start + Self.heartbeatInterval)
            // The pause ends early if a write on this replica waits for its notification.
            while !isStopped, !received.isAwaited, .now < readAt + Self.readInterval { pause(.milliseconds(1)) }
            readAt = .now
            try announceNotifications(of: connection)
            guard .now >= start + Self.heartbeatInterval else { continue }
            start = .now
            _ = try connection.run([Statement("SELECT")], until: start + Self.heartbeatTimeout)
            if last == nil {
                last = try lastPosition(on: connection)
                // All topics are announced, because the notification of the last commit may not have arrived yet: a commit releases its
                // lock before its notification is sent.
                if last != nil { topics.announceEverything() }
            }
            try announceNotifications(of: connection)
            if let last { received.receive(last) }
            received.trust(since: start)
        }
    }

    /// Returns the position of the last commit, or `nil` while a commit is in progress, because the last position may belong to that
    /// commit.
    private func lastPosition(on connection: PostgresConnection) throws(PostgresError) -> Position? {
        let sql = """
            SELECT CASE WHEN pg_try_advisory_xact_lock($1, $2)
                THEN (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM relist.position) END
            """
        let result = try connection.run([Statement(sql, AdvisoryLock.commits.arguments)], until: .now + Self.heartbeatTimeout)[0]
        let number: Int64? = try? result.row(0)[0]
        return number.map(Position.init(number:))
    }

    private func waitForNotifications(on connection: PostgresConnection, until time: Instant) throws {
        var files = [
            pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: stopSignal.reading, events: Int16(POLLIN), revents: 0),
        ]
        let (seconds, attoseconds) = max(.zero, time - .now).components
        // One millisecond is added, because the conversion rounds down.
        poll(&files, 2, Int32(seconds * 1000 + attoseconds / 1_000_000_000_000_000) + 1)
    }

    private func announceNotifications(of connection: PostgresConnection) throws {
        let limit = Instant.now + Self.heartbeatInterval
        connection.receive()
        var texts = connection.notifications()
        // More notifications can arrive while topics are looked up. The limit leaves time for the heartbeat.
        while !texts.isEmpty {
            try announce(texts, on: connection)
            if isStopped || .now >= limit { break }
            connection.receive()
            texts = connection.notifications()
        }
        if connection.isBroken { throw PostgresError.unreachable(reason: "the connection is gone") }
    }

    /// Announces the topics of several notifications together. Announces all topics if the topics of a notification are unknown.
    private func announce(_ texts: [String], on connection: PostgresConnection) throws {
        var (touched, inTable, last): (Set<Topic>, [Position], Position?) = ([], [], nil)
        var (isEverything, foreignCount) = (false, 0)
        for text in texts {
            guard let commit = TopicsText(text) else {
                isEverything = true
                if !text.isEmpty, text != TopicsText.everything { foreignCount += 1 }
                continue
            }
            last = max(last ?? commit.position, commit.position)
            if let topics = commit.topics { touched.formUnion(topics) } else { inTable.append(commit.position) }
        }
        if foreignCount > 0 {
            logger.warning("received notifications that are not from this service", metadata: ["count": "\(foreignCount)"])
        }
        if !isEverything, let stored = try storedTopics(at: inTable, on: connection) {
            touched.formUnion(stored)
            if !touched.isEmpty { topics.announce(touched) }
        } else {
            topics.announceEverything()
        }
        if let last { received.receive(last) }
    }

    /// Returns the topics at these positions in the table `relist.announcement`. Returns `nil` if there are too many positions, or if the
    /// topics at a position were removed.
    private func storedTopics(at positions: [Position], on connection: PostgresConnection) throws(PostgresError) -> Set<Topic>? {
        if positions.isEmpty { return [] }
        guard positions.count <= Self.lookupLimit else { return nil }
        let statements = positions.map { position in
            Statement("SELECT topics FROM relist.announcement WHERE position = $1", [position.number.postgresArgument])
        }
        let results = try connection.run(statements, until: .now + Self.heartbeatTimeout)
        var topics: Set<Topic> = []
        for result in results {
            guard result.rowCount == 1, let lines: String = try? result.row(0)[0] else { return nil }
            topics.formUnion(TopicsText.topics(in: lines))
        }
        return topics
    }
}
