import Dispatch
import Glibc
import ScreenService
import Synchronization
import TemporaryPostgres
import Testing

@testable import RelistPostgres

@Suite("Writes that conflict", .timeLimit(.minutes(2))) struct ConflictTests {
    /// Inserts a few rows, which fit on one page, and updates the planner's statistics.
    private func fill(_ fixture: PostgresFixture) throws {
        try PostgresServer.shared.run("INSERT INTO thing (id, name) SELECT i, 'a' FROM generate_series(1, 64) AS i", in: fixture.url)
        try PostgresServer.shared.run("ANALYZE thing", in: fixture.url)
    }

    @Test func transactionsAreCountedAndDurableCommitsAreTimed() async throws {
        let fixture = try await PostgresFixture()
        let commitCount = Atomic(0)
        fixture.store.observeCommits { _ in commitCount.add(1, ordering: .relaxed) }
        let before = fixture.store.counts
        _ = try await fixture.store.write { try $0.write("INSERT INTO thing (id) VALUES (1)", announcing: [Topic("a")]) }
        _ = try await fixture.store.read { try $0.rows(of: nil, "SELECT id FROM thing") { try $0[0] as Int } }
        try await fixture.store.history.write(
            HistoryBatch(used: [HistoryKey(audience: .everyone, screen: "a", version: Version(high: 0, low: 1)): 1]))
        let after = fixture.store.counts
        #expect((after.reads - before.reads, after.writes - before.writes, after.inDoubt) == (1, 2, 0))
        #expect(commitCount.load(ordering: .relaxed) == 1)
        #expect(after.busyConnections == ["reads": 0, "writes": 0, "history": 0, "receipts": 0])
        await fixture.store.close()
    }

    @Test func writesToDifferentRowsOfASmallTableDoNotConflict() async throws {
        let fixture = try await PostgresFixture()
        try fill(fixture)
        // The server may use a generic plan after five runs of a statement. So ten rounds test writes with and without a generic plan.
        for _ in 0..<10 {
            let barrier = Barrier()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in [1, 2] {
                    group.addTask {
                        let isAgain = Atomic(false)
                        try await fixture.store.write { transaction in
                            let name: String? = try transaction.row(of: nil, "SELECT name FROM thing WHERE id = $1", [id]) { try $0[0] }
                            // Both transactions read before either of them writes.
                            if !isAgain.exchange(true, ordering: .relaxed) { barrier.wait() }
                            try transaction.write("UPDATE thing SET name = $2 WHERE id = $1", [id, name! + "a"], announcing: [Topic("a")])
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(fixture.store.counts.retries == 0)
        #expect(try PostgresServer.shared.run("SELECT sum(length(name)) FROM thing WHERE id < 3", in: fixture.url) == "22")
        await fixture.store.close()
    }

    @Test func aWriteRunsAgainIfARowThatItHasReadIsChangedByAnotherWrite() async throws {
        let fixture = try await PostgresFixture()
        try fill(fixture)
        let barrier = Barrier()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in [1, 2] {
                group.addTask {
                    let isAgain = Atomic(false)
                    try await fixture.store.write { transaction in
                        // Each transaction reads the row that the other transaction changes.
                        let name: String? = try transaction.row(of: nil, "SELECT name FROM thing WHERE id = $1", [3 - id]) { try $0[0] }
                        if !isAgain.exchange(true, ordering: .relaxed) { barrier.wait() }
                        try transaction.write("UPDATE thing SET name = $2 WHERE id = $1", [id, name! + "a"])
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(fixture.store.counts.retries >= 1)
        // The second transaction has read the name that the first transaction has written.
        #expect(try PostgresServer.shared.run("SELECT sum(length(name)) FROM thing WHERE id < 3", in: fixture.url) == "5")
        await fixture.store.close()
    }

    @Test func aWriteHoldsNoConnectionWhileItWaitsToRunAgain() async throws {
        let fixture = try await PostgresFixture()
        // Only one of the two connections is for writes.
        let store = try await fixture.other(connections: 2)
        let runs = Runs()
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        let first = Task {
            try await store.write { _ in
                if runs.add("first") > 1 { return }
                begin.finish()
                gate.wait()
                throw PostgresError.serialisation
            }
        }
        for await _ in begun {}
        let second = Task { try await store.write { _ in _ = runs.add("second") } }
        while store.database.pool.waitingCounts(in: .writes).isEmpty { await Task.yield() }
        gate.signal()
        try await first.value
        try await second.value
        #expect(runs.names == ["first", "second", "first"])
        #expect(store.counts.retries == 1)
        await store.close()
        await fixture.store.close()
    }

    @Test func closingTheStoreWaitsForAWriteThatWaitsToRunAgain() async throws {
        let fixture = try await PostgresFixture()
        let runs = Runs()
        try await fixture.store.write { transaction in
            try transaction.write("INSERT INTO thing (id) VALUES (1)")
            guard runs.add("write") == 1 else { return }
            Task { await fixture.store.close() }
            while !fixture.store.database.pool.isClosed { sched_yield() }
            throw PostgresError.serialisation
        }
        #expect(runs.names.count == 2)
        #expect(try PostgresServer.shared.run("SELECT count(*) FROM thing", in: fixture.url) == "1")
        await fixture.store.close()
    }

    @Test func tableScansDuringAWriteAreNotJITCompiled() async throws {
        let fixture = try await PostgresFixture()
        try fill(fixture)
        let plan = try await fixture.store.write { transaction in
            try transaction.rows(of: nil, "EXPLAIN ANALYZE SELECT count(*) FROM thing WHERE name = 'a'") { try $0[0] as String }
        }
        #expect(plan.contains { $0.contains("Seq Scan on thing") })
        #expect(!plan.contains { $0.hasPrefix("JIT") })
        await fixture.store.close()
    }
}

/// A list of the names of transactions that have run.
private final class Runs: Sendable {
    private let kept = Mutex<[String]>([])

    var names: [String] { kept.withLock { $0 } }

    /// Records a name, and returns the number of names recorded so far.
    func add(_ name: String) -> Int {
        kept.withLock { names in
            names.append(name)
            return names.count
        }
    }
}

/// A barrier for two transactions.
private final class Barrier: Sendable {
    private let count = Atomic(0)
    private let gate = DispatchSemaphore(value: 0)

    /// Waits until both transactions have called this function.
    func wait() {
        if count.add(1, ordering: .acquiringAndReleasing).newValue == 2 {
            gate.signal()
            gate.signal()
        }
        gate.wait()
    }
}
