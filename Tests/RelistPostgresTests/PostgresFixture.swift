import Logging
import TemporaryDatabase
import TemporaryPostgres

@testable import RelistPostgres
@testable import ScreenService

/// A store on a new PostgreSQL database.
struct PostgresFixture {
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

    /// Ends all connections to the database, and rejects new connections. Connections that wait for locks end first.
    func loseDatabase() throws {
        let name = try PostgresServer.shared.run("SELECT current_database()", in: url)
        try PostgresServer.shared.run("ALTER DATABASE \(name) ALLOW_CONNECTIONS false", in: "postgres")
        let waitingFirst =
            "SELECT pid FROM pg_stat_activity WHERE datname = '\(name)' ORDER BY wait_event_type = 'Lock' DESC NULLS LAST OFFSET 0"
        try PostgresServer.shared.run("SELECT pg_terminate_backend(pid) FROM (\(waitingFirst)) AS one", in: "postgres")
    }

    /// Waits until a statement that matches the pattern runs. The pattern is in the syntax of LIKE in SQL.
    func isRunning(_ pattern: String) async throws {
        try await waits(until: true, pattern)
    }

    /// Waits until `count` statements that match the pattern wait for a lock.
    func isBlocked(_ pattern: String, count: Int = 1) async throws {
        try await waits(until: true, pattern, "AND wait_event_type = 'Lock'", count: count)
    }

    /// Waits until no statement that matches the pattern runs.
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

    /// Waits until a lock is free.
    func isFree(_ lock: AdvisoryLock) async throws {
        let observer = try PostgresConnection(to: PostgresAddress(url), statementTimeout: .seconds(60))
        while try observer.run([lock.tryLock], until: .now + .seconds(60))[0].row(0)[0] == false {
            try Task.checkCancellation()
            await Task.yield()
        }
        try observer.script("SELECT pg_advisory_unlock_all()", until: .now + .seconds(60))
    }

    /// Opens another replica.
    func other(connections: Int = 10, timeLimit: Duration = .seconds(60)) async throws -> PostgresServiceStore {
        try await PostgresServiceStore.open(
            url: url, migrations: [Self.things], connections: connections, timeLimit: timeLimit, logger: Logger(label: "other"))
    }
}
