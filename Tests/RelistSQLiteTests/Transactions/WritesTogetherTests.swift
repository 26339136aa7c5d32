import Dispatch
import Foundation
import GRDB
import Logging
import Synchronization
import TemporaryDatabase
import Testing

@testable import RelistSQLite
@testable import ScreenService

@Suite("Writes that share a transaction", .timeLimit(.minutes(1))) struct WritesTogetherTests {
    private struct Refusal: Error {}

    @Test func concurrentWritesAreCommittedAndAnnouncedTogether() async throws {
        try await withStore { store, commits, announcements async throws in
            let results = await writing(in: store, (0..<10).map { number in { try $0.note("\(number)") } })
            #expect(results.allSatisfy { $0.isSuccess })
            // The first of the two commits contains the write for which the other writes waited.
            #expect(commits.count == 2)
            #expect(announcements.commits == [["note/held"], Set((0..<10).map { "note/\($0)" })])
            #expect(try await store.read { try $0.noteCount() } == 11)
        }
    }

    @Test func atMost64WritesAreCommittedTogether() async throws {
        try await withStore { store, commits, _ async throws in
            let results = await writing(in: store, (0..<130).map { number in { try $0.note("\(number)") } })
            #expect(results.allSatisfy { $0.isSuccess })
            #expect(commits.count == 1 + 3)
            #expect(try await store.read { try $0.noteCount() } == 131)
        }
    }

    @Test func aFailedWriteDoesNotAffectOtherWritesOfItsGroup() async throws {
        try await withStore { store, commits, announcements async throws in
            let results = await writing(
                in: store,
                [
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

    @Test func eachWriteSeesTheChangesOfEarlierWrites() async throws {
        try await withStore { store, _, _ async throws in
            let results = await writing(
                in: store,
                (0..<5).map { number in
                    { transaction throws in
                        #expect(try transaction.noteCount() == 1 + number)
                        try transaction.note("\(number)")
                    }
                })
            #expect(results.allSatisfy { $0.isSuccess })
        }
    }

    @Test(arguments: [
        (ResultCode.SQLITE_FULL, "there is no space left for the database"),
        (.SQLITE_IOERR_WRITE, "the database cannot be read or written"),
    ])
    func aCommitOnAFullDiskFailsAndTheNextCommitSucceeds(code: ResultCode, reason: String) async throws {
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

    /// The observer throws a disk error before the commit. So the commit fails as if the disk had failed.
    @Test func aDiskErrorDuringACommitEndsTheProcessAndLeavesTheOutcomeOfActionsUnknown() async throws {
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
            // The failed commit may have stored a receipt that the next process finds. So this process neither reads nor writes until it
            // ends.
            let failed = DataUnavailable(reason: "the disk has failed")
            await #expect(throws: failed) { try await store.receipts.receipt(for: attempts[0].receipt!.key) }
            let next = try attempt(in: store, "m")
            await #expect(throws: failed) { try await writing("next", in: store, for: next).value }
            #expect(next.isInDoubt)
            #expect(commits.ends == 1)
            #expect(announcements.commits == [["note/held"]])
            // The disk may have lost a part of the log. So the log must not be copied into the database when the store is closed.
            let log = FilePath.size(of: store.file.path + "-wal")
            await store.close()
            #expect(log > 0 && FilePath.size(of: store.file.path + "-wal") == log)
        }
    }

    @Test func anActionHasAnUnknownOutcomeIfTheFileIsMovedAfterItsCommit() async throws {
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

    @Test func theOutcomeOfARolledBackActionIsKnownEvenIfItsHandlerCatchesTheError() async throws {
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

    /// When a statement that writes is interrupted, SQLite rolls back the whole transaction.
    @Test func anInterruptedWriteFailsAndTheOtherWritesOfItsGroupRunAgain() async throws {
        try await withStore { store, commits, announcements async throws in
            let attempt = try attempt(in: store)
            let (held, release) = try await holdWriter(of: store)
            let before = Task.immediate { try await store.write { try $0.note("before") } }
            let stopped = Task.immediate {
                try await store.write(for: attempt) { database, _ in
                    // The next call of the progress handler interrupts the statement.
                    let isAbandoned = attempt.abandon()
                    #expect(isAbandoned)
                    try database.execute(
                        sql: """
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

    @Test func aWriteThatRollsBackASharedTransactionDoesNotMakeTheOtherWritesFail() async throws {
        try await withStore { store, _, _ async throws in
            let results = await writing(
                in: store,
                [
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

    @Test func aWriteThatRollsBackASharedTransactionRunsAgainAfterTheEarlierWrites() async throws {
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
            // The write that inserted `k` was committed before the conflicting write ran again.
            try await givenUp.value
            await #expect(throws: DatabaseError.self) { try await ending.value }
            try await behind.value
            #expect(runs.withLock { $0 } == 2)
        }
    }

    @Test func aFailedWriteRunsAgainIfItHasReadChangesThatAreRolledBack() async throws {
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

    @Test func anActionIsRolledBackIfItsDeadlinePassesDuringItsSecondRun() async throws {
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

    @Test func onlyTheActionPastItsDeadlineIsRolledBack() async throws {
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

    @Test func writesOfOneActionAreCommittedSeparately() async throws {
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

    @Test func aWriteThatIsTooLateForAGroupIsCommittedInALaterGroup() async throws {
        try await withStore(groupDuration: .zero) { store, commits, announcements async throws in
            let results = await writing(in: store, (0..<5).map { number in { try $0.note("\(number)") } })
            #expect(results.allSatisfy { $0.isSuccess })
            #expect(commits.count == 6)
            #expect(announcements.commits == [["note/held"]] + (0..<5).map { ["note/\($0)"] })
        }
    }

    @Test func allWritesOfAGroupFailIfTheDatabaseIsBusy() async throws {
        try await withStore(busyTimeout: .zero) { store, _, _ async throws in
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let other = try DatabaseQueue(path: store.file.path, configuration: configuration)
            // Another program locks the database between the first commit and the next transaction.
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

    @Test func allWritesOfAGroupFailIfTheFileIsMoved() async throws {
        try await withStore { store, _, announcements async throws in
            let folder = store.file.path.dropLast("test.sqlite".count)
            let results = await writing(
                in: store,
                [
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

    @Test func waitingWritesAreCommittedBeforeTheStoreCloses() async throws {
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

    @Test func onlyTheWriteThatViolatesAForeignKeyFails() async throws {
        try await withStore { store, commits, _ async throws in
            try await store.write { transaction in
                try transaction.database.execute(
                    sql: """
                        CREATE TABLE remark (note TEXT REFERENCES note DEFERRABLE INITIALLY DEFERRED) STRICT
                        """)
            }
            let results = await writing(
                in: store,
                [
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

    @Test func aWriteThatDefersForeignKeysDoesNotDeferThemInTheNextWrite() async throws {
        struct Orphaned: Error {}
        try await withStore { store, _, _ async throws in
            try await store.write { transaction in
                try transaction.database.execute(sql: "CREATE TABLE remark (note TEXT REFERENCES note) STRICT")
            }
            let results = await writing(
                in: store,
                [
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

    @Test func onlyOneOfTwoReceiptsWithTheSameKeyIsStored() async throws {
        try await withStore { store, commits, _ async throws in
            let (held, release) = try await holdWriter(of: store)
            let first = Task.immediate { try await store.receipts.keep(.some()) }
            let second = Task.immediate { try await store.receipts.keep(.some()) }
            release()
            try await held.value
            try await first.value
            await #expect(throws: ReceiptTaken()) { try await second.value }
            #expect(commits.count == 2)
        }
    }

    @Test func historyThatIsCommittedTogetherWithAnActionIsSynchronizedToTheDisk() async throws {
        try await withStore { store, commits, _ async throws in
            let (held, release) = try await holdWriter(of: store)
            let history = Task.immediate { try await store.history.write(HistoryBatch(saving: [.some(version: 1)])) }
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
        let attempt = ActionAttempt(.some(key), for: store.receipts, announcingTo: store.topics)
        try attempt.begin()
        return attempt
    }

    private func writing(_ text: String, in store: SQLiteServiceStore, for attempt: ActionAttempt) -> Task<Void, any Error> {
        Task.immediate { try await ActionAttempt.$current.withValue(attempt) { try await store.write { try $0.note(text) } } }
    }

    /// - Parameter groupDuration: the time in which all writes of a group must begin. With the default, no write begins too late, even on
    ///   a busy machine.
    private func withStore(
        groupDuration: Duration = .seconds(3600), busyTimeout: Duration = .seconds(5),
        _ body: (SQLiteServiceStore, Commits, Announcements) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let announcements = Announcements()
        let commits = Commits()
        let file = try OwnFile(
            path: folder.database, schema: Schema(adding: [.notes]), logger: Logger(label: "test"), busyTimeout: busyTimeout,
            groupDuration: groupDuration, endProcess: commits.end
        )
        let store = SQLiteServiceStore(database: file)
        announcements.observe(store.topics)
        store.file.pool.add(transactionObserver: commits)
        try await body(store, commits, announcements)
        await store.close()
        withExtendedLifetime(folder) {}
    }

    /// Starts a write that ends when the function `release` is called. Returns as soon as the write is running.
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

    /// Runs writes in one shared transaction, and returns their results. The writes share a transaction because all of them wait for an
    /// earlier write.
    private func writing(
        in store: SQLiteServiceStore, _ writes: [@Sendable (SQLiteTransaction) throws -> Void]
    ) async -> [Result<Void, any Error>] {
        guard let (held, release) = try? await holdWriter(of: store) else { return [] }
        // `Task.immediate` returns as soon as the write waits for the writing connection.
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

/// An observer that counts commits and can make some of them fail.
private final class Commits: TransactionObserver, Sendable {
    private let state = Mutex((count: 0, error: DatabaseError?.none, failures: 0))
    /// A function that the observer calls right after each commit.
    let behind = Mutex<@Sendable () -> Void>({})

    private let endCount = Atomic(0)

    var count: Int { state.withLock { $0.count } }
    /// The number of calls of `end()`. In these tests, the store calls `end()` instead of ending the process.
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
