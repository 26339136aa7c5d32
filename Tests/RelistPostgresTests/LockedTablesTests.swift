import Dispatch
import LogLines
@testable import RelistPostgres
import ScreenService
import Synchronization
import TemporaryPostgres
import Testing

@Suite("Steps to tables that are locked", .timeLimit(.minutes(2))) struct LockedTablesTests {
    private static let next = PostgresMigration("next", "ALTER TABLE thing ADD COLUMN colour text")

    private func open(_ url: String, _ waiting: LockWaiting, _ log: LogLines) async throws -> PostgresServiceStore {
        try await PostgresServiceStore.open(
            at: PostgresAddress(url), schema: PostgresSchema(adding: [PostgresGround.things, Self.next]), waiting: waiting, logger: log.logger
        ) { $0.announce(Topic("things")) }
    }

    /// In turn: a table that a step changes, the table of steps, and the lock of commits.
    @Test(arguments: ["SELECT * FROM thing", "LOCK TABLE relist.migration", "SELECT pg_advisory_xact_lock(1380273225, 1)"])
    func aStepThatWaitsForALockIsTriedAgainAndTheLogNamesTheHolder(_ lock: String) async throws {
        let ground = try await PostgresGround()
        let holder = try PostgresConnection(
            to: PostgresAddress(ground.url + "&application_name=forgetful"), statementTimeout: .seconds(60))
        try holder.script("SET idle_in_transaction_session_timeout = 0; BEGIN; \(lock)", until: .now + .seconds(60))
        let log = LogLines()
        let (named, name) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        let holderIsNamed = Atomic(false)
        var waiting = LockWaiting()
        waiting.lookInterval = .milliseconds(20)
        waiting.pause = { _ in
            guard log.all.contains(where: { $0.contains("application forgetful") }), !holderIsNamed.exchange(true, ordering: .relaxed) else { return }
            name.finish()
            gate.wait()
        }
        let opening = Task { [waiting] in try await open(ground.url, waiting, log) }
        for await _ in named {}
        #expect(log.all.contains { $0.contains("process \(holder.serverProcess) of user relist, application forgetful, idle in transaction for ") })
        // Between two tries readers do not wait for the table.
        #expect(try await ground.store.read { try $0.row(of: nil, "SELECT count(*) FROM thing") { try $0[0] as Int } } == 0)
        try holder.script("ROLLBACK", until: .now + .seconds(60))
        gate.signal()
        let store = try await opening.value
        #expect(try PostgresServer.shared.run("SELECT count(*) FROM relist.migration WHERE name = 'next'", in: ground.url) == "1")
        await store.close()
        await ground.store.close()
    }

    @Test func aLockThatIsNotHadInTimeIsToldApartFromAStatementThatTakesLong() async throws {
        let ground = try await PostgresGround()
        let holder = try PostgresConnection(to: PostgresAddress(ground.url), statementTimeout: .seconds(60))
        try holder.script("SET idle_in_transaction_session_timeout = 0; BEGIN; SELECT * FROM thing", until: .now + .seconds(60))
        let connection = try PostgresConnection(to: PostgresAddress(ground.url), statementTimeout: .seconds(60))
        #expect(throws: PostgresError.locked) {
            try connection.script("BEGIN; SET LOCAL lock_timeout = 10; LOCK TABLE thing", until: .now + .seconds(60))
        }
        try holder.script("ROLLBACK", until: .now + .seconds(60))
        await ground.store.close()
    }
}
