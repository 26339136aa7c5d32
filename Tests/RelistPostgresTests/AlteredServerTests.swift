import Dispatch
import Logging
import TemporaryPostgres
import Testing

@testable import RelistPostgres
@testable import ScreenService

/// Tests in which the settings of a server change while a store is open. Each test has its own servers.
@Suite("Servers whose settings change", .timeLimit(.minutes(2))) struct AlteredServerTests {
    /// A statement that lets its transaction stay idle. Without this statement, the server would end the idle transaction after a while.
    private static let lasting = "SELECT set_config('idle_in_transaction_session_timeout', '0', true)"

    private func open(_ url: String) async throws -> PostgresServiceStore {
        try await PostgresServiceStore.open(url: url, timeLimit: .seconds(120), logger: Logger(label: "test"))
    }

    private func alter(_ server: PostgresServer, _ setting: String) throws {
        try server.run("ALTER SYSTEM SET \(setting)", in: "postgres")
        try server.run("SELECT pg_reload_conf()", in: "postgres")
    }

    @Test func noReadUsesTheFormerServerAfterAFailover() async throws {
        let (demoted, promoted) = (try PostgresServer(), try PostgresServer())
        defer { for server in [demoted, promoted] { try? server.remove() } }
        for server in [demoted, promoted] { try server.run("CREATE DATABASE things", in: "postgres") }
        let other = try await open(promoted.url("things"))
        let store = try await open(demoted.url("things", or: promoted))
        let whereItReads: @Sendable (PostgresTransaction) throws -> String? = { transaction in
            try transaction.row(of: nil, "SELECT current_setting('data_directory')") { try $0[0] }
        }
        let places = (try await store.read(whereItReads), try await other.read(whereItReads))
        #expect(places.0 != places.1)
        let leader = try await store.database.candidate(for: .named("things"))
        #expect(try await leader.becomeLeader())
        #expect(await leader.isLeader)
        // One connection is in use during the failover, and another connection is idle.
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        let reading = Task {
            try await store.read { transaction in
                _ = try transaction.row(of: nil, Self.lasting) { _ in }
                begin.finish()
                gate.wait()
            }
        }
        for await _ in begun {}
        #expect(try await store.read(whereItReads) == places.0)

        // The positions of the promoted server must differ from the positions of the demoted server.
        try promoted.run("SELECT setval('relist.position', 1000)", in: "things")
        // New connections now go to the other server. The connection in use remains.
        try alter(demoted, "default_transaction_read_only = on")
        let idle = "FROM pg_stat_activity WHERE application_name = 'relist' AND state = 'idle'"
        while store.topics.received!.position < Position(number: 1000) {
            try demoted.run("SELECT count(pg_terminate_backend(pid)) \(idle)", in: "postgres")
            try Task.checkCancellation()
            await Task.yield()
        }
        #expect(try await store.read(whereItReads) == places.1)
        gate.signal()
        try await reading.value
        #expect(try await store.read(whereItReads) == places.1)
        #expect(await !leader.isLeader)
        await store.close()
        await other.close()
    }

    @Test func aCommitHasAnUnknownOutcomeIfItsWaitForTheStandbyIsCancelled() async throws {
        let server = try PostgresServer()
        defer { try? server.remove() }
        let url = try server.newDatabase()
        let store = try await open(url)
        try alter(server, "synchronous_standby_names = 'nobody'")
        // The setting takes effect shortly after `alter` returns, so the first commits can succeed without the standby.
        let writing: Task<Void, any Error> = Task {
            while true { try await store.write { $0.announce(Topic("things")) } }
        }
        let waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        while try server.run("SELECT count(pg_cancel_backend(pid)) \(waiting)", in: "postgres") == "0" { try Task.checkCancellation() }
        await #expect(throws: DataUnavailable(reason: "it is not known whether it was committed")) { try await writing.value }
        await store.close()
    }

    @Test func writesStayDurableIfTheSynchronousCommitSettingOfTheServerIsTurnedOff() async throws {
        let server = try PostgresServer()
        defer { try? server.remove() }
        let store = try await open(server.newDatabase())
        let setting = "SELECT current_setting('synchronous_commit')"
        // Both queries of the setting run in one session. If the store did not override the setting of the server, the second query would
        // return the new setting.
        let settings = try await store.read { transaction in
            _ = try transaction.row(of: nil, Self.lasting) { _ in }
            let before: String? = try transaction.row(of: nil, setting) { try $0[0] }
            try alter(server, "synchronous_commit = off")
            while try server.run("SHOW synchronous_commit", in: "postgres") == "on" { try Task.checkCancellation() }
            return [before, try transaction.row(of: nil, setting) { try $0[0] }]
        }
        #expect(settings == ["on", "on"])
        await store.close()
    }
}
