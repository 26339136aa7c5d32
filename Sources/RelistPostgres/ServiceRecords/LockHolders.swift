import Glibc
import ScreenService

/// The rules by which migrations wait for locks of other sessions.
struct LockWaiting: Sendable {
    /// The maximum time for which a statement waits for a lock. Meanwhile, new readers of the table wait behind the statement.
    var timeout = Duration.milliseconds(500)
    /// The time between two queries for the sessions that hold the lock.
    var lookInterval = Duration.milliseconds(100)
    /// A function that waits before the next attempt. The duration of the wait depends on the number of failed attempts.
    var pause: @Sendable (_ failureCount: Int) -> Void = { sleep(UInt32(min(1 << min($0 - 1, 3), 5))) }
}

/// Finds the sessions that block a connection, with queries on a second connection. The object is used only on the thread of the blocked
/// connection.
final class LockHolders {
    private let process: Int
    private let address: PostgresAddress
    private let interval: Duration
    private var lookedAt = PostgresConnection.Instant.now
    private var connection: PostgresConnection?
    /// Descriptions of the blocking sessions, for the log. If a query finds no session, the descriptions from the previous query remain.
    private(set) var found: [String] = []

    private static let queryTimeout = Duration.seconds(1)
    // The state is NULL if the user of this connection has no permission to see the sessions of other users.
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

    func clear() {
        found = []
    }

    /// Finds the sessions that block the connection, and sets `found`. Does nothing if the previous query ended less than `interval` ago.
    func look() {
        guard .now >= lookedAt + interval else { return }
        defer { lookedAt = .now }
        // If the connection fails, the log names no session, and the migrations continue.
        if connection?.isBroken ?? true { connection = try? PostgresConnection(to: address, statementTimeout: Self.queryTimeout) }
        let statement = Statement(Self.query, [process.postgresArgument])
        guard let result = try? connection?.run([statement], until: .now + Self.queryTimeout)[0], result.rowCount > 0 else { return }
        found = (0..<result.rowCount).compactMap { try? result.row($0)[0] as String }
    }
}
