import Glibc
import ScreenService

/// The rules by which schema steps wait for locks of other sessions.
struct LockWaiting: Sendable {
    /// The time that a statement waits for a lock. Readers of the table wait behind it.
    var timeout = Duration.milliseconds(500)
    /// The time between two queries for the holders of the lock.
    var lookInterval = Duration.milliseconds(100)
    /// Waits before the next try. It is called with the number of failed ones.
    var pause: @Sendable (_ failureCount: Int) -> Void = { sleep(UInt32(min(1 << min($0 - 1, 3), 5))) }
}

/// The sessions that a connection waits for, found while it waits, on another connection.
///
/// Used by the thread that uses the connection.
final class LockHolders {
    private let process: Int
    private let address: PostgresAddress
    private let interval: Duration
    private var lookedAt = PostgresConnection.Instant.now
    private var connection: PostgresConnection?
    /// The sessions that were found last in this try, in words for the log.
    private(set) var found: [String] = []

    private static let lookLimit = Duration.seconds(1)
    // An unprivileged user cannot see the state of other users' sessions.
    private static let query = """
        SELECT format(
            'process %s of user %s, application %s%s', pid, usename, coalesce(nullif(application_name, ''), 'unknown'),
            coalesce(', ' || state || ' for ' || extract(epoch FROM clock_timestamp() - state_change)::bigint || ' s', '')
        ) FROM pg_stat_activity WHERE pid = ANY (pg_blocking_pids($1)) ORDER BY pid LIMIT 5
        """

    init(of connection: PostgresConnection, at address: PostgresAddress, interval: Duration) {
        process = connection.serverProcess
        self.address = address
        self.interval = interval
    }

    /// Discards what was found, as another try begins.
    func clear() {
        found = []
    }

    /// Queries for the holders of the lock that the connection waits for. Calls within the interval do nothing.
    func look() {
        guard .now >= lookedAt + interval else { return }
        defer { lookedAt = .now }
        // Without a result the log names no holder. The steps go on.
        if connection?.isBroken ?? true { connection = try? PostgresConnection(to: address, statementTimeout: Self.lookLimit) }
        let statement = Statement(Self.query, [process.postgresArgument])
        guard let result = try? connection?.run([statement], until: .now + Self.lookLimit)[0], result.rowCount > 0 else { return }
        found = (0..<result.rowCount).compactMap { try? result.row($0)[0] as String }
    }
}
