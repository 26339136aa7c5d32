import Dispatch
import Logging
@testable import RelistPostgres
@testable import ScreenService
import TemporaryPostgres
import Testing

/// A server of the test's own is altered while a store is open.
@Suite("Servers that are altered", .timeLimit(.minutes(2))) struct AlteredServerTests {
    /// Has a transaction last, however long a test takes.
    private static let lasting = "SELECT set_config('idle_in_transaction_session_timeout', '0', true)"

    private func open(_ url: String) async throws -> PostgresServiceStore {
        try await PostgresServiceStore.open(url: url, timeLimit: .seconds(120), logger: Logger(label: "test"))
    }

    private func alter(_ server: PostgresServer, _ setting: String) throws {
        try server.run("ALTER SYSTEM SET \(setting)", in: "postgres")
        try server.run("SELECT pg_reload_conf()", in: "postgres")
    }

    private func unheard(_ url: String) throws -> PostgresServiceStore.Database {
        let pool = ConnectionPool(to: try PostgresAddress(url), width: 2, timeLimit: .seconds(60))
        return PostgresServiceStore.Database(pool: pool, logger: Logger(label: "test"))
    }

    /// New connections see it at once, those that are open with what they are asked next.
    private func fence(_ server: PostgresServer, _ value: String = "on") throws {
        try alter(server, "default_transaction_read_only = \(value)")
        while try server.run("SHOW default_transaction_read_only", in: "postgres") != value { try Task.checkCancellation() }
    }

    @Test func onceAnotherServerIsHeardNobodyReadsFromTheEarlierOne() async throws {
        let (fenced, promoted) = (try PostgresServer(), try PostgresServer())
        defer { for server in [fenced, promoted] { try? server.remove() } }
        for server in [fenced, promoted] { try server.run("CREATE DATABASE things", in: "postgres") }
        let other = try await open(promoted.url("things"))
        let store = try await open(fenced.url("things", or: promoted))
        let whereItReads: @Sendable (PostgresTransaction) throws -> String? = { transaction in
            try transaction.row(of: nil, "SELECT current_setting('data_directory')") { try $0[0] }
        }
        let places = (try await store.read(whereItReads), try await other.read(whereItReads))
        #expect(places.0 != places.1)
        let leader = try await store.database.candidate(for: .named("things"))
        #expect(try await leader.begins())
        #expect(await leader.goesOn)
        // One connection is in use all the while, another is idle.
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

        // So that its positions are none of the earlier one's.
        try promoted.run("SELECT setval('relist.position', 1000)", in: "things")
        try alter(fenced, "default_transaction_read_only = on")
        while store.topics.heard!.position < Position(number: 1000) {
            try Task.checkCancellation()
            await Task.yield()
        }
        #expect(try await store.read(whereItReads) == places.1)
        gate.signal()
        try await reading.value
        #expect(try await store.read(whereItReads) == places.1)
        #expect(await !leader.goesOn)
        await store.close()
        await other.close()
    }

    @Test func aServerThatIsFencedIsNotTrustedThoughACommitHangsOnIt() async throws {
        let server = try PostgresServer()
        defer { try? server.remove() }
        let url = try server.newDatabase()
        await (try open(url)).close()
        let holder = try PostgresConnection(to: PostgresAddress(url), statementTimeout: .seconds(60))
        _ = try holder.run([Statement("SELECT pg_advisory_lock($1, $2)", AdvisoryLock.commits.arguments)], until: .now + .seconds(60))
        let store = try await open(url)
        #expect(store.topics.heard!.isTrusted)
        try fence(server)
        while store.topics.heard!.isTrusted {
            try Task.checkCancellation()
            await Task.yield()
        }
        // It has hung all the while.
        try holder.script("SELECT pg_advisory_unlock_all()", until: .now + .seconds(60))
        await store.close()
    }

    @Test func aCommitThatWaitsForTheStandbyNoLongerIsInDoubt() async throws {
        let server = try PostgresServer()
        defer { try? server.remove() }
        let url = try server.newDatabase()
        let store = try await open(url)
        try alter(server, "synchronous_standby_names = 'nobody'")
        // The first of them may not wait yet.
        let writing: Task<Void, any Error> = Task {
            while true { try await store.write { $0.announce(Topic("things")) } }
        }
        let waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        while try server.run("SELECT count(pg_cancel_backend(pid)) \(waiting)", in: "postgres") == "0" { try Task.checkCancellation() }
        await #expect(throws: DataUnavailable(reason: "it is not known whether it was committed")) { try await writing.value }
        await store.close()
    }

    @Test func aServerThatIsFencedIsNotWrittenTo() async throws {
        let server = try PostgresServer()
        defer { try? server.remove() }
        let url = try server.newDatabase()
        await (try open(url)).close()
        // Nobody hears of the fence, and each has a connection at hand.
        let (reader, writer) = (try unheard(url), try unheard(url))
        let read: @Sendable () async throws -> Void = { _ = try await reader.read(nil) { try $0.row(of: nil, "SELECT 1") { _ in } } }
        let write: @Sendable () async throws -> Void = {
            _ = try await writer.write(for: nil) { try $0.write("INSERT INTO relist.receipt VALUES ('', '', 0) ON CONFLICT DO NOTHING") }
        }
        try await read()
        try await write()
        let count = "SELECT count(*) FROM relist.receipt"
        #expect(try server.run(count, in: url) == "1")
        try server.run("DELETE FROM relist.receipt", in: url)
        try fence(server)
        await #expect(throws: DataUnavailable.self) { try await read() }
        await #expect(throws: DataUnavailable.self) { try await write() }
        #expect(try server.run(count, in: url) == "0")
        await reader.close()
        await writer.close()
    }

    @Test(arguments: [false, true]) func whatBeganBeforeAServerWasFencedIsNotCommittedBehindIt(isAnnounced: Bool) async throws {
        let server = try PostgresServer()
        defer { try? server.remove() }
        let url = try server.newDatabase()
        let store = try await open(url)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        let writing = Task {
            try await store.write { transaction in
                _ = try transaction.row(of: nil, Self.lasting) { _ in }
                try transaction.write("INSERT INTO relist.receipt VALUES ('', '', 0)", announcing: isAnnounced ? [Topic("a")] : [])
                begin.finish()
                gate.wait()
            }
        }
        for await _ in begun {}
        try fence(server)
        gate.signal()
        await #expect(throws: DataUnavailable(reason: "the database takes no writes now")) { try await writing.value }
        #expect(try server.run("SELECT count(*) FROM relist.receipt", in: url) == "0")
        await store.close()
    }

    @Test func whatBeganBehindAFenceIsNotInTheWayOnceItIsLifted() async throws {
        let server = try PostgresServer()
        defer { try? server.remove() }
        let url = try server.newDatabase()
        await (try open(url)).close()
        let database = try unheard(url)
        let pass: @Sendable (_ meanwhile: @escaping @Sendable () throws -> Void) async throws -> Void = { meanwhile in
            _ = try await database.write(for: nil) { transaction in
                _ = try transaction.row(of: nil, Self.lasting) { _ in }
                try meanwhile()
            }
        }
        try await pass {}
        try fence(server, "on")
        try await pass { try fence(server, "off") }
        await database.close()
    }

    @Test func whatIsAcknowledgedIsDurableThoughTheServerIsSetOtherwiseLater() async throws {
        let server = try PostgresServer()
        defer { try? server.remove() }
        let store = try await open(server.newDatabase())
        let setting = "SELECT current_setting('synchronous_commit')"
        // One session, which hears of what is set meanwhile with its next statement.
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
