import Logging
import TemporaryDatabase
import TemporaryPostgres
import Testing

@testable import RelistPostgres
@testable import ScreenService

@Suite("Opening a PostgreSQL database", .timeLimit(.minutes(2))) struct OpeningTests {
    private struct Unexpected: Error {
        let error: PostgresOpeningError?
    }

    private func open(_ url: String, _ schema: PostgresSchema = PostgresSchema()) async throws -> PostgresServiceStore {
        try await PostgresServiceStore.open(at: PostgresAddress(url), schema: schema, logger: Logger(label: "test"))
    }

    private func tables(_ url: String) throws -> String {
        try PostgresServer.shared.run(
            "SELECT string_agg(oid::regclass::text, ',' ORDER BY oid) FROM pg_class WHERE relnamespace >= 16384", in: url)
    }

    @Test(arguments: [
        "postgres://[::1/db", "postgres://host:port/db", "postgres://u:pa%zzss@host/db", "postgres://host/db?nope=1",
        "postgres://host/db?no%0Ape=1", "relist.sqlite",
    ])
    func anInvalidURLIsRejected(_ url: String) async throws {
        let error = await #expect(throws: PostgresOpeningError.self) { try await open(url) }
        guard case .badURL = error else { throw Unexpected(error: error) }
        #expect(error?.description.contains("\n") == false)
    }

    @Test func openingADatabaseOnAnUnreachableServerThrowsAnError() async throws {
        let error = await #expect(throws: PostgresOpeningError.self) { try await open("postgres://u:secret@127.0.0.1:1/db") }
        guard case .unreachable("127.0.0.1/db", _) = error else { throw Unexpected(error: error) }
        #expect(error?.description.contains("secret") == false)
        let odd = await #expect(throws: PostgresOpeningError.self) { try await open("postgres://127.0.0.1:1/d%0Ab") }
        #expect(odd?.description.contains("\n") == false)
    }

    @Test func aPostgreSQLServerOlderThanTheOldestSupportedVersionIsRejected() async throws {
        let url = try PostgresServer.shared.newDatabase()
        let error = await #expect(throws: PostgresOpeningError.self) { try await open(url, PostgresSchema(oldestServer: 990_000)) }
        guard case .tooOld(_, 150_000..<990_000) = error else { throw Unexpected(error: error) }
        #expect(error?.description.contains("\n") == false)
        #expect(try tables(url) == "")
    }

    @Test func aUserWithoutPermissionCannotOpenTheDatabaseAndNoTableIsCreated() async throws {
        let url = try PostgresServer.shared.newDatabase()
        try PostgresServer.shared.run("DO $$ BEGIN CREATE ROLE guest LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$", in: url)
        let error = await #expect(throws: PostgresOpeningError.self) { try await open(url.replacing("relist@", with: "guest@")) }
        guard case .noPermission = error else { throw Unexpected(error: error) }
        #expect(try tables(url) == "")
    }

    @Test func aDatabaseWithTablesOfANewerProgramVersionIsRejectedAndNotChanged() async throws {
        let url = try PostgresServer.shared.newDatabase()
        await (try open(url, PostgresSchema(adding: [PostgresMigration("of tomorrow", "CREATE TABLE tomorrow (id bigint)")]))).close()
        let before = try tables(url)
        let error = await #expect(throws: PostgresOpeningError.self) { try await open(url) }
        guard case .newerSchema(_, ["of tomorrow"]) = error else { throw Unexpected(error: error) }
        #expect(try tables(url) == before)
    }

    @Test func anOlderProgramVersionStartsAfterAnAdditiveMigration() async throws {
        let url = try PostgresServer.shared.newDatabase()
        let later = PostgresSchema(adding: [
            PostgresMigration("of tomorrow", isAdditive: true, "CREATE TABLE tomorrow (id bigint)")
        ])
        await (try open(url, later)).close()
        await (try open(url)).close()
        // The newer version does not run the migration again.
        await (try open(url, later)).close()
    }

    @Test func aFailedMigrationRollsBackAllMigrations() async throws {
        let url = try PostgresServer.shared.newDatabase()
        let schema = PostgresSchema(adding: [
            PostgresMigration("good", "CREATE TABLE good (id bigint)"), PostgresMigration("bad", "CREATE TABLE bad ("),
        ])
        let error = await #expect(throws: PostgresOpeningError.self) { try await open(url, schema) }
        guard case .failed = error else { throw Unexpected(error: error) }
        #expect(try tables(url) == "")
    }

    @Test func initialRowsInsertedByOneReplicaAreAnnouncedToOtherReplicas() async throws {
        let fixture = try await PostgresFixture()
        let next = PostgresSchema(adding: [PostgresFixture.things])
        let store = try await PostgresServiceStore.open(at: PostgresAddress(fixture.url), schema: next, logger: Logger(label: "test")) {
            transaction in
            try transaction.write("INSERT INTO thing VALUES (1)", announcing: [Topic("things")])
        }
        let position = try PostgresServer.shared.run("SELECT last_value FROM relist.position", in: fixture.url)
        #expect(await fixture.store.topics.received!.wait(for: try #require(Position(position)), upTo: .seconds(60)))
        #expect(fixture.announcements.commits == [["things"]])
        await fixture.store.close()
        await store.close()
    }

    @Test func aDatabaseWhoseEncodingIsNotUTF8IsRejected() async throws {
        try PostgresServer.shared.run("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0", in: "postgres")
        let error = await #expect(throws: PostgresOpeningError.self) { try await open(PostgresServer.shared.url("latin")) }
        guard case .failed(_, "its encoding is LATIN1, not UTF8") = error else { throw Unexpected(error: error) }
    }

    @Test func eachMigrationRunsOnceEvenIfSeveralReplicasStartTogether() async throws {
        let url = try PostgresServer.shared.newDatabase()
        let schema = PostgresSchema(adding: [PostgresFixture.things])
        let stores = try await withThrowingTaskGroup(of: PostgresServiceStore.self) { group in
            for _ in 0..<5 { group.addTask { try await open(url, schema) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for store in stores { await store.close() }
        #expect(try PostgresServer.shared.run("SELECT count(*) FROM relist.migration", in: url) == "\(schema.migrations.count)")
    }

    @Test func anEarlierVersionOfTheProgramWorksAfterAMigration() async throws {
        let url = try PostgresServer.shared.newDatabase()
        let next = PostgresMigration("next", "ALTER TABLE thing ADD COLUMN colour text; UPDATE thing SET colour = 'green'")
        let old = try await open(url, PostgresSchema(adding: [PostgresFixture.things]))
        try await old.write { _ = try $0.write("INSERT INTO thing (id) VALUES (1)", announcing: [Topic("a")]) }
        let count: @Sendable (PostgresServiceStore) async throws -> Int? = { store in
            // The query reads all columns, and the migration adds a column. So a statement prepared before the migration is outdated.
            try await store.read { try $0.rows(of: nil, "SELECT * FROM thing") { _ in }.count }
        }
        #expect(try await count(old) == 1)
        let new = try await open(url, PostgresSchema(adding: [PostgresFixture.things, next]))
        try await old.write { _ = try $0.write("INSERT INTO thing (id) VALUES (2)", announcing: [Topic("a")]) }
        try await new.write { _ = try $0.write("INSERT INTO thing (id, colour) VALUES (3, 'blue')", announcing: [Topic("a")]) }
        #expect(try await count(old) == 3)
        #expect(try await count(new) == 3)
        try await old.history.write(HistoryBatch(saving: [.some(version: 1)]))
        #expect(try await new.history.records(of: [HistoryRecord.some(version: 1).key]).count == 1)
        #expect(try await old.secret(byteCount: 32) == new.secret(byteCount: 32))
        await old.close()
        await new.close()
    }
}
