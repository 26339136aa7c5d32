import Foundation
@testable import RelistPostgres
@testable import ScreenService
import TemporaryDatabase
import TemporaryPostgres
import Testing

@Suite("What the service keeps in PostgreSQL", .timeLimit(.minutes(2))) struct ServiceRecordsTests {
    private static let now: Int64 = 1_600_000_000

    // MARK: History

    @Test func versionsThatOneReplicaWroteAreKnownToAll() async throws {
        let ground = try await PostgresGround()
        let other = try await ground.other()
        let long = String(repeating: "u", count: 10_000)
        let records: Set<HistoryRecord> = [
            .some(version: 1), .some(.user("everyone"), version: 1, view: .max), .some(.user("zoé"), version: .max, outline: [], usedAt: .max),
            .some(.user(""), version: 1), .some(.user("a\0b"), version: 1), .some(.user("a"), version: 1), .some(.user("\u{E9}"), version: 1),
            .some(.user("e\u{301}"), version: 1, outline: [9]), .some(.user(long), version: 1), .some(screen: "no\0name", version: 3),
        ]
        var batch = HistoryBatch()
        batch.saved = Array(records)
        try await ground.store.history.write(batch)
        let absent: [HistoryRecord] = [.some(version: 2), .some(.user("b"), version: 1), .some(screen: "settings", version: 1)]
        let read = try await other.history.records(of: (Array(records) + absent).map(\.key))
        #expect(read.count == records.count)
        #expect(Set(read) == records)
        // So who comes to it a moment too early waits for that moment.
        #expect(other.history.isShared)
        await ground.store.close()
        await other.close()
    }

    @Test func aBatchSavesAndSaysWhatWasUsed() async throws {
        let ground = try await PostgresGround()
        var first = HistoryBatch()
        first.saved = [.some(version: 1), .some(version: 2), .some(version: 3)]
        try await ground.store.history.write(first)
        var second = HistoryBatch()
        second.saved = [.some(version: 1, view: 9, outline: [1, 9])]
        let used = Self.now + 77
        second.used = [HistoryRecord.some(version: 2).key: used, HistoryRecord.some(version: 3).key: Self.now - 1, HistoryRecord.some(version: 8).key: used]
        try await ground.store.history.write(second)
        let keys = [1, 2, 3, 8].map { HistoryRecord.some(version: $0).key }
        #expect(
            try await Set(ground.store.history.records(of: keys))
                == [.some(version: 1, view: 9, outline: [1, 9]), .some(version: 2, usedAt: used), .some(version: 3)]
        )
        #expect(ground.announcements.commits == [])
        await ground.store.close()
    }

    @Test func replicasThatWriteTheSameVersionsAtOnceDoNotHoldEachOtherUp() async throws {
        let ground = try await PostgresGround()
        let other = try await ground.other()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for round in 0..<20 {
                group.addTask {
                    var batch = HistoryBatch()
                    batch.saved = (0..<100).map { .some(version: $0, usedAt: Self.now + Int64(round)) }.shuffled()
                    try await (round.isMultiple(of: 2) ? ground.store : other).history.write(batch)
                }
            }
            try await group.waitForAll()
        }
        #expect(try PostgresServer.shared.run("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()", in: ground.url) == "0")
        #expect(try await other.history.records(of: (0..<100).map { HistoryRecord.some(version: $0).key }).count == 100)
        await ground.store.close()
        await other.close()
    }

    @Test func whatIsTooOldOrTooMuchIsForgottenAsRetentionDecides() async throws {
        let ground = try await PostgresGround()
        var batch = HistoryBatch()
        batch.saved = (0..<100).map { number in
            .some(number < 60 ? .user("loud") : .user("quiet\(number)"), version: number, view: number, usedAt: Self.now - 99 + Int64(number))
        }
        batch.saved.append(.some(version: 1000, usedAt: Self.now - 101))
        try await ground.store.history.write(batch)
        let cost = batch.saved[0].cost
        let holdings = try await ground.store.history.forget(over: HistoryBounds(age: 100, bytes: 80 * cost), now: Self.now)
        #expect(holdings == HistoryHoldings(versions: 72, bytes: 72 * cost, crowdedOut: 28))
        #expect(try await Set(ground.store.history.records(of: batch.saved.map(\.key)).map(\.key.version.low)) == Set(28..<100))
        await ground.store.close()
    }

    @Test func oneReplicaAtATimeForgets() async throws {
        let ground = try await PostgresGround()
        let other = try await ground.other()
        var batch = HistoryBatch()
        batch.saved = [.some(version: 1, usedAt: 1)]
        try await ground.store.history.write(batch)
        let (begun, began) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        let holding = Task {
            try await other.database.holding(.forgetting, atMost: .seconds(60)) { _ in
                began.finish()
                gate.wait()
            }
        }
        for await _ in begun {}
        #expect(try await ground.store.history.forget(over: HistoryBounds(age: 100), now: Self.now) == nil)
        gate.signal()
        #expect(try await holding.value != nil)
        // The server lets go of the lock once it has seen that the connection is gone.
        try await ground.isFree(.forgetting)
        #expect(try await ground.store.history.forget(over: HistoryBounds(age: 100), now: Self.now)?.versions == 0)
        await ground.store.close()
        await other.close()
    }

    @Test func whoeverHoldsALockMayTakeLongerThanClientsWhoWaitForNothingOfIt() async throws {
        let ground = try await PostgresGround()
        let hurried = try await ground.other(connections: 2, timeLimit: .seconds(4))
        let holder = try PostgresConnection(to: PostgresAddress(ground.url), statementTimeout: .seconds(60))
        try holder.script("SELECT pg_advisory_lock(42)", until: .now + .seconds(60))
        try holder.script("SET idle_in_transaction_session_timeout = 0; BEGIN; LOCK TABLE relist.version", until: .now + .seconds(60))
        let scanning = {
            Task {
                try await hurried.database.holding(.forgetting, atMost: .seconds(600)) { connection in
                    // What it commits waits for no standby.
                    #expect(try connection.run([Statement("SELECT current_setting('synchronous_commit')")])[0].row(0)[0] == "off")
                    return try connection.run([Statement("SELECT pg_advisory_lock_shared(42)")], for: .seconds(600)).count
                }
            }
        }
        let first = scanning()
        try await ground.isRunning("SELECT pg_advisory_lock_shared(42)")
        // By then the time of a client's statement is over.
        await #expect(throws: DataUnavailable.self) { try await hurried.history.records(of: [HistoryRecord.some(version: 1).key]) }
        _ = try await hurried.write { try $0.write("INSERT INTO thing VALUES (1)") }
        try holder.script("ROLLBACK; SELECT pg_advisory_unlock(42)", until: .now + .seconds(60))
        #expect(try await first.value == 1)

        try holder.script("SELECT pg_advisory_lock(42)", until: .now + .seconds(60))
        for isClosed in [false, true] {
            try await ground.isFree(.forgetting)
            let next = scanning()
            try await ground.isRunning("SELECT pg_advisory_lock_shared(42)")
            if isClosed { await hurried.close() } else { next.cancel() }
            await #expect(throws: (any Error).self) { try await next.value }
        }
        await #expect(throws: PostgresStoreError.closed) { try await hurried.history.forget(over: HistoryBounds(), now: Self.now) }
        await ground.store.close()
    }

    @Test(arguments: [("version SET used_at", 0), ("version SET used_at", 1 << 20), ("receipt SET performed_at", 0)])
    func whatIsUsedWhileItIsToBeForgottenStays(table: String, bytes: Int) async throws {
        let ground = try await PostgresGround()
        let now = Self.now + 2 * ActionReceipt.lifetime
        // Too old, or too much.
        var batch = HistoryBatch()
        batch.saved = [.some(version: 1, usedAt: bytes == 0 ? now : Self.now)]
        try await ground.store.history.write(batch)
        _ = try await ground.store.write { try PostgresReceipts.keep(.some(), in: $0) }
        let user = try PostgresConnection(to: PostgresAddress(ground.url), statementTimeout: .seconds(60))
        try user.script("SET idle_in_transaction_session_timeout = 0; BEGIN; UPDATE relist.\(table) = \(now - 1)", until: .now + .seconds(60))
        let forgetting = Task { try await ground.store.history.forget(over: HistoryBounds(age: 1000, bytes: bytes), now: now) }
        let name = table.prefix { $0 != " " }
        try await ground.isBlocked("DELETE FROM relist.\(name)%")
        try user.script("COMMIT", until: .now + .seconds(60))
        _ = try await forgetting.value
        #expect(try PostgresServer.shared.run("SELECT count(*) FROM relist.\(name)", in: ground.url) == "1")
        await ground.store.close()
    }

    // MARK: The secret

    @Test func allReplicasHaveTheSecretThatTheFirstHasMade() async throws {
        let ground = try await PostgresGround()
        let other = try await ground.other()
        let secrets = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for number in 0..<8 { group.addTask { try await (number.isMultiple(of: 2) ? ground.store : other).secret(byteCount: 32) } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(secrets.count == 1 && secrets.first?.count == 32)
        #expect(try await other.secret(byteCount: 16).count == 16)
        await ground.store.close()
        await other.close()
    }

    // MARK: Receipts

    @Test func aReceiptThatOneReplicaKeptAllFind() async throws {
        let ground = try await PostgresGround()
        let other = try await ground.other()
        try await ground.store.receipts.keep(.some(user: "a\0b"))
        let found = try await other.receipts.receipt(for: ActionReceipt.some(user: "a\0b").key)
        #expect(found?.request == ActionReceipt.some().request && found?.performedAt == 1000)
        #expect(try await other.receipts.receipt(for: ActionReceipt.some().key) == nil)
        #expect(try await other.receipts.receipt(for: ActionReceipt.some("l", user: "a\0b").key) == nil)
        await ground.store.close()
        await other.close()
    }

    @Test func aReceiptIsNotReplacedUntilItIsTooOldToCount() async throws {
        let ground = try await PostgresGround()
        let receipts = ground.store.receipts
        try await receipts.keep(.some(request: 1, at: 1000))
        await #expect(throws: ReceiptTaken()) { try await receipts.keep(.some(request: 2, at: 999 + ActionReceipt.lifetime)) }
        #expect(try await receipts.receipt(for: ActionReceipt.some().key)?.request == Version(high: .max, low: 1))
        try await receipts.keep(.some(request: 2, at: 1000 + ActionReceipt.lifetime))
        #expect(try await receipts.receipt(for: ActionReceipt.some().key)?.request == Version(high: .max, low: 2))
        await ground.store.close()
    }

    @Test func receiptsOfTheLastDayAreCountedByTheHour() async throws {
        let ground = try await PostgresGround()
        let receipts = ground.store.receipts
        let now = 50 * 3600 + 1 as Int64
        let day = ActionReceipt.lifetime
        for (text, time) in [("old", now - day), ("young", now - day + 1), ("k", 49 * 3600), ("l", 49 * 3600 + 1), ("forged", .max)] as [(String, Int64)] {
            try await receipts.keep(.some(text, at: time))
        }
        let cost = receipts.cost(of: ActionReceipt.some().key)
        #expect(try await receipts.holdings(at: now)?.sorted { $0.hour < $1.hour } == [
            ReceiptHolding(hour: 26, count: 1, bytes: cost), ReceiptHolding(hour: 49, count: 2, bytes: 2 * cost),
        ])
        await ground.store.close()
    }

    @Test func receiptsThatAreTooOldAreForgotten() async throws {
        let ground = try await PostgresGround()
        try await ground.store.receipts.keep(.some("old", at: 1000))
        try await ground.store.receipts.keep(.some("young", at: 1001))
        _ = try await ground.store.history.forget(over: HistoryBounds(), now: 1000 + ActionReceipt.lifetime)
        #expect(try await ground.store.receipts.receipt(for: ActionReceipt.some("old").key) == nil)
        #expect(try await ground.store.receipts.receipt(for: ActionReceipt.some("young").key) != nil)
        await ground.store.close()
    }

    @Test func whereARequestWasPerformedIsSaidByAPositionAtWhichItIsThere() async throws {
        let ground = try await PostgresGround()
        let attempt = ActionAttempt(.some(), for: ground.store.receipts, announcingTo: ground.store.topics)
        try await ActionAttempt.$current.withValue(attempt) {
            try await ground.store.write { _ = try $0.write("INSERT INTO thing VALUES (1)", announcing: [Topic("a")]) }
        }
        let position = try #require(attempt.position)
        let found = try await ground.store.receipts.receipt(for: ActionReceipt.some().key)
        #expect(try #require(found?.position) > position)
        await ground.store.close()
    }

    @Test func receiptsThatAreLookedUpWhileACommitWaitsShareTheNextOne() async throws {
        let ground = try await PostgresGround(timeLimit: .seconds(120))
        let keys = (0..<20).map { ActionReceipt.some("\($0)").key }
        for number in keys.indices { try await ground.store.receipts.keep(.some("\(number)")) }
        let holder = try PostgresConnection(to: PostgresAddress(ground.url), statementTimeout: .seconds(60))
        _ = try holder.run([Statement("SELECT pg_advisory_lock($1, $2)", AdvisoryLock.commits.arguments)], until: .now + .seconds(60))
        let find: @Sendable (ActionReceipt.Key) -> Task<ActionReceipt?, any Error> = { key in
            Task { try await ground.store.receipts.receipt(for: key) }
        }
        let first = find(keys[0])
        try await ground.isBlocked("SELECT pg_advisory_xact_lock%")
        let later = keys.map(find)
        while ground.store.database.durableReceipts.waitingCount < keys.count {
            try Task.checkCancellation()
            await Task.yield()
        }
        try holder.script("SELECT pg_advisory_unlock_all()", until: .now + .seconds(60))
        let position = try #require(try await first.value?.position)
        for (key, found) in zip(keys, later) {
            let receipt = try #require(try await found.value)
            #expect(receipt.key == key && receipt.position == Position(number: position.number + 1))
        }
        await ground.store.close()
    }
}
