import Logging
@testable import RelistPostgres
@testable import ScreenService
import TemporaryDatabase
import TemporaryPostgres

/// A store on a database of its own.
struct PostgresGround {
    static let things = PostgresMigration(
        "things", "CREATE TABLE thing (id bigint NOT NULL PRIMARY KEY, name text, bytes bytea, is_good boolean, weight double precision)"
    )

    let url: String
    let store: PostgresServiceStore
    let announcements = Announcements()

    init(_ migrations: [PostgresMigration] = [things], timeLimit: Duration = .seconds(10)) async throws {
        url = try PostgresServer.shared.newDatabase()
        store = try await PostgresServiceStore.open(url: url, migrations: migrations, timeLimit: timeLimit, logger: Logger(label: "test"))
        announcements.observe(store.topics)
    }

    /// Ends all connections to the database.
    func endConnections() throws {
        let sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        try PostgresServer.shared.run(sql, in: url)
    }

    /// Ends all connections to the database, those first that wait for others, and has the server let nobody into it any more.
    func loseDatabase() throws {
        let name = try PostgresServer.shared.run("SELECT current_database()", in: url)
        try PostgresServer.shared.run("ALTER DATABASE \(name) ALLOW_CONNECTIONS false", in: "postgres")
        let waitingFirst = "SELECT pid FROM pg_stat_activity WHERE datname = '\(name)' ORDER BY wait_event_type = 'Lock' DESC NULLS LAST OFFSET 0"
        try PostgresServer.shared.run("SELECT pg_terminate_backend(pid) FROM (\(waitingFirst)) AS one", in: "postgres")
    }

    /// Returns once a statement runs in the database that is like a pattern of SQL's.
    func isRunning(_ pattern: String) async throws {
        try await waits(until: true, pattern)
    }

    /// Waits until so many statements like this wait for a lock.
    func isBlocked(_ pattern: String, count: Int = 1) async throws {
        try await waits(until: true, pattern, "AND wait_event_type = 'Lock'", count: count)
    }

    /// Waits until no statement like this is being run.
    func isOver(_ pattern: String) async throws {
        try await waits(until: false, pattern)
    }

    private func waits(until isActive: Bool, _ pattern: String, _ condition: String = "", count: Int = 1) async throws {
        let sql = """
            SELECT count(*) >= \(count) FROM pg_stat_activity
            WHERE query LIKE '\(pattern)' AND state = 'active' AND datname = current_database() \(condition)
            """
        while try PostgresServer.shared.run(sql, in: url) != (isActive ? "t" : "f") {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// Waits until nobody holds a lock.
    func isFree(_ lock: AdvisoryLock) async throws {
        let observer = try PostgresConnection(to: PostgresAddress(url), statementTimeout: .seconds(60))
        while try observer.run([lock.asking], until: .now + .seconds(60))[0].row(0)[0] == false {
            try Task.checkCancellation()
            await Task.yield()
        }
        try observer.script("SELECT pg_advisory_unlock_all()", until: .now + .seconds(60))
    }

    /// Another replica.
    func other(connections: Int = 10, timeLimit: Duration = .seconds(60)) async throws -> PostgresServiceStore {
        try await PostgresServiceStore.open(url: url, migrations: [Self.things], connections: connections, timeLimit: timeLimit, logger: Logger(label: "other"))
    }
}

extension ActionReceipt {
    static func some(_ text: String = "k", user: String = "u", request: UInt64 = 1, at time: Int64 = 1000) -> ActionReceipt {
        ActionReceipt(
            key: .init(user: user, screen: "s", action: "a", text: text), request: Version(high: .max, low: request), performedAt: time
        )
    }
}

extension HistoryRecord {
    static func some(
        _ audience: Audience = .everyone, screen: String = "posts", version: UInt64, view: UInt64 = 1, outline: [UInt8] = [1, 2, 3],
        usedAt: Int64 = 1_600_000_000
    ) -> HistoryRecord {
        let key = HistoryKey(audience: audience, screen: screen, version: Version(high: ~version, low: version))
        return HistoryRecord(key: key, view: view, outline: outline, usedAt: usedAt)
    }
}
