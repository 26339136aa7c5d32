import Logging
import ScreenService
import TemporaryPostgres
import Testing

@testable import RelistPostgres

@Suite("Checking a PostgreSQL database", .timeLimit(.minutes(2))) struct CheckingTests {
    private let schema = PostgresSchema(adding: [PostgresFixture.things])

    private func check(_ url: String, _ schema: PostgresSchema? = nil) async -> [CheckFinding] {
        await PostgresServiceStore.check(url: url, schema ?? self.schema, logger: Logger(label: "test")).findings
    }

    private func finding(_ subject: String, _ url: String, _ schema: PostgresSchema? = nil) async throws -> CheckFinding {
        try #require(await check(url, schema).first { $0.subject == subject })
    }

    private func open(_ url: String, _ schema: PostgresSchema? = nil) async throws -> PostgresServiceStore {
        try await PostgresServiceStore.open(at: PostgresAddress(url), schema: schema ?? self.schema, logger: Logger(label: "test"))
    }

    /// Returns the number of tables and indexes, the last transaction that changed one, and the migrations.
    private func state(_ url: String) throws -> String {
        try PostgresServer.shared.run(
            """
            SELECT count(*), max(xmin::text::bigint), (SELECT string_agg(name, ',' ORDER BY name) FROM relist.migration)
            FROM pg_class WHERE relnamespace >= 16384
            """, in: url)
    }

    /// Returns the URL of a database for a new role.
    private func url(of role: String, _ url: String) throws -> String {
        try PostgresServer.shared.run("CREATE ROLE \(role) LOGIN", in: url)
        return url.replacing("relist@", with: "\(role)@")
    }

    @Test func aSoundServerHasNoWarning() async throws {
        let server = try PostgresServer("fsync=on", "full_page_writes=on")
        defer { try? server.remove() }
        let url = try server.newDatabase()
        await (try open(url)).close()
        let findings = await check(url)
        #expect(
            findings.map(\.subject) == [
                "database", "writes", "durability", "standby", "clock", "notifications", "connections", "schema", "rights",
            ])
        #expect(findings.allSatisfy { $0.severity == .ok }, "\(findings)")
    }

    @Test func anEmptyDatabaseStaysEmpty() async throws {
        let url = try PostgresServer.shared.newDatabase()
        #expect(try await finding("schema", url) == .ok("schema", "the server creates its tables at its start"))
        #expect(try PostgresServer.shared.run("SELECT count(*) FROM pg_namespace WHERE oid >= 16384", in: url) == "0")
    }

    @Test func migrationsThatAreDueAreNamedAndNotRun() async throws {
        let url = try PostgresServer.shared.newDatabase()
        await (try open(url, PostgresSchema())).close()
        let before = try state(url)
        let schema = try await finding("schema", url)
        #expect(schema.severity == .warning && schema.text.contains("at its start: things."), "\(schema)")
        #expect(try state(url) == before)
    }

    @Test func aNewerSchemaIsReportedAsTheErrorOfAStart() async throws {
        let url = try PostgresServer.shared.newDatabase()
        await (try open(url)).close()
        let finding = try await finding("schema", url, PostgresSchema())
        #expect(finding.severity == .error && finding.text.contains("are of a newer version (things)"), "\(finding)")
    }

    @Test func aServerThatIsTooOldIsReported() async throws {
        let url = try PostgresServer.shared.newDatabase()
        let findings = await check(url, PostgresSchema(oldestServer: 990_000))
        #expect(findings.count == 1 && findings[0].severity == .error && findings[0].text.contains("or later"), "\(findings)")
    }

    @Test func anUnreachableServerIsReportedWithoutThePassword() async throws {
        let findings = await check("postgres://u:secret@127.0.0.1:1/db")
        #expect(findings.map(\.severity) == [.error])
        #expect(findings[0].line.contains("127.0.0.1/db cannot be reached") && !findings[0].line.contains("secret"))
    }

    @Test func aServerThatRejectsWritesIsReported() async throws {
        let server = try PostgresServer("default_transaction_read_only=on")
        defer { try? server.remove() }
        let finding = try await finding("writes", server.url("postgres"))
        #expect(finding.severity == .error && finding.text.contains("default_transaction_read_only is on"), "\(finding)")
    }

    // MARK: - Rights

    @Test func theRightToCreateTablesIsNeededBeforeTheFirstStart() async throws {
        let owned = try PostgresServer.shared.newDatabase()
        let rights = try await finding("rights", url(of: "first", owned))
        #expect(rights.severity == .error && rights.text.contains("lacks CREATE ON DATABASE."), "\(rights)")
    }

    @Test func missingRightsOnTablesAreNamed() async throws {
        let owned = try PostgresServer.shared.newDatabase()
        await (try open(owned)).close()
        let url = try url(of: "reader", owned)
        #expect(try await finding("rights", url).text.contains("USAGE ON SCHEMA relist"))
        try PostgresServer.shared.run(
            """
            GRANT USAGE ON SCHEMA relist TO reader;
            GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA relist TO reader;
            GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA relist TO reader;
            """, in: owned)
        #expect(try await finding("rights", url).severity == .ok)
        try PostgresServer.shared.run("REVOKE DELETE ON relist.version, relist.receipt FROM reader", in: owned)
        let rights = try await finding("rights", url)
        #expect(rights.severity == .error && rights.text.contains("lacks DELETE ON relist.receipt, DELETE ON relist.version."), "\(rights)")
        let due = try await finding("rights", url, PostgresSchema(adding: [PostgresFixture.things, PostgresMigration("next", "SELECT 1")]))
        #expect(!due.text.contains("CREATE ON SCHEMA relist"))
    }

    @Test func aDueMigrationOfTheServiceNeedsTheRightToCreateTables() async throws {
        let owned = try PostgresServer.shared.newDatabase()
        await (try open(owned)).close()
        try PostgresServer.shared.run("DELETE FROM relist.migration WHERE name LIKE 'relist 3%'", in: owned)
        let url = try url(of: "migrator", owned)
        try PostgresServer.shared.run("GRANT USAGE ON SCHEMA relist TO migrator", in: owned)
        try PostgresServer.shared.run("GRANT SELECT, UPDATE, DELETE ON ALL TABLES IN SCHEMA relist TO migrator", in: owned)
        let rights = try await finding("rights", url)
        #expect(rights.text.contains("CREATE ON SCHEMA relist") && rights.text.contains("INSERT ON relist.migration"), "\(rights)")
    }

    // MARK: - The store of a check

    @Test func theStoreOfACheckReadsAndRejectsWrites() async throws {
        let url = try PostgresServer.shared.newDatabase()
        await (try open(url)).close()
        let check = await PostgresServiceStore.check(url: url, schema, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let store = try #require(check.store)
        #expect(try await store.read { try $0.row(of: nil, "SELECT count(*) FROM thing") { try $0[0] as Int } } == 0)
        await #expect(throws: DataUnavailable.self) {
            try await store.write { _ = try $0.write("INSERT INTO thing (id) VALUES (1)", announcing: [Topic("a")]) }
        }
        await store.close()
    }

    // MARK: - Limits

    private func severity(_ subject: String, _ facts: ServerFacts) throws -> CheckFinding.Severity {
        try #require(facts.findings(needing: 15).first { $0.subject == subject }).severity
    }

    @Test(arguments: [(0.9, CheckFinding.Severity.ok), (-1.1, .warning), (30, .warning), (-30.1, .error)])
    func aDifferenceOfTheClocksIsReported(seconds: Double, expected: CheckFinding.Severity) throws {
        #expect(try severity("clock", ServerFacts(clockDifference: seconds)) == expected)
    }

    @Test(arguments: [(0.09, CheckFinding.Severity.ok), (0.1, .warning), (0.49, .warning), (0.5, .error)])
    func aFullQueueOfNotificationsIsReported(usage: Double, expected: CheckFinding.Severity) throws {
        #expect(try severity("notifications", ServerFacts(queueUsage: usage)) == expected)
    }

    @Test(arguments: [(15, CheckFinding.Severity.ok), (14, .warning), (2, .warning), (1, .error)])
    func fewFreeConnectionsAreReported(count: Int, expected: CheckFinding.Severity) throws {
        #expect(try severity("connections", ServerFacts(freeConnections: count)) == expected)
    }

    @Test func settingsThatLoseDataAreReported() throws {
        #expect(try severity("durability", ServerFacts(hasFsync: false)) == .error)
        #expect(try severity("durability", ServerFacts(hasFullPageWrites: false)) == .warning)
        #expect(try severity("writes", ServerFacts(isStandby: true)) == .error)
    }

    @Test(arguments: [(0 as Int?, CheckFinding.Severity.error), (1, .ok), (Int?.none, .ok)])
    func commitsThatWaitForAMissingStandbyAreReported(count: Int?, expected: CheckFinding.Severity) throws {
        #expect(try severity("standby", ServerFacts(standbyNames: "ANY 1 (db2)", standbyCount: count)) == expected)
    }

    @Test func theSettingsOfTheServerAreRead() async throws {
        let server = try PostgresServer("synchronous_standby_names=db2", "synchronous_commit=off", "max_connections=20")
        defer { try? server.remove() }
        let address = try PostgresAddress(server.url("postgres")).readOnly
        let connection = try PostgresConnection(to: address, statementTimeout: .seconds(10))
        let facts = try ServerFacts(connection, until: .now + .seconds(10))
        #expect((facts.hasFsync, facts.hasFullPageWrites) == (false, false))
        #expect((facts.synchronousCommit, facts.standbyNames, facts.standbyCount) == ("on", "db2", 0))
        #expect((facts.isReadOnly, facts.isStandby, facts.maximumConnections, facts.freeConnections) == (false, false, 20, 17))
    }
}
