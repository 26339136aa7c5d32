import Dispatch
import Glibc
@testable import RelistPostgres
import ScreenService
import Synchronization
import TemporaryPostgres
import Testing

@Suite("Writes that conflict", .timeLimit(.minutes(2))) struct ConflictTests {
    /// Inserts rows that fit one page, and has the planner know that they are few.
    private func fill(_ ground: PostgresGround) throws {
        try PostgresServer.shared.run("INSERT INTO thing (id, name) SELECT i, 'a' FROM generate_series(1, 64) AS i", in: ground.url)
        try PostgresServer.shared.run("ANALYZE thing", in: ground.url)
    }

    @Test func writesOfDifferentRowsOfASmallTableDoNotConflict() async throws {
        let ground = try await PostgresGround()
        try fill(ground)
        // More often than a statement is planned for its arguments, so that the plan for any of them is used as well.
        for _ in 0..<10 {
            let meeting = Meeting()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in [1, 2] {
                    group.addTask {
                        let isAgain = Atomic(false)
                        try await ground.store.write { transaction in
                            let name: String? = try transaction.row(of: nil, "SELECT name FROM thing WHERE id = $1", [id]) { try $0[0] }
                            // Both have read before either writes.
                            if !isAgain.exchange(true, ordering: .relaxed) { meeting.join() }
                            try transaction.write("UPDATE thing SET name = $2 WHERE id = $1", [id, name! + "a"], announcing: [Topic("a")])
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(ground.store.counts.retries == 0)
        #expect(try PostgresServer.shared.run("SELECT sum(length(name)) FROM thing WHERE id < 3", in: ground.url) == "22")
        await ground.store.close()
    }

    @Test func writesThatReadWhatAnotherChangesRunAgain() async throws {
        let ground = try await PostgresGround()
        try fill(ground)
        let meeting = Meeting()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in [1, 2] {
                group.addTask {
                    let isAgain = Atomic(false)
                    try await ground.store.write { transaction in
                        // Each reads the row that the other one changes.
                        let name: String? = try transaction.row(of: nil, "SELECT name FROM thing WHERE id = $1", [3 - id]) { try $0[0] }
                        if !isAgain.exchange(true, ordering: .relaxed) { meeting.join() }
                        try transaction.write("UPDATE thing SET name = $2 WHERE id = $1", [id, name! + "a"])
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(ground.store.counts.retries >= 1)
        // One after the other: the second has seen what the first has written.
        #expect(try PostgresServer.shared.run("SELECT sum(length(name)) FROM thing WHERE id < 3", in: ground.url) == "5")
        await ground.store.close()
    }

    @Test func aWriteThatWaitsToRunAgainLeavesItsConnectionToOthers() async throws {
        let ground = try await PostgresGround()
        // One of them is for writes.
        let store = try await ground.other(connections: 2)
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
        await ground.store.close()
    }

    @Test func closingWaitsForAWriteThatWaitsToRunAgain() async throws {
        let ground = try await PostgresGround()
        let runs = Runs()
        try await ground.store.write { transaction in
            try transaction.write("INSERT INTO thing (id) VALUES (1)")
            guard runs.add("write") == 1 else { return }
            Task { await ground.store.close() }
            while !ground.store.database.pool.isClosed { sched_yield() }
            throw PostgresError.serialisation
        }
        #expect(runs.names.count == 2)
        #expect(try PostgresServer.shared.run("SELECT count(*) FROM thing", in: ground.url) == "1")
        await ground.store.close()
    }

    @Test func aWriteThatScansATableIsNotCompiled() async throws {
        let ground = try await PostgresGround()
        try fill(ground)
        let plan = try await ground.store.write { transaction in
            try transaction.rows(of: nil, "EXPLAIN ANALYZE SELECT count(*) FROM thing WHERE name = 'a'") { try $0[0] as String }
        }
        #expect(plan.contains { $0.contains("Seq Scan on thing") })
        #expect(!plan.contains { $0.hasPrefix("JIT") })
        await ground.store.close()
    }
}

/// The names of transactions, each time that one runs.
private final class Runs: Sendable {
    private let kept = Mutex<[String]>([])

    var names: [String] { kept.withLock { $0 } }

    /// - Returns: the number of names.
    func add(_ name: String) -> Int {
        kept.withLock { names in
            names.append(name)
            return names.count
        }
    }
}

/// A place where two transactions wait for each other.
private final class Meeting: Sendable {
    private let count = Atomic(0)
    private let gate = DispatchSemaphore(value: 0)

    /// Returns once both have come.
    func join() {
        if count.add(1, ordering: .acquiringAndReleasing).newValue == 2 {
            gate.signal()
            gate.signal()
        }
        gate.wait()
    }
}
