import Foundation
import ScreenService

/// The properties of a PostgreSQL server on which a deployment depends.
struct ServerFacts {
    var isStandby = false
    /// A Boolean value that indicates whether the transactions of this user are read-only by default.
    var isReadOnly = false
    var hasFsync = true
    var hasFullPageWrites = true
    /// The value of `synchronous_commit` in the sessions of a store.
    var synchronousCommit = "on"
    /// The value of `synchronous_standby_names`.
    var standbyNames = ""
    /// The number of connected standbys that commits may wait for; `nil` if the user has no right to see it.
    var standbyCount: Int? = 0
    /// The time of the server minus the time of this machine, in seconds.
    var clockDifference = 0.0
    /// The used part of the queue of notifications, from 0 to 1.
    var queueUsage = 0.0
    /// The number of connections that ordinary users can open.
    var freeConnections = 100
    var maximumConnections = 100
}

extension ServerFacts {
    private static let query = """
        SELECT pg_is_in_recovery(),
            (SELECT reset_val = 'on' FROM pg_settings WHERE name = 'default_transaction_read_only'),
            current_setting('fsync')::boolean, current_setting('full_page_writes')::boolean,
            current_setting('synchronous_commit'), current_setting('synchronous_standby_names'),
            (SELECT CASE WHEN count(*) = count(sync_state) THEN count(*) FILTER (WHERE sync_state IN ('sync', 'quorum')) END
                FROM pg_stat_replication),
            pg_notification_queue_usage(),
            current_setting('max_connections')::bigint,
            current_setting('superuser_reserved_connections')::bigint
                + coalesce(current_setting('reserved_connections', true)::bigint, 0)
                + (SELECT sum(numbackends) FROM pg_stat_database)
        """

    init(_ connection: PostgresConnection, until deadline: PostgresConnection.Instant) throws {
        let row = try connection.run([Statement(Self.query)], until: deadline)[0].row(0)
        (isStandby, isReadOnly, hasFsync, hasFullPageWrites) = (try row[0], try row[1], try row[2], try row[3])
        (synchronousCommit, standbyNames, standbyCount, queueUsage) = (try row[4], try row[5], try row[6], try row[7])
        let used: Int = try row[9]
        maximumConnections = try row[8]
        // The connection of the check is free afterwards.
        freeConnections = maximumConnections - used + 1
        clockDifference = try Self.clockDifference(connection, until: deadline)
    }

    /// Returns the difference of the clocks, reduced by its uncertainty: the server reads its clock at some time before the answer arrives.
    private static func clockDifference(_ connection: PostgresConnection, until deadline: PostgresConnection.Instant) throws -> Double {
        let before = Date().timeIntervalSince1970
        let statement = Statement("SELECT extract(epoch FROM clock_timestamp())::double precision")
        let time: Double = try connection.run([statement], until: deadline)[0].row(0)[0]
        let after = Date().timeIntervalSince1970
        return time < before ? time - before : max(0, time - after)
    }
}

// MARK: - Findings

extension ServerFacts {
    /// The number of connections with which a server can start: one for transactions, and one that listens to commits.
    private static let leastConnections = 2

    /// Returns the findings for a server that uses up to `connectionCount` connections.
    func findings(needing connectionCount: Int) -> [CheckFinding] {
        [writesFinding] + durabilityFindings + [standbyFinding, clockFinding, queueFinding, connectionsFinding(connectionCount)]
    }

    private var writesFinding: CheckFinding {
        if isStandby { return .error("writes", "the server is a standby. Name the primary, or all hosts, in --database.") }
        guard !isReadOnly else {
            return .error("writes", "default_transaction_read_only is on. Turn it off, or name the server that accepts writes.")
        }
        return .ok("writes", "the server accepts writes")
    }

    private var durabilityFindings: [CheckFinding] {
        guard hasFsync else {
            let text = "fsync is off: a power failure can lose acknowledged actions and damage the database. Set fsync = on."
            return [.error("durability", text)]
        }
        guard hasFullPageWrites else {
            let text =
                "full_page_writes is off: a power failure can damage the database. Set it to on, unless the file system writes "
                + "whole pages."
            return [.warning("durability", text)]
        }
        return [.ok("durability", "fsync and full_page_writes are on, and synchronous_commit is \(synchronousCommit) for a server")]
    }

    private var standbyFinding: CheckFinding {
        guard !standbyNames.isEmpty else {
            return .ok("standby", "commits wait for none, so a failover can lose the last ones (synchronous_standby_names is empty)")
        }
        guard standbyCount != 0 else {
            let text =
                "commits wait for \(standbyNames), and none is connected, so no action ends. Start one, or change "
                + "synchronous_standby_names."
            return .error("standby", text)
        }
        return .ok("standby", "commits wait for \(standbyNames), so acknowledged actions are on a standby, too")
    }

    private var clockFinding: CheckFinding {
        let seconds = (abs(clockDifference) * 10).rounded() / 10
        let text = "the server is \(seconds) s \(clockDifference < 0 ? "behind" : "ahead of") this machine"
        let remedy = "Synchronize both with NTP, since tokens and times on screens depend on them."
        if abs(clockDifference) > 30 { return .error("clock", "\(text). \(remedy)") }
        return abs(clockDifference) > 1 ? .warning("clock", "\(text). \(remedy)") : .ok("clock", text)
    }

    private var queueFinding: CheckFinding {
        let text = "\(Int((queueUsage * 100).rounded())) % of the queue is used"
        let remedy = "A session listens and stays in a transaction: find the oldest one in pg_stat_activity, and end it."
        if queueUsage >= 0.5 { return .error("notifications", "\(text), and commits fail once it is full. \(remedy)") }
        return queueUsage >= 0.1 ? .warning("notifications", "\(text). \(remedy)") : .ok("notifications", text)
    }

    private func connectionsFinding(_ count: Int) -> CheckFinding {
        let text = "\(max(0, freeConnections)) of \(maximumConnections) are free, and a server uses up to \(count)"
        let remedy = "Raise max_connections, or stop other clients."
        if freeConnections < Self.leastConnections { return .error("connections", "\(text). \(remedy)") }
        return freeConnections < count ? .warning("connections", "\(text). \(remedy)") : .ok("connections", text)
    }
}
