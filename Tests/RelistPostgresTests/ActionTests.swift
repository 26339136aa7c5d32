import Dispatch
@testable import RelistPostgres
@testable import ScreenService
import TemporaryPostgres
import Testing

@Suite("Actions on PostgreSQL", .timeLimit(.minutes(2))) struct ActionTests {
    private struct Refusal: Error {}

    private func perform(
        _ attempt: ActionAttempt, on store: PostgresServiceStore, id: Int = 1, _ more: @Sendable @escaping (PostgresTransaction) throws -> Void = { _ in }
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

    @Test func aDeedAndItsReceiptAreKeptOrNeitherIs() async throws {
        let ground = try await PostgresGround()
        let failed = ActionAttempt(.some("a"), for: ground.store.receipts, announcingTo: ground.store.topics)
        await #expect(throws: Refusal.self) { try await perform(failed, on: ground.store) { _ in throw Refusal() } }
        #expect(!failed.isReceiptKept && !failed.isCommitted)
        #expect(try await ground.store.receipts.receipt(for: ActionReceipt.some("a").key) == nil)
        let done = ActionAttempt(.some("b"), for: ground.store.receipts, announcingTo: ground.store.topics)
        try await perform(done, on: ground.store)
        #expect(done.isReceiptKept && done.isCommitted)
        #expect(try await ground.store.receipts.receipt(for: ActionReceipt.some("b").key) != nil)
        #expect(try await count(ground.store) == 1)
        await ground.store.close()
    }

    @Test func ofTwoReplicasThatAreAskedUnderOneKeyOnePerforms() async throws {
        let ground = try await PostgresGround()
        let other = try await ground.other()
        for round in 0..<20 {
            let results = await withTaskGroup(of: Bool.self) { group in
                for (index, store) in [ground.store, other].enumerated() {
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
        await ground.store.close()
        await other.close()
    }

    @Test func aReceiptThatIsLookedForElsewhereIsNotKept() async throws {
        let ground = try await PostgresGround()
        let attempt = ActionAttempt(.some(), for: ReceiptsInMemory(), announcingTo: ground.store.topics)
        try await perform(attempt, on: ground.store)
        #expect(!attempt.isReceiptKept)
        #expect(try await ground.store.receipts.receipt(for: ActionReceipt.some().key) == nil)
        await ground.store.close()
    }

    @Test func anActionThatIsGivenUpIsUndoneAndStopped() async throws {
        let ground = try await PostgresGround(timeLimit: .seconds(3600))
        let attempt = ActionAttempt(.some(), for: ground.store.receipts, announcingTo: ground.store.topics)
        try attempt.begin()
        let task = Task {
            try await perform(attempt, on: ground.store) { transaction in
                _ = try transaction.row(of: nil, "SELECT pg_sleep(3600)::text") { _ in }
            }
        }
        try await ground.isRunning("SELECT pg_sleep(3600)%")
        #expect(attempt.abandon())
        let error = await #expect(throws: (any Error).self) { try await task.value }
        // Where the server does not stop it in time its connection is let go of, and it is not begun on another.
        #expect(error is DataUnavailable || error as? DeadlineFault == .notPerformed)
        #expect(try await count(ground.store) == 0)
        #expect(try await ground.store.receipts.receipt(for: ActionReceipt.some().key) == nil)
        await ground.store.close()
    }

    @Test func whereTheConnectionBreaksDuringTheCommitNobodyKnowsWhatBecameOfIt() async throws {
        // A constraint that is looked at when the commit has begun, and takes its time.
        let slow = PostgresMigration(
            "slow",
            """
            CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER waiting AFTER INSERT ON thing DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait();
            """
        )
        let ground = try await PostgresGround([PostgresGround.things, slow])
        let attempt = ActionAttempt(.some(), for: ground.store.receipts, announcingTo: ground.store.topics)
        try attempt.begin()
        let task = Task { try await perform(attempt, on: ground.store) }
        try await ground.isRunning("COMMIT")
        let committing = "FROM pg_stat_activity WHERE query = 'COMMIT' AND state = 'active' AND datname = current_database()"
        try PostgresServer.shared.run("SELECT pg_terminate_backend(pid) \(committing)", in: ground.url)
        await #expect(throws: DataUnavailable(reason: "it is not known whether it was committed")) { try await task.value }
        #expect(attempt.isInDoubt)
        #expect(!attempt.abandon())
        await ground.store.close()
    }

    @Test func conflictingDeedsOfTwoReplicasAreDoneOneAfterTheOther() async throws {
        let ground = try await PostgresGround()
        let other = try await ground.other()
        // At most ten, as each counts before it adds.
        let added = await withTaskGroup(of: Bool.self) { group in
            for id in 0..<30 {
                group.addTask {
                    let store = id.isMultiple(of: 2) ? ground.store : other
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
        #expect(try await count(ground.store) == 10)
        await ground.store.close()
        await other.close()
    }

    @Test func oneReplicaLeadsAndWhenItIsGoneAnotherDoes() async throws {
        let ground = try await PostgresGround()
        let other = try await ground.other()
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
        let first = lead("first", ground.store)
        #expect(await leaders.next() == "first")
        let second = lead("second", other)
        let third = try await other.database.candidate(for: .named("things"))
        #expect(try await third.begins() == false)
        // Its connection goes, and with it the lock.
        first.cancel()
        await first.value
        #expect(await leaders.next() == "second")
        // So does that of a store that is closed.
        await other.close()
        await second.value
        await ground.store.close()
    }

    @Test func aLeaderThatStandsStillIsReplaced() async throws {
        let ground = try await PostgresGround()
        let other = try await ground.other()
        let stopped = try await ground.store.database.candidate(for: .named("things"))
        #expect(try await stopped.begins())
        let (terms, begin) = AsyncStream.makeStream(of: Void.self)
        let leading = Task { await other.whileLeading("things") { begin.finish() } }
        for await _ in terms {}
        leading.cancel()
        await leading.value
        #expect(await !stopped.goesOn)
        await ground.store.close()
        await other.close()
    }
}
