import Dispatch
import LogLines
import Logging
import TemporaryDatabase
import TemporaryPostgres
import Testing

@testable import RelistPostgres
@testable import ScreenService

@Suite("Actions on PostgreSQL", .timeLimit(.minutes(2))) struct ActionTests {
    private struct Refusal: Error {}

    private func perform(
        _ attempt: ActionAttempt, on store: PostgresServiceStore, id: Int = 1,
        _ more: @Sendable @escaping (PostgresTransaction) throws -> Void = { _ in }
    ) async throws {
        try await ActionAttempt.$current.withValue(attempt) {
            try await store.write { transaction in
                try transaction.write("INSERT INTO thing VALUES ($1)", [id], announcing: [Topic("things")])
                try more(transaction)
            }
        }
    }

    private func count(_ store: PostgresServiceStore) async throws -> Int {
        try await store.read { try $0.row(of: nil, "SELECT count(*) FROM thing") { try $0[0] } }!
    }

    @Test func aWriteAndItsReceiptAreCommittedTogether() async throws {
        let fixture = try await PostgresFixture()
        let failed = ActionAttempt(.some("a"), for: fixture.store.receipts, announcingTo: fixture.store.topics)
        await #expect(throws: Refusal.self) { try await perform(failed, on: fixture.store) { _ in throw Refusal() } }
        #expect(!failed.isReceiptStored && !failed.isCommitted)
        #expect(try await fixture.store.receipts.receipt(for: ActionReceipt.some("a").key) == nil)
        let done = ActionAttempt(.some("b"), for: fixture.store.receipts, announcingTo: fixture.store.topics)
        try await perform(done, on: fixture.store)
        #expect(done.isReceiptStored && done.isCommitted)
        #expect(try await fixture.store.receipts.receipt(for: ActionReceipt.some("b").key) != nil)
        #expect(try await count(fixture.store) == 1)
        await fixture.store.close()
    }

    @Test func concurrentActionsWithTheSameKeyAreCommittedOnOnlyOneReplica() async throws {
        let fixture = try await PostgresFixture()
        let other = try await fixture.other()
        for round in 0..<20 {
            let results = await withTaskGroup(of: Bool.self) { group in
                for (index, store) in [fixture.store, other].enumerated() {
                    group.addTask {
                        let attempt = ActionAttempt(.some("\(round)"), for: store.receipts, announcingTo: store.topics)
                        return (try? await perform(attempt, on: store, id: 2 * round + index)) != nil
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.filter(\.self).count == 1)
        }
        #expect(try await count(other) == 20)
        await fixture.store.close()
        await other.close()
    }

    @Test func aWriteDoesNotStoreAReceiptThatBelongsToAnotherStore() async throws {
        let fixture = try await PostgresFixture()
        let attempt = ActionAttempt(.some(), for: ReceiptsInMemory(), announcingTo: fixture.store.topics)
        try await perform(attempt, on: fixture.store)
        #expect(!attempt.isReceiptStored)
        #expect(try await fixture.store.receipts.receipt(for: ActionReceipt.some().key) == nil)
        await fixture.store.close()
    }

    @Test func anActionPastItsDeadlineIsCancelledAndRolledBack() async throws {
        let fixture = try await PostgresFixture(timeLimit: .seconds(3600))
        let attempt = ActionAttempt(.some(), for: fixture.store.receipts, announcingTo: fixture.store.topics)
        try attempt.begin()
        let task = Task {
            try await perform(attempt, on: fixture.store) { transaction in
                _ = try transaction.row(of: nil, "SELECT pg_sleep(3600)::text") { _ in }
            }
        }
        try await fixture.isRunning("SELECT pg_sleep(3600)%")
        #expect(attempt.abandon())
        let error = await #expect(throws: (any Error).self) { try await task.value }
        // If the server does not cancel the statement in time, the connection is discarded, and the transaction does not begin again.
        #expect(error is DataUnavailable || error as? DeadlineFault == .notPerformed)
        #expect(try await count(fixture.store) == 0)
        #expect(try await fixture.store.receipts.receipt(for: ActionReceipt.some().key) == nil)
        await fixture.store.close()
    }

    @Test func anActionHasAnUnknownOutcomeIfItsConnectionBreaksDuringTheCommit() async throws {
        // A deferred constraint makes the commit slow.
        let slow = PostgresMigration(
            "slow",
            """
            CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER waiting AFTER INSERT ON thing DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait();
            """
        )
        let fixture = try await PostgresFixture([PostgresFixture.things, slow])
        let attempt = ActionAttempt(.some(), for: fixture.store.receipts, announcingTo: fixture.store.topics)
        try attempt.begin()
        let task = Task { try await perform(attempt, on: fixture.store) }
        try await fixture.isRunning("COMMIT")
        let committing = "FROM pg_stat_activity WHERE query = 'COMMIT' AND state = 'active' AND datname = current_database()"
        try PostgresServer.shared.run("SELECT pg_terminate_backend(pid) \(committing)", in: fixture.url)
        await #expect(throws: DataUnavailable(reason: "it is not known whether it was committed")) { try await task.value }
        #expect(attempt.isInDoubt)
        #expect(!attempt.abandon())
        await fixture.store.close()
    }

    @Test func conflictingWritesOfTwoReplicasAreSerialized() async throws {
        let fixture = try await PostgresFixture()
        let other = try await fixture.other()
        // Each transaction counts the rows, and inserts a row only if there are fewer than ten. So at most ten rows are inserted.
        let added = await withTaskGroup(of: Bool.self) { group in
            for id in 0..<30 {
                group.addTask {
                    let store = id.isMultiple(of: 2) ? fixture.store : other
                    let result: Void? = try? await store.write { transaction in
                        let count: Int? = try transaction.row(of: nil, "SELECT count(*) FROM thing") { try $0[0] }
                        guard count! < 10 else { throw Refusal() }
                        try transaction.write("INSERT INTO thing VALUES ($1)", [id], announcing: [Topic("things")])
                    }
                    return result != nil
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(added.filter(\.self).count == 10)
        #expect(try await count(fixture.store) == 10)
        await fixture.store.close()
        await other.close()
    }

    @Test func anotherReplicaBecomesTheLeaderWhenTheLeaderStops() async throws {
        let fixture = try await PostgresFixture()
        let other = try await fixture.other()
        let (terms, begin) = AsyncStream.makeStream(of: String.self)
        let lead = { (name: String, store: PostgresServiceStore) in
            Task {
                await store.whileLeading("things") {
                    begin.yield(name)
                    try? await Task.sleep(for: .seconds(3600))
                }
            }
        }
        var leaders = terms.makeAsyncIterator()
        let first = lead("first", fixture.store)
        #expect(await leaders.next() == "first")
        let second = lead("second", other)
        let third = try await other.database.candidate(for: .named("things"))
        #expect(try await third.becomeLeader() == false)
        // The lock of the first leader is released when its connection ends.
        first.cancel()
        await first.value
        #expect(await leaders.next() == "second")
        await other.close()
        await second.value
        await fixture.store.close()
    }

    @Test func anErrorOfTheLeadersWorkIsLoggedAndEndsTheWork() async throws {
        struct Failure: Error {}
        let log = LogLines(from: .error)
        let url = try PostgresServer.shared.newDatabase()
        let store = try await PostgresServiceStore.open(url: url, logger: log.logger)
        await store.whileLeading("things") { throw Failure() }
        #expect(log.all == ["error: the work of the leader has failed: error=Failure()"])
        await store.close()
    }

    @Test func anotherReplicaReplacesALeaderThatHangs() async throws {
        let fixture = try await PostgresFixture()
        let other = try await fixture.other()
        let stopped = try await fixture.store.database.candidate(for: .named("things"))
        #expect(try await stopped.becomeLeader())
        let (terms, begin) = AsyncStream.makeStream(of: Void.self)
        let leading = Task { await other.whileLeading("things") { begin.finish() } }
        for await _ in terms {}
        leading.cancel()
        await leading.value
        #expect(await !stopped.isLeader)
        await fixture.store.close()
        await other.close()
    }
}
