import Dispatch
import Logging
import Synchronization
import TemporaryDatabase
import TemporaryPostgres
import Testing

@testable import RelistPostgres
@testable import ScreenService

@Suite("Transactions of PostgreSQL", .timeLimit(.minutes(2))) struct TransactionTests {
    @Test func userDefinedTypesAreReadAsTextOnlyIfTheyAreEnumerations() async throws {
        let fixture = try await PostgresFixture([PostgresMigration("moods", "CREATE TYPE mood AS ENUM ('café', 'rain')")])
        let mood = try await fixture.store.read { try $0.row(of: nil, "SELECT 'café'::mood") { try $0[0] as String } }
        #expect(mood == "café")
        for column in ["ARRAY['rain'::mood]", "ROW('rain'::mood)::pair"] {
            try PostgresServer.shared.run("DROP TYPE IF EXISTS pair; CREATE TYPE pair AS (mood mood)", in: fixture.url)
            await #expect(throws: RecordValueError.wrongType(column: 0)) {
                try await fixture.store.read { try $0.row(of: nil, "SELECT \(column)") { try $0[0] as String } }
            }
        }
        await fixture.store.close()
    }

    @Test func aCommitIsAnnouncedOnAllReplicas() async throws {
        let fixture = try await PostgresFixture()
        let (other, received) = (try await fixture.other(), Announcements())
        received.observe(other.topics)
        let (_, position) = try await fixture.store.database.write(for: nil) { transaction in
            try transaction.write("INSERT INTO thing VALUES (1)", announcing: [Topic("a"), Topic("b\n%\r\n%00\u{301}")])
        }
        let isReceived = await other.topics.received!.wait(for: try #require(position), upTo: .seconds(60))
        #expect(isReceived)
        let names: Set = ["a", "b\n%\r\n%00\u{301}"]
        #expect(received.commits.contains(names))
        #expect(fixture.announcements.commits.contains(names))
        await fixture.store.close()
        await other.close()
    }

    @Test func topicsThatDoNotFitIntoOneNotificationAreAnnounced() async throws {
        let fixture = try await PostgresFixture()
        let (other, received) = (try await fixture.other(), Announcements())
        received.observe(other.topics)
        let topics = (0..<1000).map { Topic("a topic of a long name, number \($0)") }
        let (_, position) = try await fixture.store.database.write(for: nil) {
            try $0.write("INSERT INTO thing VALUES (1)", announcing: topics)
        }
        #expect(await other.topics.received!.wait(for: try #require(position), upTo: .seconds(60)))
        #expect(received.all.contains(Set(topics)))
        await fixture.store.close()
        await other.close()
    }

    @Test func positionsGrowInTheOrderOfCommits() async throws {
        // The first commit receives its position, and then waits for a lock.
        let slow = PostgresMigration(
            "slow",
            """
            CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(42); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER waiting AFTER INSERT ON thing DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW WHEN (NEW.id = 1) EXECUTE FUNCTION wait();
            """
        )
        let fixture = try await PostgresFixture([PostgresFixture.things, slow])
        let holder = try PostgresConnection(to: PostgresAddress(fixture.url), statementTimeout: .seconds(60))
        try holder.script("SELECT pg_advisory_lock(42)", until: .now + .seconds(60))
        let insert: @Sendable (Int) -> Task<Position?, any Error> = { id in
            Task {
                try await fixture.store.database.write(for: nil) { transaction in
                    try transaction.write("INSERT INTO thing VALUES ($1)", [id], announcing: [Topic("a")])
                }.position
            }
        }
        let first = insert(1)
        try await fixture.isRunning("COMMIT")
        let second = insert(2)
        try await fixture.isRunning("SELECT pg_advisory_xact_lock%")
        try holder.script("SELECT pg_advisory_unlock(42)", until: .now + .seconds(60))
        let positions = (try #require(await first.value), try #require(await second.value))
        #expect(positions.0 < positions.1)
        await fixture.store.close()
    }

    @Test func aCommitSucceedsEvenIfATriggerImitatesTheWarningAboutTheStandby() async throws {
        let warning = PostgresMigration(
            "warning",
            """
            CREATE FUNCTION warn() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                RAISE WARNING 'canceling wait for synchronous replication due to user request';
                RETURN NULL;
            END $$;
            CREATE CONSTRAINT TRIGGER warning AFTER INSERT ON thing DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION warn();
            """
        )
        let fixture = try await PostgresFixture([PostgresFixture.things, warning])
        try await fixture.store.write { _ = try $0.write("INSERT INTO thing VALUES (1)", announcing: [Topic("a")]) }
        #expect(try await fixture.store.read { try $0.row(of: nil, "SELECT count(*) FROM thing") { try $0[0] as Int } } == 1)
        await fixture.store.close()
    }

    @Test func onlyWritesThatMayHaveChangedARowAreAnnounced() async throws {
        let fixture = try await PostgresFixture()
        let position: @Sendable (String) async throws -> Position? = { sql in
            try await fixture.store.database.write(for: nil) { try $0.write(sql, announcing: [Topic("things")]) }.position
        }
        #expect(try await position("INSERT INTO thing VALUES (1)") != nil)
        #expect(try await position("-- It calls what may change anything.\nSELECT id FROM thing WHERE id = 2") != nil)
        #expect(try await position("DELETE FROM thing WHERE id = 2") == nil)
        #expect(try await position("WITH gone AS (DELETE FROM thing RETURNING id) UPDATE thing SET name = '' WHERE id = 2") != nil)
        try PostgresServer.shared.run(
            "CREATE FUNCTION add(id bigint) RETURNS void LANGUAGE sql AS 'INSERT INTO thing VALUES (id)'", in: fixture.url)
        #expect(try await position("SELECT add(3)") != nil)
        await fixture.store.close()
    }

    @Test func aWriteInAReadTransactionFailsAndTheConnectionRemainsUsable() async throws {
        let fixture = try await PostgresFixture()
        let process: @Sendable (PostgresTransaction) throws -> Int? = {
            try $0.row(of: nil, "SELECT pg_backend_pid()::bigint") { try $0[0] }
        }
        let before = try await fixture.store.read(process)
        await #expect(throws: PostgresStoreError.writeInRead) {
            try await fixture.store.read { try $0.write("INSERT INTO thing VALUES (1)") }
        }
        #expect(try await fixture.store.read(process) == before)
        await fixture.store.close()
    }

    @Test func aReadAnnouncesNothing() async throws {
        let fixture = try await PostgresFixture()
        try await fixture.store.read { transaction in
            transaction.announce(Topic("things"))
            try transaction.write("WITH one AS (SELECT 1) SELECT * FROM one", announcing: [Topic("things")])
            _ = try transaction.row(of: nil, "WITH one AS (SELECT 1) SELECT * FROM one", [], announcing: [Topic("things")]) { _ in }
        }
        #expect(fixture.announcements.commits == [])
        await fixture.store.close()
    }

    /// The constraint includes a column that is not part of the key, and another schema has a constraint of the same name.
    @Test func aDuplicateKeyIsRecognizedByTheKeyColumnsOfItsConstraint() async throws {
        struct Taken: Error {}
        let notes = PostgresMigration(
            "notes",
            """
            CREATE SCHEMA archive;
            CREATE TABLE archive.note (author text CONSTRAINT one_title UNIQUE);
            CREATE TABLE note (title text NOT NULL, author text, CONSTRAINT one_title UNIQUE (title) INCLUDE (author));
            """
        )
        let fixture = try await PostgresFixture([notes])
        let insert: @Sendable () async throws -> Int = {
            try await fixture.store.write { transaction in
                try transaction.write(
                    "INSERT INTO note VALUES ('a', 'b')", [], announcing: [], ifTaken: Taken(), key: ["title"], ifOrphaned: nil)
            }
        }
        #expect(try await insert() == 1)
        await #expect(throws: Taken.self) { try await insert() }
        await fixture.store.close()
    }

    @Test func aCancelledStatementRollsBackItsTransactionEvenIfTheErrorIsCaught() async throws {
        let fixture = try await PostgresFixture()
        await #expect(throws: DataUnavailable(reason: "the transaction was stopped")) {
            try await fixture.store.write { transaction in
                try transaction.write("SELECT set_config('statement_timeout', '50', true)")
                _ = try? transaction.write("SELECT pg_sleep(60)::text")
                for id in [1, 2, 3] { _ = try? transaction.write("INSERT INTO thing VALUES ($1)", [id]) }
            }
        }
        #expect(try await fixture.store.read { try $0.row(of: nil, "SELECT count(*) FROM thing") { try $0[0] as Int } } == 0)
        await fixture.store.close()
    }

    @Test(arguments: [true, false]) func aTransactionRunsAgainAfterAConflictEvenIfTheErrorIsCaught(isWriting: Bool) async throws {
        let fixture = try await PostgresFixture()
        let function =
            "CREATE FUNCTION conflict() RETURNS void LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$"
        try PostgresServer.shared.run(function, in: fixture.url)
        let runs = Mutex(0)
        try await fixture.store.write { transaction in
            let run = runs.withLock { count -> Int in
                count += 1
                return count
            }
            if run == 1 {
                if isWriting {
                    _ = try? transaction.write("SELECT conflict()::text")
                } else {
                    _ = try? transaction.row(of: nil, "SELECT conflict()::text") { _ in }
                }
            }
            for id in [1, 2, 3] { _ = try? transaction.write("INSERT INTO thing VALUES ($1)", [id]) }
        }
        #expect(runs.withLock { $0 } == 2)
        #expect(try await fixture.store.read { try $0.row(of: nil, "SELECT count(*) FROM thing") { try $0[0] as Int } } == 3)
        await fixture.store.close()
    }

    @Test func aReadTransactionFailsAfterAFailedStatementEvenIfTheErrorIsCaught() async throws {
        let fixture = try await PostgresFixture()
        // The server rejects the first statement. The second statement has too many arguments, so it is not sent.
        for (sql, arguments, state) in [("SELECT 1 FROM nothing", [], "42P01"), ("SELECT 1", Array(repeating: 1, count: 65_536), "54023")] {
            let error = await #expect(throws: PostgresError.self) {
                try await fixture.store.read { transaction in
                    _ = try? transaction.row(of: nil, sql, arguments) { _ in }
                    return try? transaction.row(of: nil, "SELECT 1") { _ in }
                }
            }
            guard case .refused(state, _) = error else { throw try #require(error) }
        }
        await fixture.store.close()
    }

    @Test func theStatementOfACancelledReadIsCancelledOnTheDatabaseServer() async throws {
        let fixture = try await PostgresFixture(timeLimit: .seconds(3600))
        let task = Task { try await fixture.store.read { try $0.row(of: nil, "SELECT pg_sleep(3600)::text") { _ in } } }
        try await fixture.isRunning("SELECT pg_sleep(3600)%")
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await fixture.isOver("SELECT pg_sleep(3600)%")
        await fixture.store.close()
    }

    @Test func aStoreIsReadyEvenWhileAllItsReadsWait() async throws {
        // Only one of the two connections is for reads.
        let fixture = try await PostgresFixture()
        let store = try await fixture.other(connections: 2)
        let (gate, (begun, begin)) = (DispatchSemaphore(value: 0), AsyncStream.makeStream(of: Void.self))
        let reading = Task {
            try await store.read { _ in
                begin.finish()
                gate.wait()
            }
        }
        for await _ in begun {}
        await #expect(throws: Never.self) { try await store.checkReadable() }
        gate.signal()
        try await reading.value
        await store.close()
        await fixture.store.close()
    }

    @Test func aSlowStatementIsCancelled() async throws {
        let url = try PostgresServer.shared.newDatabase()
        let store = try await PostgresServiceStore.open(url: url, timeLimit: .milliseconds(200), logger: Logger(label: "test"))
        await #expect(throws: DataUnavailable(reason: "the transaction was stopped")) {
            try await store.read { try $0.row(of: nil, "SELECT pg_sleep(60)::text") { _ in } }
        }
        await store.close()
    }

    @Test func aBrokenConnectionIsReplacedWithoutAnError() async throws {
        let fixture = try await PostgresFixture()
        try await fixture.store.write { _ = try $0.write("INSERT INTO thing VALUES (1)", announcing: [Topic("a")]) }
        try fixture.endConnections()
        #expect(try await fixture.store.read { try $0.row(of: nil, "SELECT count(*) FROM thing") { try $0[0] as Int } } == 1)
        await fixture.store.close()
    }

    @Test func allTopicsAreAnnouncedAfterTheListenerReconnects() async throws {
        let fixture = try await PostgresFixture()
        let other = try await fixture.other()
        let (news, tell) = AsyncStream.makeStream(of: Void.self)
        _ = other.topics.observe { announcement in
            if announcement == .everything { tell.finish() }
            return nil
        }
        try fixture.endConnections()
        for await _ in news {}
        await fixture.store.close()
        await other.close()
    }

    @Test func aReplicaThatHasLostItsDatabaseDoesNotWaitForCommits() async throws {
        let fixture = try await PostgresFixture()
        let received = fixture.store.topics.received!
        let waiting = Task { await received.wait(for: Position(number: .max), upTo: .seconds(3600)) }
        while !received.isAwaited {
            try Task.checkCancellation()
            await Task.yield()
        }
        try fixture.loseDatabase()
        #expect(await waiting.value == false)
        #expect(await received.wait(for: Position(number: .max), upTo: .seconds(3600)) == false)
        await fixture.store.close()
    }

    @Test func aReplicaThatStartsDuringACommitAnnouncesAllTopicsBeforeItReceivesTheCommit() async throws {
        let fixture = try await PostgresFixture()
        let last = try #require(try await fixture.store.database.write(for: nil) { $0.announce(Topic("a")) }.position)
        let holder = try PostgresConnection(to: PostgresAddress(fixture.url), statementTimeout: .seconds(60))
        _ = try holder.run([Statement("SELECT pg_advisory_lock($1, $2)", AdvisoryLock.commits.arguments)], until: .now + .seconds(60))
        // This connection holds the lock of commits, like a commit in progress. So the new replica receives the latest position only after
        // the lock is released.
        let other = try await fixture.other()
        let received = other.topics.received!
        #expect(received.position < last)
        let heardBefore = Mutex<[Position]>([])
        _ = other.topics.observe { announcement in
            if announcement == .everything { heardBefore.withLock { $0.append(received.position) } }
            return nil
        }
        try holder.script("SELECT pg_advisory_unlock_all()", until: .now + .seconds(60))
        #expect(await received.wait(for: last, upTo: .seconds(60)))
        let first = heardBefore.withLock(\.first)
        #expect(try #require(first) < last)
        await fixture.store.close()
        await other.close()
    }

    @Test(arguments: ["off", "local"]) func theStoreOverridesTheSynchronousCommitSettingOfTheDatabase(_ setting: String) async throws {
        let url = try PostgresServer.shared.newDatabase()
        let name = try PostgresServer.shared.run("SELECT current_database()", in: url)
        try PostgresServer.shared.run("ALTER DATABASE \(name) SET synchronous_commit = \(setting)", in: url)
        let store = try await PostgresServiceStore.open(url: url, logger: Logger(label: "test"))
        #expect(
            try await store.read { try $0.row(of: nil, "SELECT current_setting('synchronous_commit')") { try $0[0] as String } } == "on")
        await store.close()
    }

    @Test func aClosedStoreRejectsTransactions() async throws {
        let fixture = try await PostgresFixture()
        await fixture.store.close()
        await fixture.store.close()
        await #expect(throws: PostgresStoreError.closed) { try await fixture.store.read { _ in } }
    }
}
