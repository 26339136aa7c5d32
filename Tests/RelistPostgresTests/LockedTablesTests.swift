import Dispatch
import LogLines
import ScreenService
import Synchronization
import TemporaryPostgres
import Testing

@testable import RelistPostgres

@Suite("Migrations of locked tables", .timeLimit(.minutes(2))) struct LockedTablesTests {
    private static let next = PostgresMigration("next", "ALTER TABLE thing ADD COLUMN colour text")

    private func open(_ url: String, _ waiting: LockWaiting, _ log: LogLines) async throws -> PostgresServiceStore {
        try await PostgresServiceStore.open(
            at: PostgresAddress(url), schema: PostgresSchema(adding: [PostgresFixture.things, Self.next]), waiting: waiting,
            logger: log.logger
        ) { $0.announce(Topic("things")) }
    }

    /// Each of the three statements takes a different lock: on the table that the migration changes, on the table of migrations, or on all
    /// commits.
    @Test(arguments: ["SELECT * FROM thing", "LOCK TABLE relist.migration", "SELECT pg_advisory_xact_lock(1380273225, 1)"])
    func theLogNamesTheHolderOfTheLockWhileAMigrationIsRepeated(_ lock: String) async throws {
        let fixture = try await PostgresFixture()
        let holder = try PostgresConnection(
            to: PostgresAddress(fixture.url + "&application_name=forgetful"), statementTimeout: .seconds(60))
        try holder.script("SET idle_in_transaction_session_timeout = 0; BEGIN; \(lock)", until: .now + .seconds(60))
        let log = LogLines()
        let (named, name) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        let holderIsNamed = Atomic(false)
        var waiting = LockWaiting()
        waiting.lookInterval = .milliseconds(20)
        waiting.pause = { _ in
            guard log.all.contains(where: { $0.contains("application forgetful") }), !holderIsNamed.exchange(true, ordering: .relaxed)
            else { return }
            name.finish()
            gate.wait()
        }
        let opening = Task { [waiting] in try await open(fixture.url, waiting, log) }
        for await _ in named {}
        #expect(
            log.all.contains {
                $0.contains("process \(holder.serverProcess) of user relist, application forgetful, idle in transaction for ")
            })
        // Between two attempts of the migration, reads do not wait for the table.
        #expect(try await fixture.store.read { try $0.row(of: nil, "SELECT count(*) FROM thing") { try $0[0] as Int } } == 0)
        try holder.script("ROLLBACK", until: .now + .seconds(60))
        gate.signal()
        let store = try await opening.value
        #expect(try PostgresServer.shared.run("SELECT count(*) FROM relist.migration WHERE name = 'next'", in: fixture.url) == "1")
        await store.close()
        await fixture.store.close()
    }

    @Test func aLockTimeoutIsDistinguishedFromAStatementTimeout() async throws {
        let fixture = try await PostgresFixture()
        let holder = try PostgresConnection(to: PostgresAddress(fixture.url), statementTimeout: .seconds(60))
        try holder.script("SET idle_in_transaction_session_timeout = 0; BEGIN; SELECT * FROM thing", until: .now + .seconds(60))
        let connection = try PostgresConnection(to: PostgresAddress(fixture.url), statementTimeout: .seconds(60))
        #expect(throws: PostgresError.locked) {
            try connection.script("BEGIN; SET LOCAL lock_timeout = 10; LOCK TABLE thing", until: .now + .seconds(60))
        }
        try holder.script("ROLLBACK", until: .now + .seconds(60))
        await fixture.store.close()
    }
}
