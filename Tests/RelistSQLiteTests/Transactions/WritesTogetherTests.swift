import Dispatch
import Foundation
import GRDB
import Logging
@testable import ScreenService
@testable import RelistSQLite
import Synchronization
import TemporaryDatabase
import Testing

@Suite("Writes that wait together", .timeLimit(.minutes(1))) struct WritesTogetherTests {
    private struct Refusal: Error {}

    @Test func theyAreCommittedAndAnnouncedTogether() async throws {
        try await withStore { store, commits, announcements async throws in
            let results = await writing(in: store, (0..<10).map { number in { try $0.note("\(number)") } })
            #expect(results.allSatisfy { $0.isSuccess })
            // That of the first, for which the others waited.
            #expect(commits.count == 2)
            #expect(announcements.commits == [["note/held"], Set((0..<10).map { "note/\($0)" })])
            #expect(try await store.read { try $0.noteCount() } == 11)
        }
    }

    @Test func noMoreThan64AreCommittedTogether() async throws {
        try await withStore { store, commits, _ async throws in
            let results = await writing(in: store, (0..<130).map { number in { try $0.note("\(number)") } })
            #expect(results.allSatisfy { $0.isSuccess })
            #expect(commits.count == 1 + 3)
            #expect(try await store.read { try $0.noteCount() } == 131)
        }
    }

    @Test func oneThatFailsIsUndoneAndLeavesTheOthers() async throws {
        try await withStore { store, commits, announcements async throws in
            let results = await writing(in: store, [
                { try $0.note("a") },
                {
                    try $0.note("b")
                    throw Refusal()
                },
                { transaction throws in #expect(try transaction.noteCount() == 2) },
                { try $0.note("c") },
            ])
            #expect(results.map(\.isSuccess) == [true, false, true, true])
            #expect(throws: Refusal.self) { try results[1].get() }
            #expect(commits.count == 2)
            #expect(announcements.commits == [["note/held"], ["note/a", "note/c"]])
        }
    }

    @Test func oneAfterTheOtherSeesWhatWasWritten() async throws {
        try await withStore { store, _, _ async throws in
            let results = await writing(in: store, (0..<5).map { number in
                { transaction throws in
                    #expect(try transaction.noteCount() == 1 + number)
                    try transaction.note("\(number)")
                }
            })
            #expect(results.allSatisfy { $0.isSuccess })
        }
    }

    @Test(arguments: [
        (ResultCode.SQLITE_FULL, "there is no space left for the database"), (.SQLITE_IOERR_WRITE, "the database cannot be read or written"),
    ])
    func aCommitOnAFullDiskIsUndoneAndTheNextIsDone(code: ResultCode, reason: String) async throws {
        try await withStore { store, commits, announcements async throws in
            let attempt = try attempt(in: store)
            let (held, release) = try await holdWriter(of: store)
            let writes = [
                Task.immediate {
                    try await store.write { transaction in
                        try transaction.note("a")
                        commits.fail(with: DatabaseError(resultCode: code), times: 1)
                    }
                },
                Task.immediate { try await store.write { _ in throw Refusal() } },
                writing("b", in: store, for: attempt),
            ]
            release()
            try await held.value
            let full = DataUnavailable(reason: reason)
            for write in writes { await #expect(throws: full) { try await write.value } }
            #expect(!attempt.isInDoubt && !store.file.failure.hasBegun)
            #expect(announcements.commits == [["note/held"]])
            #expect(try await store.read { try $0.noteCount() } == 1)
            try await store.write { try $0.note("c") }
            #expect(try await store.read { try $0.noteCount() } == 2)
        }
    }

    /// An observer stands for the disk: the error comes from the commit all the same.
    @Test func aCommitThatTheDiskRefusesIsInDoubtAndEndsTheProcess() async throws {
        try await withStore { store, commits, announcements async throws in
            let attempts = [try attempt(in: store), try attempt(in: store, "l")]
            let (held, release) = try await holdWriter(of: store)
            let writes = attempts.map { writing("a", in: store, for: $0) }
            let failing = Task.immediate {
                try await store.write { _ in commits.fail(with: DatabaseError(resultCode: .SQLITE_IOERR), times: 1) }
            }
            release()
            try await held.value
            for write in writes + [failing] {
                await #expect(throws: DataUnavailable(reason: "the database cannot be read or written")) { try await write.value }
            }
            #expect(attempts.map(\.isInDoubt) == [true, true])
            #expect(commits.ends == 1)
            // Nothing is read or written until then: a receipt may be found to be there by the next process.
            let failed = DataUnavailable(reason: "the disk has failed")
            await #expect(throws: failed) { try await store.receipts.receipt(for: attempts[0].receipt!.key) }
            let next = try attempt(in: store, "m")
            await #expect(throws: failed) { try await writing("next", in: store, for: next).value }
            #expect(next.isInDoubt)
            #expect(commits.ends == 1)
            #expect(announcements.commits == [["note/held"]])
        }
    }

    @Test func whereTheFilesGoBehindACommitNobodyKnowsWhatBecameOfTheAction() async throws {
        try await withStore { store, commits, _ async throws in
            let attempt = try attempt(in: store)
            let (path, hidden) = (store.file.path, store.file.path + ".hidden")
            commits.behind.withLock { $0 = { try? FileManager.default.moveItem(atPath: path, toPath: hidden) } }
            await #expect(throws: DataUnavailable.self) { try await writing("a", in: store, for: attempt).value }
            #expect(attempt.isCommitted && attempt.isInDoubt)
            commits.behind.withLock { $0 = {} }
            try FileManager.default.moveItem(atPath: hidden, toPath: path)
            #expect(try await store.read { try $0.noteCount() } == 1)
        }
    }

    @Test func ofAnActionThatSwallowsTheEndOfItsTransactionItIsKnownThatNothingWasDone() async throws {
        try await withStore { store, _, _ async throws in
            try await store.write { try $0.note("held") }
            let attempt = try attempt(in: store)
            await #expect(throws: DatabaseError.self) {
                try await ActionAttempt.$current.withValue(attempt) {
                    try await store.write { transaction in
                        _ = try? transaction.write("INSERT OR ROLLBACK INTO note VALUES ('held')")
                    }
                }
            }
            #expect(!attempt.isInDoubt)
        }
    }

    /// SQLite undoes a whole transaction when a statement of it is stopped that writes.
    @Test func aStatementThatIsStoppedFailsAloneAndTheOthersRunAgain() async throws {
        try await withStore { store, commits, announcements async throws in
            let attempt = try attempt(in: store)
            let (held, release) = try await holdWriter(of: store)
            let before = Task.immediate { try await store.write { try $0.note("before") } }
            let stopped = Task.immediate {
                try await store.write(for: attempt) { database, _ in
                    // From here on it is stopped when SQLite asks next.
                    let isAbandoned = attempt.abandon()
                    #expect(isAbandoned)
                    try database.execute(sql: """
                        INSERT INTO note WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n
                        """)
                }
            }
            let behind = Task.immediate { try await store.write { try $0.note("behind") } }
            release()
            try await held.value
            try await before.value
            try await behind.value
            await #expect(throws: DeadlineFault.notPerformed) { try await stopped.value }
            #expect(commits.count == 3)
            #expect(announcements.commits == [["note/held"], ["note/before"], ["note/behind"]])
            #expect(try await store.read { try $0.noteCount() } == 3)
        }
    }

    @Test func whoEndsTheTransactionAloneHearsWhy() async throws {
        try await withStore { store, _, _ async throws in
            let results = await writing(in: store, [
                { try $0.note("a") },
                { transaction in
                    _ = try? transaction.write("INSERT OR ROLLBACK INTO note VALUES ('held')")
                    throw Refusal()
                },
                { _ = try? $0.write("INSERT OR ROLLBACK INTO note VALUES ('held')") },
                { try $0.note("b") },
            ])
            #expect(results.map(\.isSuccess) == [true, false, false, true])
            #expect(throws: Refusal.self) { try results[1].get() }
            #expect((#expect(throws: DatabaseError.self) { try results[2].get() })?.resultCode == .SQLITE_ABORT)
            #expect(try await store.read { try $0.noteCount() } == 3)
        }
    }

    @Test func whoEndsTheTransactionIsAnsweredFromWhatIsCommitted() async throws {
        try await withStore { store, _, _ async throws in
            let attempt = try attempt(in: store)
            let (held, release) = try await holdWriter(of: store)
            let givenUp = writing("k", in: store, for: attempt)
            let runs = Mutex(0)
            let ending = Task.immediate {
                try await store.write { transaction in
                    runs.withLock { $0 += 1 }
                    try transaction.write("INSERT OR ROLLBACK INTO note VALUES ('k')")
                    _ = attempt.abandon()
                }
            }
            let behind = Task.immediate {
                try await store.write { transaction in
                    _ = attempt.abandon()
                    try transaction.note("behind")
                }
            }
            release()
            try await held.value
            // What it stumbled upon was committed before it ran again.
            try await givenUp.value
            await #expect(throws: DatabaseError.self) { try await ending.value }
            try await behind.value
            #expect(runs.withLock { $0 } == 2)
        }
    }

    @Test func oneThatFailedBecauseOfWhatWasUndoneIsDone() async throws {
        try await withStore { store, commits, _ async throws in
            let attempt = try attempt(in: store)
            let (held, release) = try await holdWriter(of: store)
            let givenUp = writing("k", in: store, for: attempt)
            let second = Task.immediate {
                try await store.write { transaction in
                    _ = attempt.abandon()
                    if try transaction.isNoted("k") { throw Refusal() }
                    try transaction.note("second")
                }
            }
            release()
            try await held.value
            await #expect(throws: DeadlineFault.notPerformed) { try await givenUp.value }
            try await second.value
            #expect(commits.count == 2)
        }
    }

    @Test func anActionThatWillRunAgainCanStillBeGivenUp() async throws {
        try await withStore { store, _, announcements async throws in
            let (attempt, other) = (try attempt(in: store), try self.attempt(in: store, "l"))
            let (held, release) = try await holdWriter(of: store)
            let runs = Mutex(0)
            let again = Task.immediate {
                try await ActionAttempt.$current.withValue(attempt) {
                    try await store.write { transaction in
                        try transaction.note("again")
                        let isSecond = runs.withLock { runs in
                            runs += 1
                            return runs == 2
                        }
                        if isSecond { #expect(attempt.abandon(), "It is known that nothing was done.") }
                    }
                }
            }
            let givenUp = writing("given up", in: store, for: other)
            let plain = Task.immediate {
                try await store.write { transaction in
                    try transaction.note("plain")
                    _ = other.abandon()
                }
            }
            release()
            try await held.value
            for write in [again, givenUp] { await #expect(throws: DeadlineFault.notPerformed) { try await write.value } }
            try await plain.value
            #expect(announcements.commits == [["note/held"], ["note/plain"]])
        }
    }

    @Test func anActionThatIsGivenUpBeforeTheCommitIsUndoneAndTheOthersAreDone() async throws {
        try await withStore { store, _, announcements async throws in
            let attempt = try attempt(in: store)
            let (held, release) = try await holdWriter(of: store)
            let givenUp = writing("given up", in: store, for: attempt)
            let other = Task.immediate {
                try await store.write { transaction in
                    try transaction.note("other")
                    _ = attempt.abandon()
                }
            }
            release()
            try await held.value
            try await other.value
            await #expect(throws: DeadlineFault.notPerformed) { try await givenUp.value }
            #expect(announcements.commits == [["note/held"], ["note/other"]])
            #expect(try await store.receipts.receipt(for: attempt.receipt!.key) == nil)
        }
    }

    @Test func writesOfOneActionAreCommittedOneAfterTheOther() async throws {
        try await withStore { store, commits, _ async throws in
            let attempt = try attempt(in: store)
            let (held, release) = try await holdWriter(of: store)
            let writes = ["a", "b"].map { writing($0, in: store, for: attempt) }
            release()
            try await held.value
            for write in writes { try await write.value }
            #expect(commits.count == 3)
            #expect(try await store.receipts.receipt(for: attempt.receipt!.key) != nil)
        }
    }

    @Test func whereTheirTimeIsOverTheRestHasItsTurnLater() async throws {
        try await withStore(timeTogether: .zero) { store, commits, announcements async throws in
            let results = await writing(in: store, (0..<5).map { number in { try $0.note("\(number)") } })
            #expect(results.allSatisfy { $0.isSuccess })
            #expect(commits.count == 6)
            #expect(announcements.commits == [["note/held"]] + (0..<5).map { ["note/\($0)"] })
        }
    }

    @Test func whereNoneCanBeginAllHearOfItAndTheNextIsDone() async throws {
        try await withStore(busyTimeout: .zero) { store, _, _ async throws in
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let other = try DatabaseQueue(path: store.file.path, configuration: configuration)
            // Between the first commit and the next transaction.
            let lock = Mutex(true)
            _ = store.topics.observe { _ in
                let isFirst = lock.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                if isFirst { try? other.inDatabase { try $0.beginTransaction(.immediate) } }
                return nil
            }
            let results = await writing(in: store, (0..<3).map { number in { try $0.note("\(number)") } })
            for result in results { #expect(throws: DataUnavailable(reason: "the database is busy")) { try result.get() } }
            try other.inDatabase { try $0.rollback() }
            try await store.write { try $0.note("next") }
            #expect(try await store.read { try $0.noteCount() } == 2)
            try other.close()
        }
    }

    @Test func whereTheFileIsGoneNoneIsAcknowledged() async throws {
        try await withStore { store, _, announcements async throws in
            let folder = store.file.path.dropLast("test.sqlite".count)
            let results = await writing(in: store, [
                { try $0.note("a") },
                { _ in try FileManager.default.moveItem(atPath: folder + "test.sqlite", toPath: folder + "hidden") },
                { try $0.note("b") },
            ])
            try FileManager.default.moveItem(atPath: folder + "hidden", toPath: folder + "test.sqlite")
            for result in results {
                #expect(throws: DataUnavailable(reason: "the database was moved, replaced or deleted")) { try result.get() }
            }
            #expect(announcements.commits == [["note/held"]])
            #expect(try await store.read { try $0.noteCount() } == 1)
        }
    }

    @Test func thoseThatWaitWhenTheStoreClosesAreDone() async throws {
        try await withStore { store, _, announcements async throws in
            let (held, release) = try await holdWriter(of: store)
            let waiting = (0..<3).map { number in Task.immediate { try await store.write { try $0.note("\(number)") } } }
            let closing = Task.immediate { await store.close() }
            await #expect(throws: SQLiteStoreError.closed) { try await store.write { try $0.note("late") } }
            release()
            try await held.value
            for write in waiting { try await write.value }
            await closing.value
            #expect(announcements.commits == [["note/held"], ["note/0", "note/1", "note/2"]])
        }
    }

    @Test func aRowThatNamesNoneIsTheFaultOfWhoWroteIt() async throws {
        try await withStore { store, commits, _ async throws in
            try await store.write { transaction in
                try transaction.database.execute(sql: """
                    CREATE TABLE remark (note TEXT REFERENCES note DEFERRABLE INITIALLY DEFERRED) STRICT
                    """)
            }
            let results = await writing(in: store, [
                { try $0.note("a") },
                { try $0.write("INSERT INTO remark VALUES ('nowhere')") },
                { try $0.write("INSERT INTO remark VALUES ('a')") },
            ])
            #expect(results.map(\.isSuccess) == [true, false, true])
            let error = try #require(throws: DatabaseError.self) { try results[1].get() }
            #expect(error.resultCode == .SQLITE_CONSTRAINT)
            #expect(commits.count == 3)
        }
    }

    @Test func whatOneDefersToItsCommitTheNextDoesNot() async throws {
        struct Orphaned: Error {}
        try await withStore { store, _, _ async throws in
            try await store.write { transaction in
                try transaction.database.execute(sql: "CREATE TABLE remark (note TEXT REFERENCES note) STRICT")
            }
            let results = await writing(in: store, [
                { transaction in
                    try transaction.database.execute(sql: "PRAGMA defer_foreign_keys = ON")
                    try transaction.write("INSERT INTO remark VALUES ('a')")
                    try transaction.note("a")
                },
                { try $0.write("INSERT INTO remark VALUES ('nowhere')", ifOrphaned: Orphaned()) },
            ])
            #expect(results.map(\.isSuccess) == [true, false])
            #expect(throws: Orphaned.self) { try results[1].get() }
        }
    }

    @Test func ofTwoUnderOneKeyOneIsPerformed() async throws {
        try await withStore { store, commits, _ async throws in
            let receipt = ActionReceipt(
                key: .init(user: "u", screen: "s", action: "a", text: "k"), request: Version(high: 1, low: 1), performedAt: 1000
            )
            let (held, release) = try await holdWriter(of: store)
            let first = Task.immediate { try await store.receipts.keep(receipt) }
            let second = Task.immediate { try await store.receipts.keep(receipt) }
            release()
            try await held.value
            try await first.value
            await #expect(throws: ReceiptTaken()) { try await second.value }
            #expect(commits.count == 2)
        }
    }

    @Test func historyThatWaitsBesideADeedIsSynchronisedWithIt() async throws {
        try await withStore { store, commits, _ async throws in
            let (held, release) = try await holdWriter(of: store)
            let history = Task.immediate { try await store.history.write(.saving(.some(version: 1))) }
            let synchronous = Task.immediate {
                try await store.write { try Int.fetchOne($0.database, sql: "PRAGMA synchronous") }
            }
            release()
            try await held.value
            try await history.value
            #expect(try await synchronous.value == 2)
            #expect(commits.count == 2)
        }
    }

    private func attempt(in store: SQLiteServiceStore, _ key: String = "k") throws -> ActionAttempt {
        let key = ActionReceipt.Key(user: "u", screen: "s", action: "a", text: key)
        let receipt = ActionReceipt(key: key, request: Version(high: 1, low: 1), performedAt: 1000)
        let attempt = ActionAttempt(receipt, for: store.receipts, announcingTo: store.topics)
        try attempt.begin()
        return attempt
    }

    private func writing(_ text: String, in store: SQLiteServiceStore, for attempt: ActionAttempt) -> Task<Void, any Error> {
        Task.immediate { try await ActionAttempt.$current.withValue(attempt) { try await store.write { try $0.note(text) } } }
    }

    /// - Parameter timeTogether: long, so that it is never over on a machine that is busy.
    private func withStore(
        timeTogether: Duration = .seconds(3600), busyTimeout: Duration = .seconds(5),
        _ body: (SQLiteServiceStore, Commits, Announcements) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let announcements = Announcements()
        let commits = Commits()
        let file = try DatabaseFile(
            path: folder.database, schema: Schema(adding: [.notes]), logger: Logger(label: "test"), busyTimeout: busyTimeout,
            timeTogether: timeTogether, endProcess: commits.end
        )
        let store = SQLiteServiceStore(database: file)
        announcements.observe(store.topics)
        store.file.pool.add(transactionObserver: commits)
        try await body(store, commits, announcements)
        await store.close()
        withExtendedLifetime(folder) {}
    }

    /// Begins a write that ends when it is told to.
    private func holdWriter(of store: SQLiteServiceStore) async throws -> (Task<Void, any Error>, release: () -> Void) {
        let (reached, isReached) = AsyncStream.makeStream(of: Void.self)
        let release = DispatchSemaphore(value: 0)
        let held = Task.immediate {
            try await store.write { transaction in
                try transaction.note("held")
                isReached.finish()
                release.wait()
            }
        }
        for await _ in reached {}
        return (held, { release.signal() })
    }

    /// What became of writes that waited for one.
    private func writing(
        in store: SQLiteServiceStore, _ writes: [@Sendable (SQLiteTransaction) throws -> Void]
    ) async -> [Result<Void, any Error>] {
        guard let (held, release) = try? await holdWriter(of: store) else { return [] }
        // An immediate task has come to where it waits by the time that it is there.
        let waiting = writes.map { write in Task.immediate { try await store.write(write) } }
        release()
        _ = await held.result
        var results: [Result<Void, any Error>] = []
        for write in waiting { results.append(await write.result) }
        return results
    }
}

extension Result {
    fileprivate var isSuccess: Bool { (try? get()) != nil }
}

/// Counts commits, and lets them fail.
private final class Commits: TransactionObserver, Sendable {
    private let state = Mutex((count: 0, error: DatabaseError?.none, failures: 0))
    /// What happens right behind each commit.
    let behind = Mutex<@Sendable () -> Void>({})

    private let endCount = Atomic(0)

    var count: Int { state.withLock { $0.count } }
    /// The number of times that the process would have ended.
    var ends: Int { endCount.load(ordering: .relaxed) }

    @Sendable func end() {
        endCount.add(1, ordering: .relaxed)
    }

    func fail(with error: DatabaseError, times: Int) {
        state.withLock { ($0.error, $0.failures) = (error, times) }
    }

    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseWillCommit() throws {
        let error = state.withLock { state -> DatabaseError? in
            guard state.failures > 0 else { return nil }
            state.failures -= 1
            return state.error
        }
        if let error { throw error }
    }
    func databaseDidCommit(_ database: Database) {
        state.withLock { $0.count += 1 }
        behind.withLock { $0 }()
    }
    func databaseDidRollback(_ database: Database) {}
}
