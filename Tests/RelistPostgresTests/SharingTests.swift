import Logging
import ScreenModel
import TemporaryDatabase
import TemporaryPostgres
import Testing

@testable import RelistPostgres
@testable import ScreenService

/// Tests that screens whose tables are locked leave enough connections to the other screens.
@Suite("Screens that share connections", .timeLimit(.minutes(2))) struct SharingTests {
    private func service(on store: PostgresServiceStore) async throws -> ScreenService {
        let catalog = try ScreenCatalog([ThingCount(store: store), Greeting(store: store)], locales: [.english])
        return try await ScreenService(
            catalog: catalog, store: store, deadline: .after(.seconds(3600)), logger: Logger(label: "test"),
            clock: ManualClock(at: 1_600_000_000))
    }

    /// Locks a table until the returned connection runs ROLLBACK.
    private func lock(_ table: String, _ fixture: PostgresFixture) throws -> PostgresConnection {
        let holder = try PostgresConnection(to: PostgresAddress(fixture.url), statementTimeout: .seconds(60))
        try holder.script("SET idle_in_transaction_session_timeout = 0; BEGIN; LOCK TABLE \(table)", until: .now + .seconds(60))
        return holder
    }

    @Test func aScreenWhoseTableIsLockedDoesNotUseAllConnections() async throws {
        let fixture = try await PostgresFixture(timeLimit: .seconds(3600))
        let service = try await service(on: fixture.store)
        let view: @Sendable (String, String) throws -> ScreenView = { screen, user in
            try service.catalog.view(of: screen, parameters: [], locale: .english, caller: .user(user))
        }
        let holder = try lock("thing", fixture)
        // Each user has a separate view, so eight views are computed.
        let hanging = (0..<8).map { number in
            Task { try await service.snapshot(of: view(ThingCount.name, "user\(number)")).value }
        }
        // Three reads wait for the table on three of the five connections. The other five reads wait for a connection.
        while service.storeCounts.waitingReads[ThingCount.name] != 5 {
            try Task.checkCancellation()
            await Task.yield()
        }
        for user in ["user0", "user1", "user2"] { _ = try await service.snapshot(of: view(Greeting.name, user)).value }
        await #expect(throws: Never.self) { try await fixture.store.checkReadable() }

        try holder.script("ROLLBACK", until: .now + .seconds(60))
        for task in hanging { _ = try await task.value }
        #expect(service.storeCounts.waitingReads == [:])
        await fixture.store.close()
    }

    @Test func historyAndReceiptsAreAccessibleWhileAllReadsOfScreensWait() async throws {
        let fixture = try await PostgresFixture(timeLimit: .seconds(3600))
        let holder = try lock("thing", fixture)
        let hanging = (0..<5).map { number in
            Task {
                try await CurrentScreen.$name.withValue("screen\(number)") {
                    try await fixture.store.read { try $0.row(of: nil, "SELECT id FROM thing") { _ in } }
                }
            }
        }
        try await fixture.isBlocked("SELECT id FROM thing", count: 5)
        let batch = HistoryBatch(saving: [.some(version: 1)])
        try await fixture.store.history.write(batch)
        #expect(try await fixture.store.history.records(of: batch.saved.map(\.key)) == batch.saved)
        let receipt = ActionReceipt.some()
        try await fixture.store.receipts.keep(receipt)
        #expect(try await fixture.store.receipts.receipt(for: receipt.key)?.request == receipt.request)
        await #expect(throws: Never.self) { try await fixture.store.checkReadable() }
        try holder.script("ROLLBACK", until: .now + .seconds(60))
        for task in hanging { _ = try await task.value }
        await fixture.store.close()
    }

    @Test func historyIsAccessibleWhileTheTableOfReceiptsIsLocked() async throws {
        let fixture = try await PostgresFixture(timeLimit: .seconds(3600))
        let holder = try lock("relist.receipt", fixture)
        let hanging = (0..<3).map { number in Task { try await fixture.store.receipts.receipt(for: ActionReceipt.some("\(number)").key) } }
        try await fixture.isBlocked("SELECT request, performed_at FROM relist.receipt%")
        while fixture.store.database.pool.waitingCounts(in: .receipts) != ["": 2] {
            try Task.checkCancellation()
            await Task.yield()
        }
        let batch = HistoryBatch(saving: [.some(version: 1)])
        try await fixture.store.history.write(batch)
        #expect(try await fixture.store.history.records(of: batch.saved.map(\.key)) == batch.saved)
        try holder.script("ROLLBACK", until: .now + .seconds(60))
        for task in hanging { #expect(try await task.value == nil) }
        await fixture.store.close()
    }

    @Test func receiptsAreAccessibleWhileTheTableOfHistoryIsLocked() async throws {
        let fixture = try await PostgresFixture(timeLimit: .seconds(3600))
        let receipt = ActionReceipt.some()
        try await fixture.store.receipts.keep(receipt)
        let holder = try lock("relist.version", fixture)
        let batch = HistoryBatch(saving: [.some(version: 1)])
        let writing = Task { [batch] in try await fixture.store.history.write(batch) }
        let reading = Task { [batch] in try await fixture.store.history.records(of: batch.saved.map(\.key)) }
        try await fixture.isBlocked("%relist.version%", count: 2)
        #expect(try await fixture.store.receipts.receipt(for: receipt.key)?.request == receipt.request)
        try holder.script("ROLLBACK", until: .now + .seconds(60))
        try await writing.value
        _ = try await reading.value
        await fixture.store.close()
    }

    @Test func aStoreIsReadyEvenWhileTheServiceTablesAreLocked() async throws {
        let fixture = try await PostgresFixture(timeLimit: .seconds(3600))
        let holder = try lock("relist.secret, relist.version, relist.receipt", fixture)
        await #expect(throws: Never.self) { try await fixture.store.checkReadable() }
        try holder.script("ROLLBACK", until: .now + .seconds(60))
        await fixture.store.close()
    }

    @Test func actionsThatWaitForALockedTableLeaveConnectionsToOtherScreens() async throws {
        let other = PostgresMigration("other", "CREATE TABLE other (id bigint)")
        let fixture = try await PostgresFixture([PostgresFixture.things, other], timeLimit: .seconds(3600))
        let holder = try lock("thing", fixture)
        let insert: @Sendable (String, String) async throws -> Void = { screen, table in
            try await CurrentScreen.$name.withValue(screen) {
                try await fixture.store.write {
                    _ = try $0.write("INSERT INTO \(table) (id) SELECT coalesce(max(id), 0) + 1 FROM \(table)")
                }
            }
        }
        let hanging = (0..<8).map { _ in Task { try await insert("things", "thing") } }
        // One screen uses at most three of the five connections.
        try await fixture.isBlocked("INSERT INTO thing%", count: 3)
        while fixture.store.database.pool.waitingCounts(in: .writes) != ["things": 5] {
            try Task.checkCancellation()
            await Task.yield()
        }
        for _ in 0..<3 { try await insert("others", "other") }
        try holder.script("ROLLBACK", until: .now + .seconds(60))
        for task in hanging { try await task.value }
        #expect(try PostgresServer.shared.run("SELECT count(*) FROM thing", in: fixture.url) == "8")
        await fixture.store.close()
    }
}

/// A screen that reads the table `thing`.
private struct ThingCount: Screen {
    static let name = "things"
    let visibility = Visibility.user
    let store: PostgresServiceStore

    let title: Text = "Things"

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, Never>> {
        let count = try await store.read { try $0.row(of: Topic("things"), "SELECT count(*) FROM thing") { try $0[0] as Int } }
        return ScreenContent(title: "\(count ?? 0) things", model: TableViewModel(cells: []))
    }
}

/// A screen that reads no table.
private struct Greeting: Screen {
    static let name = "greeting"
    let visibility = Visibility.user
    let store: PostgresServiceStore

    let title: Text = "Greeting"

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, Never>> {
        let text = try await store.read { try $0.row(of: Topic("greetings"), "SELECT 'hello'") { try $0[0] as String } }
        return ScreenContent(title: text ?? "", model: TableViewModel(cells: []))
    }
}
