import Dispatch
import Logging
@testable import RelistPostgres
@testable import ScreenService
import Synchronization
import TemporaryDatabase
import TemporaryPostgres
import Testing

@Suite("Transactions of PostgreSQL", .timeLimit(.minutes(2))) struct TransactionTests {
    @Test func valuesAreReadAsTheyWereWritten() async throws {
        let ground = try await PostgresGround()
        try await ground.store.write { transaction in
            let sql = "INSERT INTO thing VALUES ($1, $2, $3, $4, $5)"
            try transaction.write(sql, [Int.min, "Zoë \u{1F600} 'x' \\ ", [0, 1, 255] as [UInt8], true, 0.1])
            try transaction.write(sql, [Int.max, nil, nil, nil, nil])
            try transaction.write(sql, [0, "", [] as [UInt8], false, -Double.infinity])
        }
        let (ids, names, bytes, flags, weights) = try await ground.store.read { transaction in
            let rows = try transaction.rows(of: nil, "SELECT id, name, bytes, is_good, weight FROM thing ORDER BY id") { row in
                (try row[0] as Int, try row[1] as String?, try row[2] as [UInt8]?, try row[3] as Bool?, try row[4] as Double?)
            }
            return (rows.map(\.0), rows.map(\.1), rows.map(\.2), rows.map(\.3), rows.map(\.4))
        }
        #expect(ids == [.min, 0, .max])
        #expect(names == ["Zoë \u{1F600} 'x' \\ ", "", nil])
        #expect(bytes == [[0, 1, 255], [], nil])
        #expect(flags == [true, false, nil])
        #expect(weights == [0.1, -.infinity, nil])
        await ground.store.close()
    }

    @Test func aColumnThatIsReadAsWhatItIsNotIsAnError() async throws {
        let ground = try await PostgresGround()
        await #expect(throws: RecordValueError.wrongType(column: 0)) {
            try await ground.store.read { try $0.row(of: nil, "SELECT 'a'::text") { try $0[0] as Int } }
        }
        await #expect(throws: RecordValueError.wrongType(column: 1)) {
            try await ground.store.read { try $0.row(of: nil, "SELECT 1") { try $0[1] as Int } }
        }
        await ground.store.close()
    }

    @Test func enumerationsAreReadAsTextAndNothingElseOfTheDatabasesOwnTypesIs() async throws {
        let ground = try await PostgresGround([PostgresMigration("moods", "CREATE TYPE mood AS ENUM ('café', 'rain')")])
        let mood = try await ground.store.read { try $0.row(of: nil, "SELECT 'café'::mood") { try $0[0] as String } }
        #expect(mood == "café")
        for column in ["ARRAY['rain'::mood]", "ROW('rain'::mood)::pair"] {
            try PostgresServer.shared.run("DROP TYPE IF EXISTS pair; CREATE TYPE pair AS (mood mood)", in: ground.url)
            await #expect(throws: RecordValueError.wrongType(column: 0)) {
                try await ground.store.read { try $0.row(of: nil, "SELECT \(column)") { try $0[0] as String } }
            }
        }
        await ground.store.close()
    }

    @Test func whatOneReplicaCommitsAllAnnounce() async throws {
        let ground = try await PostgresGround()
        let (other, heard) = (try await ground.other(), Announcements())
        heard.observe(other.topics)
        let (_, position) = try await ground.store.database.write(for: nil) { transaction in
            try transaction.write("INSERT INTO thing VALUES (1)", announcing: [Topic("a"), Topic("b\n%\r\n%00\u{301}")])
        }
        let isHeard = await other.topics.heard!.wait(for: try #require(position), upTo: .seconds(60))
        #expect(isHeard)
        let names: Set = ["a", "b\n%\r\n%00\u{301}"]
        #expect(heard.commits.contains(names))
        #expect(ground.announcements.commits.contains(names))
        await ground.store.close()
        await other.close()
    }

    @Test func topicsThatFitNoNotificationAreAnnounced() async throws {
        let ground = try await PostgresGround()
        let (other, heard) = (try await ground.other(), Announcements())
        heard.observe(other.topics)
        let topics = (0..<1000).map { Topic("a topic of a long name, number \($0)") }
        let (_, position) = try await ground.store.database.write(for: nil) { try $0.write("INSERT INTO thing VALUES (1)", announcing: topics) }
        #expect(await other.topics.heard!.wait(for: try #require(position), upTo: .seconds(60)))
        #expect(heard.all.contains(Set(topics)))
        await ground.store.close()
        await other.close()
    }

    @Test func positionsGrowInTheOrderOfCommits() async throws {
        // One commit takes long, after its position was drawn.
        let slow = PostgresMigration(
            "slow",
            """
            CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(42); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER waiting AFTER INSERT ON thing DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW WHEN (NEW.id = 1) EXECUTE FUNCTION wait();
            """
        )
        let ground = try await PostgresGround([PostgresGround.things, slow])
        let holder = try PostgresConnection(to: PostgresAddress(ground.url), statementTimeout: .seconds(60))
        try holder.script("SELECT pg_advisory_lock(42)", until: .now + .seconds(60))
        let insert: @Sendable (Int) -> Task<Position?, any Error> = { id in
            Task {
                try await ground.store.database.write(for: nil) { transaction in
                    try transaction.write("INSERT INTO thing VALUES ($1)", [id], announcing: [Topic("a")])
                }.position
            }
        }
        let first = insert(1)
        try await ground.isRunning("COMMIT")
        let second = insert(2)
        try await ground.isRunning("SELECT pg_advisory_xact_lock%")
        try holder.script("SELECT pg_advisory_unlock(42)", until: .now + .seconds(60))
        let positions = (try #require(await first.value), try #require(await second.value))
        #expect(positions.0 < positions.1)
        await ground.store.close()
    }

    @Test func aCommitOfWhichATriggerWarnsIsNotInDoubt() async throws {
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
        let ground = try await PostgresGround([PostgresGround.things, warning])
        try await ground.store.write { _ = try $0.write("INSERT INTO thing VALUES (1)", announcing: [Topic("a")]) }
        #expect(try await ground.store.read { try $0.row(of: nil, "SELECT count(*) FROM thing") { try $0[0] as Int } } == 1)
        await ground.store.close()
    }

    @Test func rowsThatAStatementReturnsAreAnnouncedIfItWroteThem() async throws {
        let ground = try await PostgresGround()
        let rows: @Sendable (String, String) async throws -> (ids: [Int], position: Position?) = { sql, name in
            let (ids, position) = try await ground.store.database.write(for: nil) { transaction in
                try transaction.rows(of: nil, sql, [name], announcing: [Topic("things")]) { try $0[0] as Int }
            }
            return (ids, position)
        }
        let insert = "INSERT INTO thing (id, name) VALUES (1, $1) RETURNING id"
        let update = "UPDATE thing SET name = name WHERE name = $1 RETURNING id"
        let remove = "WITH gone AS (DELETE FROM thing WHERE name = $1 RETURNING id) SELECT id FROM gone"
        await #expect(throws: RecordValueError.zeroCharacter) { try await rows(insert, "a\0") }
        let (found, none) = try await rows(update, "a")
        #expect(found == [] && none == nil)
        let (written, position) = try await rows(insert, "a")
        #expect(written == [1])
        #expect(position != nil && ground.announcements.commits.contains(["things"]))
        let (removed, later) = try await rows(remove, "a")
        #expect(removed == [1])
        #expect(later != nil)
        await ground.store.close()
    }

    @Test func aWriteIsAnnouncedIfItChangesARowAndWhereThatIsNotCounted() async throws {
        let ground = try await PostgresGround()
        let position: @Sendable (String) async throws -> Position? = { sql in
            try await ground.store.database.write(for: nil) { try $0.write(sql, announcing: [Topic("things")]) }.position
        }
        #expect(try await position("INSERT INTO thing VALUES (1)") != nil)
        #expect(try await position("-- It calls what may change anything.\nSELECT id FROM thing WHERE id = 2") != nil)
        #expect(try await position("DELETE FROM thing WHERE id = 2") == nil)
        #expect(try await position("WITH gone AS (DELETE FROM thing RETURNING id) UPDATE thing SET name = '' WHERE id = 2") != nil)
        try PostgresServer.shared.run("CREATE FUNCTION add(id bigint) RETURNS void LANGUAGE sql AS 'INSERT INTO thing VALUES (id)'", in: ground.url)
        #expect(try await position("SELECT add(3)") != nil)
        await ground.store.close()
    }

    @Test func aWriteWithinAReadIsToldAndCostsNobodyHisConnection() async throws {
        let ground = try await PostgresGround()
        let process: @Sendable (PostgresTransaction) throws -> Int? = { try $0.row(of: nil, "SELECT pg_backend_pid()::bigint") { try $0[0] } }
        let before = try await ground.store.read(process)
        await #expect(throws: PostgresStoreError.writeInRead) {
            try await ground.store.read { try $0.write("INSERT INTO thing VALUES (1)") }
        }
        #expect(try await ground.store.read(process) == before)
        await ground.store.close()
    }

    @Test func aReadAnnouncesNothing() async throws {
        let ground = try await PostgresGround()
        try await ground.store.read { transaction in
            transaction.announce(Topic("things"))
            try transaction.write("WITH one AS (SELECT 1) SELECT * FROM one", announcing: [Topic("things")])
            _ = try transaction.row(of: nil, "WITH one AS (SELECT 1) SELECT * FROM one", [], announcing: [Topic("things")]) { _ in }
        }
        #expect(ground.announcements.commits == [])
        await ground.store.close()
    }

    @Test func aBodyThatGoesOnAfterARowThatIsTakenIsCommitted() async throws {
        struct Taken: Error {}
        let ground = try await PostgresGround()
        try await ground.store.write { transaction in
            for id in [1, 1, 2] {
                do { try transaction.write("INSERT INTO thing VALUES ($1)", [id], ifTaken: Taken()) } catch is Taken {}
            }
        }
        #expect(try await ground.store.read { try $0.row(of: nil, "SELECT count(*) FROM thing") { try $0[0] as Int } } == 2)
        await ground.store.close()
    }

    @Test func theKeyThatIsTakenIsFoundBesideOneOfTheSameNameAndBesideFurtherColumns() async throws {
        struct Taken: Error {}
        let notes = PostgresMigration(
            "notes",
            """
            CREATE SCHEMA archive;
            CREATE TABLE archive.note (author text CONSTRAINT one_title UNIQUE);
            CREATE TABLE note (title text NOT NULL, author text, CONSTRAINT one_title UNIQUE (title) INCLUDE (author));
            """
        )
        let ground = try await PostgresGround([notes])
        let insert: @Sendable () async throws -> Int = {
            try await ground.store.write { transaction in
                try transaction.write("INSERT INTO note VALUES ('a', 'b')", [], announcing: [], ifTaken: Taken(), key: ["title"], ifOrphaned: nil)
            }
        }
        #expect(try await insert() == 1)
        await #expect(throws: Taken.self) { try await insert() }
        await ground.store.close()
    }

    @Test func aTransactionOfWhichAStatementWasStoppedCommitsNothingWhateverItsBodyHides() async throws {
        let ground = try await PostgresGround()
        await #expect(throws: DataUnavailable(reason: "the transaction was stopped")) {
            try await ground.store.write { transaction in
                try transaction.write("SELECT set_config('statement_timeout', '50', true)")
                _ = try? transaction.write("SELECT pg_sleep(60)::text")
                for id in [1, 2, 3] { _ = try? transaction.write("INSERT INTO thing VALUES ($1)", [id]) }
            }
        }
        #expect(try await ground.store.read { try $0.row(of: nil, "SELECT count(*) FROM thing") { try $0[0] as Int } } == 0)
        await ground.store.close()
    }

    @Test(arguments: [true, false]) func aTransactionWhoseBodyHidesAConflictRunsAgain(isWriting: Bool) async throws {
        let ground = try await PostgresGround()
        let function = "CREATE FUNCTION conflict() RETURNS void LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$"
        try PostgresServer.shared.run(function, in: ground.url)
        let runs = Mutex(0)
        try await ground.store.write { transaction in
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
        #expect(try await ground.store.read { try $0.row(of: nil, "SELECT count(*) FROM thing") { try $0[0] as Int } } == 3)
        await ground.store.close()
    }

    @Test func aReadThatHidesAnErrorReadsNothing() async throws {
        let ground = try await PostgresGround()
        let error = await #expect(throws: PostgresError.self) {
            try await ground.store.read { try? $0.row(of: nil, "SELECT 1 FROM nothing") { try $0[0] as Int } }
        }
        #expect(error.map { if case .refused("25P02", _) = $0 { true } else { false } } == true)
        await ground.store.close()
    }

    @Test func aCancelledReadIsStopped() async throws {
        let ground = try await PostgresGround(timeLimit: .seconds(3600))
        let task = Task { try await ground.store.read { try $0.row(of: nil, "SELECT pg_sleep(3600)::text") { _ in } } }
        try await ground.isRunning("SELECT pg_sleep(3600)%")
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await ground.isOver("SELECT pg_sleep(3600)%")
        await ground.store.close()
    }

    @Test func aStoreOfWhichAllReadsWaitIsStillReady() async throws {
        // One of them is for what only reads.
        let ground = try await PostgresGround()
        let store = try await ground.other(connections: 2)
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
        await ground.store.close()
    }

    @Test func whatTakesTooLongIsStoppedAndSaidToBeOutOfReach() async throws {
        let url = try PostgresServer.shared.newDatabase()
        let store = try await PostgresServiceStore.open(url: url, timeLimit: .milliseconds(200), logger: Logger(label: "test"))
        await #expect(throws: DataUnavailable(reason: "the transaction was stopped")) {
            try await store.read { try $0.row(of: nil, "SELECT pg_sleep(60)::text") { _ in } }
        }
        await store.close()
    }

    @Test func aConnectionThatBrokeIsReplacedWithoutAnError() async throws {
        let ground = try await PostgresGround()
        try await ground.store.write { _ = try $0.write("INSERT INTO thing VALUES (1)", announcing: [Topic("a")]) }
        try ground.endConnections()
        #expect(try await ground.store.read { try $0.row(of: nil, "SELECT count(*) FROM thing") { try $0[0] as Int } } == 1)
        await ground.store.close()
    }

    @Test func aReplicaThatHeardNothingForAWhileTakesEverythingForStale() async throws {
        let ground = try await PostgresGround()
        let other = try await ground.other()
        let (news, tell) = AsyncStream.makeStream(of: Void.self)
        _ = other.topics.observe { announcement in
            if announcement == .everything { tell.finish() }
            return nil
        }
        try ground.endConnections()
        for await _ in news {}
        await ground.store.close()
        await other.close()
    }

    @Test func aReplicaThatHearsNothingWaitsForNoCommit() async throws {
        let ground = try await PostgresGround()
        let heard = ground.store.topics.heard!
        let waiting = Task { await heard.wait(for: Position(number: .max), upTo: .seconds(3600)) }
        while !heard.isAwaited {
            try Task.checkCancellation()
            await Task.yield()
        }
        try ground.loseDatabase()
        #expect(await waiting.value == false)
        #expect(await heard.wait(for: Position(number: .max), upTo: .seconds(3600)) == false)
        await ground.store.close()
    }

    @Test func aPositionThatIsLearntLateIsHeardWhenEverythingWasAnnounced() async throws {
        let ground = try await PostgresGround()
        let last = try #require(try await ground.store.database.write(for: nil) { $0.announce(Topic("a")) }.position)
        let holder = try PostgresConnection(to: PostgresAddress(ground.url), statementTimeout: .seconds(60))
        _ = try holder.run([Statement("SELECT pg_advisory_lock($1, $2)", AdvisoryLock.commits.arguments)], until: .now + .seconds(60))
        // One that begins to listen while a commit is under way does not learn which was the last.
        let other = try await ground.other()
        let heard = other.topics.heard!
        #expect(heard.position < last)
        let heardBefore = Mutex<[Position]>([])
        _ = other.topics.observe { announcement in
            if announcement == .everything { heardBefore.withLock { $0.append(heard.position) } }
            return nil
        }
        try holder.script("SELECT pg_advisory_unlock_all()", until: .now + .seconds(60))
        #expect(await heard.wait(for: last, upTo: .seconds(60)))
        let first = heardBefore.withLock(\.first)
        #expect(try #require(first) < last)
        await ground.store.close()
        await other.close()
    }

    @Test(arguments: ["off", "local"]) func whatIsAcknowledgedIsDurableWhateverTheDatabaseIsSetTo(_ setting: String) async throws {
        let url = try PostgresServer.shared.newDatabase()
        let name = try PostgresServer.shared.run("SELECT current_database()", in: url)
        try PostgresServer.shared.run("ALTER DATABASE \(name) SET synchronous_commit = \(setting)", in: url)
        let store = try await PostgresServiceStore.open(url: url, logger: Logger(label: "test"))
        #expect(try await store.read { try $0.row(of: nil, "SELECT current_setting('synchronous_commit')") { try $0[0] as String } } == "on")
        await store.close()
    }

    @Test func aClosedStoreSaysSo() async throws {
        let ground = try await PostgresGround()
        await ground.store.close()
        await ground.store.close()
        await #expect(throws: PostgresStoreError.closed) { try await ground.store.read { _ in } }
    }
}
