import Dispatch
import Glibc
import Logging
import ScreenService
import Synchronization

/// What hears of the commits of all replicas, on a connection and a thread of its own, and announces them in their order.
///
/// While that connection is gone nothing is heard: once there is another, anything may have changed. A heartbeat on it shows
/// that nothing was missed, as the server sends what was acknowledged to whoever committed it before it answers.
final class CommitListener: Sendable {
    typealias Instant = ContinuousClock.Instant

    static let channel = "relist"
    private static let heartbeatInterval = Duration.milliseconds(500)
    /// How long a heartbeat may take, before the connection counts as gone.
    private static let heartbeatLimit = Duration.milliseconds(1500)
    /// How much time passes between two readings of what comes one upon another: being woken and reading is most of what it costs
    /// to hear of a commit.
    private static let readingInterval = Duration.milliseconds(4)
    /// The topics of how many commits are looked up at a time.
    private static let keptLimit = 32
    private static let pauses: [Duration] = [.milliseconds(50), .milliseconds(100), .milliseconds(200), .milliseconds(500)]

    private let address: PostgresAddress
    private let topics: Topics
    private let heard: HeardCommits
    private let logger: Logger
    private let serverMayHaveChanged: @Sendable () -> Void
    private let queue = DispatchQueue(label: "commit listener")
    private let isStopping = Atomic(false)
    /// At its end when it is to stop.
    private let stopSignal: (reading: Int32, writing: Int32)

    /// - Parameter serverMayHaveChanged: called when its connection is gone, and when there is another: what was connected
    ///   before may be connected to a server that is the primary no longer.
    init(
        to address: PostgresAddress, topics: Topics, heard: HeardCommits, logger: Logger, serverMayHaveChanged: @escaping @Sendable () -> Void
    ) {
        self.serverMayHaveChanged = serverMayHaveChanged
        self.address = address
        self.topics = topics
        self.heard = heard
        self.logger = logger
        var ends: [Int32] = [-1, -1]
        // Without one it stops with the next heartbeat.
        _ = pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        stopSignal = (ends[0], ends[1])
    }

    deinit {
        close(stopSignal.reading)
    }

    /// Listens until it is stopped. Returns once it hears, or has failed to.
    func start() async {
        let (tries, endTrying) = AsyncStream.makeStream(of: Void.self)
        queue.async { [self] in run { endTrying.finish() } }
        for await _ in tries {}
    }

    /// Stops it; returns when it has stopped.
    func stop() async {
        if !isStopping.exchange(true, ordering: .acquiringAndReleasing) { close(stopSignal.writing) }
        // In its turn, behind what listens.
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    private var isStopped: Bool { isStopping.load(ordering: .acquiring) }

    /// - Parameter tried: called after each try.
    private func run(_ tried: () -> Void) {
        defer {
            heard.endHearing()
            tried()
        }
        var failureCount = 0
        // When everything was announced last because nothing was heard.
        var announcedAt: Instant?
        while !isStopped {
            do {
                let connection = try PostgresConnection(to: address, statementTimeout: Self.heartbeatLimit)
                try listen(on: connection) {
                    if failureCount > 0 { logger.notice("what other replicas commit is heard again") }
                    failureCount = 0
                    tried()
                }
            } catch where isStopped {
                return
            } catch {
                heard.endHearing()
                tried()
                if failureCount == 0 {
                    serverMayHaveChanged()
                    logger.warning("what other replicas commit is not heard", metadata: ["error": "\(error)"])
                }
                pause(Self.pauses[min(failureCount, Self.pauses.count - 1)])
                failureCount += 1
                keepFollowersCurrent(&announcedAt)
            }
        }
    }

    /// While nothing is heard, has what is followed computed anew every so often: nobody else would.
    private func keepFollowersCurrent(_ announcedAt: inout Instant?) {
        guard !heard.isTrusted, announcedAt.map({ .now - $0 >= HeardCommits.bound }) ?? true else { return }
        announcedAt = .now
        topics.announceUnheard()
    }

    private func pause(_ duration: Duration) {
        var signal = pollfd(fd: stopSignal.reading, events: Int16(POLLIN), revents: 0)
        poll(&signal, 1, Int32(duration / .milliseconds(1)))
    }

    /// - Parameter began: called once it hears.
    private func listen(on connection: PostgresConnection, _ began: () -> Void) throws {
        try connection.script("LISTEN \(Self.channel)", until: .now + Self.heartbeatLimit)
        serverMayHaveChanged()
        var start = Instant.now
        // It may be another server, which has lost some of them.
        heard.beginHearing()
        var present = try catchUp(on: connection)
        // Until now anything may have been committed.
        topics.announceEverything()
        if let present { heard.hear(present) }
        heard.trust(since: start)
        began()
        try announceNews(from: connection)
        var readAt = Instant.now
        while !isStopped {
            try waitForNews(on: connection, until: start + Self.heartbeatInterval)
            // Whoever has committed here waits to hear of it.
            while !isStopped, !heard.isAwaited, .now < readAt + Self.readingInterval { pause(.milliseconds(1)) }
            readAt = .now
            try announceNews(from: connection)
            guard .now >= start + Self.heartbeatInterval else { continue }
            start = .now
            _ = try connection.run([Statement("SELECT")], until: start + Self.heartbeatLimit)
            if present == nil {
                present = try catchUp(on: connection)
                // A commit lets go of the lock, and can be seen, a moment before it is told.
                if present != nil { topics.announceEverything() }
            }
            // What was acknowledged before the server answered has come before the answer.
            try announceNews(from: connection)
            if let present { heard.hear(present) }
            heard.trust(since: start)
        }
    }

    /// The position of the last commit; nil while one is under way, as a number that was drawn may not be committed yet.
    private func catchUp(on connection: PostgresConnection) throws(PostgresError) -> Position? {
        let sql = """
            SELECT CASE WHEN pg_try_advisory_xact_lock($1, $2)
                THEN (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM relist.position) END
            """
        let result = try connection.run([Statement(sql, AdvisoryLock.commits.arguments)], until: .now + Self.heartbeatLimit)[0]
        let number: Int64? = try? result.row(0)[0]
        return number.map(Position.init(number:))
    }

    private func waitForNews(on connection: PostgresConnection, until time: Instant) throws {
        var files = [
            pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0), pollfd(fd: stopSignal.reading, events: Int16(POLLIN), revents: 0),
        ]
        let (seconds, attoseconds) = max(.zero, time - .now).components
        // Whole milliseconds, and one more so that the time has come.
        poll(&files, 2, Int32(seconds * 1000 + attoseconds / 1_000_000_000_000_000) + 1)
    }

    private func announceNews(from connection: PostgresConnection) throws {
        let limit = Instant.now + Self.heartbeatInterval
        connection.receive()
        var news = connection.notifications()
        // While one is announced others may come with what is asked for that. In a burst the heartbeat has its turn all the same.
        while !news.isEmpty {
            try announce(news, on: connection)
            if isStopped || .now >= limit { break }
            connection.receive()
            news = connection.notifications()
        }
        if connection.isBroken { throw PostgresError.unreachable(reason: "the connection is gone") }
    }

    /// Announces what has come together as one: a topic that many commits have touched is stale once.
    private func announce(_ texts: [String], on connection: PostgresConnection) throws {
        var (touched, isInTable, last): (Set<Topic>, [Position], Position?) = ([], [], nil)
        var (isEverything, strangeCount) = (false, 0)
        for text in texts {
            guard let news = TopicsText(text) else {
                isEverything = true
                if !text.isEmpty, text != TopicsText.everything { strangeCount += 1 }
                continue
            }
            last = max(last ?? news.position, news.position)
            if let topics = news.topics { touched.formUnion(topics) } else { isInTable.append(news.position) }
        }
        if strangeCount > 0 {
            logger.warning("notifications are none of this service's", metadata: ["count": "\(strangeCount)"])
        }
        if !isEverything, let kept = try kept(at: isInTable, on: connection) {
            touched.formUnion(kept)
            if !touched.isEmpty { topics.announce(touched) }
        } else {
            topics.announceEverything()
        }
        if let last { heard.hear(last) }
    }

    /// The topics of commits that touched many; nil where some are not kept any more, or it would take too long.
    private func kept(at positions: [Position], on connection: PostgresConnection) throws(PostgresError) -> Set<Topic>? {
        if positions.isEmpty { return [] }
        guard positions.count <= Self.keptLimit else { return nil }
        let statements = positions.map { position in
            Statement("SELECT topics FROM relist.announcement WHERE position = $1", [position.number.postgresArgument])
        }
        let results = try connection.run(statements, until: .now + Self.heartbeatLimit)
        var topics: Set<Topic> = []
        for result in results {
            guard result.rowCount == 1, let lines: String = try? result.row(0)[0] else { return nil }
            topics.formUnion(TopicsText.topics(in: lines))
        }
        return topics
    }
}
