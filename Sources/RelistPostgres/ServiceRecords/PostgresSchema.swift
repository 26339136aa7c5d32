import Logging
public import ScreenService

/// A migration of the tables in a PostgreSQL database.
public typealias PostgresMigration = RecordMigration

/// The migrations of a database. The migrations of the service, whose tables are in the schema `relist`, precede the migrations of the
/// stores that share the database.
struct PostgresSchema: Sendable {
    /// The oldest supported version of the server. It is the first version with `client_connection_check_interval`.
    static let oldestServer = 140_000

    /// The maximum duration of one attempt to run the migrations, and the time after which no further attempt begins.
    private static let timeLimit = Duration.seconds(60)

    var migrations: [PostgresMigration]
    private let oldestServer: Int

    /// Adds the migrations of other stores, which run after the migrations of the service. All names must be different.
    init(adding more: [PostgresMigration] = [], oldestServer: Int = Self.oldestServer) {
        self.oldestServer = oldestServer
        migrations = Self.ofService + more
        precondition(Set(migrations.map(\.name)).count == migrations.count, "two steps have one name: give each its own")
    }

    // Keys are stored as hashes, because an index limits the length of its keys. Outlines are stored without compression, because they
    // consist of hashes, which cannot be compressed.
    static let ofService = [
        PostgresMigration(
            "relist 1: secret, versions, receipts",
            """
            CREATE TABLE relist.secret (byte_count integer NOT NULL PRIMARY KEY, bytes bytea NOT NULL);
            CREATE TABLE relist.version (
                id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
                key bytea NOT NULL PRIMARY KEY,
                audience bytea NOT NULL,
                view bigint NOT NULL,
                outline bytea NOT NULL,
                byte_count bigint NOT NULL,
                used_at bigint NOT NULL
            );
            ALTER TABLE relist.version ALTER outline SET STORAGE EXTERNAL;
            CREATE INDEX version_by_use ON relist.version (used_at);
            CREATE TABLE relist.receipt (
                key bytea NOT NULL PRIMARY KEY,
                request bytea NOT NULL,
                performed_at bigint NOT NULL
            );
            CREATE INDEX receipt_by_age ON relist.receipt (performed_at);
            """
        ),
        PostgresMigration(
            "relist 2: positions, announcements",
            """
            CREATE SEQUENCE relist.position;
            CREATE TABLE relist.announcement (
                position bigint NOT NULL PRIMARY KEY,
                topics text NOT NULL,
                announced_at timestamptz NOT NULL DEFAULT now()
            );
            """
        ),
        // Without the index `version_by_use_and_size`, the queries that choose versions to remove would read the table, which is large
        // because of its outlines.
        PostgresMigration(
            "relist 3: sizes of versions by use",
            """
            CREATE INDEX version_by_use_and_size ON relist.version (used_at) INCLUDE (id, byte_count);
            """
        ),
    ]

    /// Runs the migrations that the database has not run yet, in one transaction. `fill` inserts initial rows in this transaction. Other
    /// replicas that start at the same time wait.
    ///
    /// If another session has locked a table, the transaction is rolled back after a short time, and runs again after a pause. If the
    /// transaction kept waiting for the lock, new readers of the table would have to wait until the migration has finished.
    func migrate(
        _ connection: PostgresConnection, at address: PostgresAddress, waiting: LockWaiting = LockWaiting(), logger: Logger,
        fill: (PostgresTransaction) throws -> Void
    ) throws {
        let database = address.description
        try checkServer(connection, of: database)
        let holders = LockHolders(of: connection, at: address, interval: waiting.lookInterval)
        let end = PostgresConnection.Instant.now + Self.timeLimit
        var failureCount = 0
        while true {
            holders.clear()
            do {
                return try attempt(on: connection, of: database, lockTimeout: waiting.timeout, watchedBy: holders, fill)
            } catch {
                try? connection.script("ROLLBACK", until: .now + .seconds(2))
                guard error as? PostgresError == .locked, .now < end else { throw Self.opening(error, of: database) }
            }
            failureCount += 1
            logger.warning(
                "the tables cannot be changed yet, as another session holds a lock; trying again",
                metadata: [
                    "holders": "\(holders.found.isEmpty ? "unknown" : holders.found.joined(separator: "; "))", "tries": "\(failureCount)",
                ]
            )
            waiting.pause(failureCount)
        }
    }

    /// Throws an error if the server is too old, or if the database has an encoding other than UTF8.
    func checkServer(_ connection: PostgresConnection, of database: String) throws(PostgresOpeningError) {
        guard connection.serverVersion >= oldestServer else {
            throw .tooOld(database: database, version: connection.serverVersion)
        }
        guard connection.serverEncoding == "UTF8" else {
            throw .failed(database: database, reason: "its encoding is \(connection.serverEncoding), not UTF8")
        }
    }

    private func attempt(
        on connection: PostgresConnection, of database: String, lockTimeout: Duration, watchedBy holders: LockHolders,
        _ fill: (PostgresTransaction) throws -> Void
    ) throws {
        // A migration has more time than a request, because it may wait for another replica that runs the migrations.
        let deadline = PostgresConnection.Instant.now + Self.timeLimit
        // With READ COMMITTED, statements after the wait for the lock see the commits of the replica that held the lock.
        try connection.script("BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = '60s'", until: deadline)
        _ = try connection.run([Statement("SELECT pg_advisory_xact_lock($1, $2)", AdvisoryLock.schema.arguments)], until: deadline)
        try connection.script("SET LOCAL lock_timeout = \(Int(lockTimeout / .milliseconds(1)))", until: deadline)
        // A running statement calls this closure repeatedly. The result `false` means that the statement is not cancelled.
        let whileWaiting = {
            holders.look()
            return false
        }
        let exists =
            try connection.run([Statement("SELECT to_regclass('relist.migration') IS NOT NULL")], until: deadline)[0].row(0)[0] as Bool
        if !exists {
            try connection.script(
                "CREATE SCHEMA IF NOT EXISTS relist; CREATE TABLE relist.migration (name text NOT NULL PRIMARY KEY)", until: deadline,
                isGivenUp: whileWaiting)
        }
        try runMigrations(on: connection, of: database, until: deadline, whileWaiting)
        let transaction = PostgresTransaction(on: connection, begunBy: [], recorder: nil, until: deadline, isGivenUp: whileWaiting)
        try fill(transaction)
        // The lock of commits is acquired here, because `commit()` would wait for it without calling `whileWaiting`. A replica that waits
        // for the standby server may hold the lock.
        if !transaction.touched.isEmpty {
            _ = try transaction.run([Statement("SELECT pg_advisory_xact_lock($1, $2)", AdvisoryLock.commits.arguments)])
        }
        _ = try transaction.commit()
    }

    private func runMigrations(
        on connection: PostgresConnection, of database: String, until deadline: PostgresConnection.Instant,
        _ whileWaiting: @escaping () -> Bool
    ) throws {
        for migration in try pending(on: connection, of: database, until: deadline, whileWaiting) {
            try connection.script(migration.sql, until: deadline, isGivenUp: whileWaiting)
            let recording = Statement("INSERT INTO relist.migration VALUES ($1)", [migration.name.postgresArgument])
            // All topics are announced, because replicas with the previous version may have screens that depend on the changed tables.
            let announcing = Statement("SELECT pg_notify('\(CommitListener.channel)', $1)::text", [.text(TopicsText.everything)])
            _ = try connection.run([recording, announcing], until: deadline, isGivenUp: whileWaiting)
        }
    }

    /// Returns the migrations that the database has not run yet. Throws an error if a newer version of the program has run others that are
    /// not additive.
    func pending(
        on connection: PostgresConnection, of database: String, until deadline: PostgresConnection.Instant,
        _ whileWaiting: (() -> Bool)? = nil
    ) throws -> [PostgresMigration] {
        let result = try connection.run([Statement("SELECT name FROM relist.migration")], until: deadline, isGivenUp: whileWaiting)[0]
        let done = try Set((0..<result.rowCount).map { try result.row($0)[0] as String })
        let unknown = PostgresMigration.forbidding(done, known: migrations)
        guard unknown.isEmpty else { throw PostgresOpeningError.newerSchema(database: database, unknownSteps: unknown) }
        return migrations.filter { !done.contains($0.name) }
    }

    /// Returns a Boolean value that indicates whether migrations of the service are among these.
    static func isOfService(_ migrations: [PostgresMigration]) -> Bool {
        migrations.contains { migration in ofService.contains { $0.name == migration.name } }
    }

    /// Returns the `PostgresOpeningError` that corresponds to an error of PostgreSQL. Returns any other error unchanged.
    static func opening(_ error: any Error, of database: String) -> any Error {
        switch error {
        case PostgresError.unreachable(let reason): PostgresOpeningError.unreachable(database: database, reason: reason)
        case PostgresError.refused("42501", let message): PostgresOpeningError.noPermission(database: database, reason: message)
        case PostgresError.refused(_, let message): PostgresOpeningError.failed(database: database, reason: message)
        case PostgresError.readOnly: PostgresOpeningError.unreachable(database: database, reason: "it takes no writes")
        case PostgresError.locked: PostgresOpeningError.failed(database: database, reason: "another session holds a lock on them")
        case PostgresError.tooSlow, PostgresError.serialisation:
            PostgresOpeningError.unreachable(database: database, reason: "it did not answer in time")
        case PostgresError.constraint(_, let name): PostgresOpeningError.failed(database: database, reason: "a row breaks \(name)")
        case PostgresError.commitInDoubt:
            PostgresOpeningError.unreachable(database: database, reason: "the connection broke at the end; the tables may have been made")
        default: error
        }
    }
}
