import Foundation
import TemporaryDatabase
import TemporaryPostgres
import Testing

@testable import RelistPostgres
@testable import ScreenService

@Suite("History and receipts in PostgreSQL", .timeLimit(.minutes(2))) struct ServiceRecordsTests {
    private static let now: Int64 = 1_600_000_000

    @Test(arguments: ServiceRecordsRule.all) func historyAndReceiptsFollowTheCommonRulesOfAllStores(rule: ServiceRecordsRule) async throws {
        let fixture = try await PostgresFixture()
        try await rule.check(fixture.store) { try await fixture.other() }
        await fixture.store.close()
    }

    // MARK: History

    @Test func replicasThatWriteTheSameVersionsDoNotDeadlock() async throws {
        let fixture = try await PostgresFixture()
        let other = try await fixture.other()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for round in 0..<20 {
                group.addTask {
                    let batch = HistoryBatch(saving: (0..<100).map { .some(version: $0, usedAt: Self.now + Int64(round)) }.shuffled())
                    try await (round.isMultiple(of: 2) ? fixture.store : other).history.write(batch)
                }
            }
            try await group.waitForAll()
        }
        #expect(
            try PostgresServer.shared.run("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()", in: fixture.url)
                == "0")
        #expect(try await other.history.records(of: (0..<100).map { HistoryRecord.some(version: $0).key }).count == 100)
        await fixture.store.close()
        await other.close()
    }

    @Test func onlyOneReplicaAtATimeRemovesVersions() async throws {
        let fixture = try await PostgresFixture()
        let other = try await fixture.other()
        let batch = HistoryBatch(saving: [.some(version: 1, usedAt: 1)])
        try await fixture.store.history.write(batch)
        let (begun, began) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        let holding = Task {
            try await other.database.holding(.removal, atMost: .seconds(60)) { _ in
                began.finish()
                gate.wait()
            }
        }
        for await _ in begun {}
        #expect(try await fixture.store.history.removeExcess(over: HistoryBounds(age: 100), now: Self.now) == nil)
        gate.signal()
        #expect(try await holding.value != nil)
        // The server releases the lock after it has noticed the end of the connection.
        try await fixture.isFree(.removal)
        #expect(try await fixture.store.history.removeExcess(over: HistoryBounds(age: 100), now: Self.now)?.versions == 0)
        await fixture.store.close()
        await other.close()
    }

    @Test func aRemovalMayTakeLongerThanTheTimeLimitOfOtherStatements() async throws {
        let fixture = try await PostgresFixture()
        let hurried = try await fixture.other(connections: 2, timeLimit: .seconds(4))
        let holder = try PostgresConnection(to: PostgresAddress(fixture.url), statementTimeout: .seconds(60))
        try holder.script("SELECT pg_advisory_lock(42)", until: .now + .seconds(60))
        try holder.script("SET idle_in_transaction_session_timeout = 0; BEGIN; LOCK TABLE relist.version", until: .now + .seconds(60))
        let scanning = {
            Task {
                try await hurried.database.holding(.removal, atMost: .seconds(600)) { connection in
                    // Commits of a removal do not wait for a standby.
                    #expect(try connection.run([Statement("SELECT current_setting('synchronous_commit')")])[0].row(0)[0] == "off")
                    return try connection.run([Statement("SELECT pg_advisory_lock_shared(42)")], for: .seconds(600)).count
                }
            }
        }
        let first = scanning()
        try await fixture.isRunning("SELECT pg_advisory_lock_shared(42)")
        // This read waits for the locked table, and fails at the time limit of the store.
        await #expect(throws: DataUnavailable.self) { try await hurried.history.records(of: [HistoryRecord.some(version: 1).key]) }
        _ = try await hurried.write { try $0.write("INSERT INTO thing VALUES (1)") }
        try holder.script("ROLLBACK; SELECT pg_advisory_unlock(42)", until: .now + .seconds(60))
        #expect(try await first.value == 1)

        try holder.script("SELECT pg_advisory_lock(42)", until: .now + .seconds(60))
        for isClosed in [false, true] {
            try await fixture.isFree(.removal)
            let next = scanning()
            try await fixture.isRunning("SELECT pg_advisory_lock_shared(42)")
            if isClosed { await hurried.close() } else { next.cancel() }
            await #expect(throws: (any Error).self) { try await next.value }
        }
        await #expect(throws: PostgresStoreError.closed) { try await hurried.history.removeExcess(over: HistoryBounds(), now: Self.now) }
        await fixture.store.close()
    }

    @Test(arguments: [("version SET used_at", 0), ("version SET used_at", 1 << 20), ("receipt SET performed_at", 0)])
    func aRowThatIsUsedDuringARemovalIsNotRemoved(table: String, bytes: Int) async throws {
        let fixture = try await PostgresFixture()
        let now = Self.now + 2 * ActionReceipt.lifetime
        // If `bytes` is 0, the removal selects the version because of its size. Otherwise, the removal selects the version because of its
        // age.
        let batch = HistoryBatch(saving: [.some(version: 1, usedAt: bytes == 0 ? now : Self.now)])
        try await fixture.store.history.write(batch)
        _ = try await fixture.store.write { try PostgresReceipts.keep(.some(), in: $0) }
        let user = try PostgresConnection(to: PostgresAddress(fixture.url), statementTimeout: .seconds(60))
        try user.script(
            "SET idle_in_transaction_session_timeout = 0; BEGIN; UPDATE relist.\(table) = \(now - 1)", until: .now + .seconds(60))
        let forgetting = Task { try await fixture.store.history.removeExcess(over: HistoryBounds(age: 1000, bytes: bytes), now: now) }
        let name = table.prefix { $0 != " " }
        try await fixture.isBlocked("DELETE FROM relist.\(name)%")
        try user.script("COMMIT", until: .now + .seconds(60))
        _ = try await forgetting.value
        #expect(try PostgresServer.shared.run("SELECT count(*) FROM relist.\(name)", in: fixture.url) == "1")
        await fixture.store.close()
    }

    // MARK: The secret of versions

    @Test func allReplicasUseTheSecretThatTheFirstReplicaStored() async throws {
        let fixture = try await PostgresFixture()
        let other = try await fixture.other()
        let secrets = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for number in 0..<8 { group.addTask { try await (number.isMultiple(of: 2) ? fixture.store : other).secret(byteCount: 32) } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(secrets.count == 1 && secrets.first?.count == 32)
        #expect(try await other.secret(byteCount: 16).count == 16)
        await fixture.store.close()
        await other.close()
    }

    // MARK: Receipts

    @Test func expiredReceiptsAreRemovedTogetherWithOldHistory() async throws {
        let fixture = try await PostgresFixture()
        try await fixture.store.receipts.keep(.some("old", at: 1000))
        try await fixture.store.receipts.keep(.some("young", at: 1001))
        _ = try await fixture.store.history.removeExcess(over: HistoryBounds(), now: 1000 + ActionReceipt.lifetime)
        #expect(try await fixture.store.receipts.receipt(for: ActionReceipt.some("old").key) == nil)
        #expect(try await fixture.store.receipts.receipt(for: ActionReceipt.some("young").key) != nil)
        await fixture.store.close()
    }

    @Test func aReceiptIsReturnedWithAPositionAfterTheCommitOfItsAction() async throws {
        let fixture = try await PostgresFixture()
        let receipt = ActionReceipt.some(user: "a\0b")
        let attempt = ActionAttempt(receipt, for: fixture.store.receipts, announcingTo: fixture.store.topics)
        try await ActionAttempt.$current.withValue(attempt) {
            try await fixture.store.write { _ = try $0.write("INSERT INTO thing VALUES (1)", announcing: [Topic("a")]) }
        }
        let position = try #require(attempt.position)
        let found = try await fixture.store.receipts.receipt(for: receipt.key)
        #expect(try #require(found?.position) > position)
        await fixture.store.close()
    }

    @Test func readingAReceiptWhoseRequestHashIsTooShortThrowsAnError() async throws {
        let fixture = try await PostgresFixture()
        try await fixture.store.receipts.keep(.some())
        try PostgresServer.shared.run("UPDATE relist.receipt SET request = '\\x01'", in: fixture.url)
        await #expect(throws: DataUnavailable(reason: "the database is damaged")) {
            try await fixture.store.receipts.receipt(for: ActionReceipt.some().key)
        }
        await fixture.store.close()
    }

    @Test func receiptsRequestedDuringACommitAreReadTogetherInTheNextTransaction() async throws {
        let fixture = try await PostgresFixture(timeLimit: .seconds(120))
        let keys = (0..<20).map { ActionReceipt.some("\($0)").key }
        for number in keys.indices { try await fixture.store.receipts.keep(.some("\(number)")) }
        let holder = try PostgresConnection(to: PostgresAddress(fixture.url), statementTimeout: .seconds(60))
        _ = try holder.run([Statement("SELECT pg_advisory_lock($1, $2)", AdvisoryLock.commits.arguments)], until: .now + .seconds(60))
        let find: @Sendable (ActionReceipt.Key) -> Task<ActionReceipt?, any Error> = { key in
            Task { try await fixture.store.receipts.receipt(for: key) }
        }
        let first = find(keys[0])
        try await fixture.isBlocked("SELECT pg_advisory_xact_lock%")
        let later = keys.map(find)
        while fixture.store.database.durableReceipts.waitingCount < keys.count {
            try Task.checkCancellation()
            await Task.yield()
        }
        try holder.script("SELECT pg_advisory_unlock_all()", until: .now + .seconds(60))
        let position = try #require(try await first.value?.position)
        for (key, found) in zip(keys, later) {
            let receipt = try #require(try await found.value)
            #expect(receipt.key == key && receipt.position == Position(number: position.number + 1))
        }
        await fixture.store.close()
    }
}
