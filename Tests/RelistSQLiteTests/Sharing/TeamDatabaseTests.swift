import Dispatch
import GRDB
import Glibc
import Logging
import Synchronization
import TemporaryDatabase
import Testing

@testable import RelistSQLite
@testable import ScreenService

@Suite("A store in a team's database", .timeLimit(.minutes(1))) struct TeamDatabaseTests {
    private struct Refusal: Error {}

    private let receipt = ActionReceipt.some()

    private func plantCount(_ database: TeamsDatabase) async throws -> Int? {
        try await database.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM plant") }
    }

    private func perform(
        _ attempt: ActionAttempt, in database: TeamsDatabase, _ body: @escaping @Sendable () throws -> Void = {}
    ) async throws {
        try attempt.begin()
        try await ActionAttempt.$current.withValue(attempt) {
            try await database.store.write { transaction in
                try transaction.database.execute(sql: "INSERT INTO plant (name, height) VALUES ('Fern', 30)")
                try body()
            }
        }
    }

    @Test func aReceiptIsCommittedWithTheWriteOfItsAction() async throws {
        let database = try TeamsDatabase()
        let attempt = ActionAttempt(receipt, for: database.store.receipts, announcingTo: database.store.topics)
        try await perform(attempt, in: database)
        #expect(attempt.isCommitted && attempt.isReceiptStored)
        #expect(try await database.store.receipts.receipt(for: receipt.key) == receipt)
        #expect(try await plantCount(database) == 1)
        let again = ActionAttempt(receipt, for: database.store.receipts, announcingTo: database.store.topics)
        await #expect(throws: ReceiptTaken()) { try await perform(again, in: database) }
        #expect(try await plantCount(database) == 1)
        await database.store.close()
    }

    @Test func errorsInStatementsAreNotReportedAsDamage() async throws {
        let database = try TeamsDatabase()
        await #expect(throws: RecordValueError.wrongType(column: 0)) {
            try await database.store.read { transaction in
                try transaction.row(of: nil, "SELECT NULL") { try $0[0] as String }
            }
        }
        await #expect(throws: DatabaseError.self) {
            try await database.store.read { try $0.row(of: nil, "SELECT zeroblob(2000000000)") { _ in true } }
        }
        await database.store.close()
    }

    @Test func anActionPastItsDeadlineIsRolledBack() async throws {
        let database = try TeamsDatabase()
        let attempt = ActionAttempt(receipt, for: database.store.receipts, announcingTo: database.store.topics)
        await #expect(throws: DeadlineFault.notPerformed) {
            try await perform(attempt, in: database) { #expect(attempt.abandon()) }
        }
        #expect(try await plantCount(database) == 0)
        #expect(database.announcements.all == [])
        await database.store.close()
    }

    @Test(arguments: [(true, 1, 2), (true, 3, 3), (false, 0, 3), (false, 2, 3)])
    func writesAreDurableWhateverValueTheTeamSetsForThePragmaSynchronous(isPool: Bool, chosen: Int, needed: Int) async throws {
        let database = try TeamsDatabase(isPool: isPool)
        try await database.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = \(chosen)") }
        func synchronous() async throws -> Int? {
            try await database.pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
        }
        let during = try await database.store.write { try Int.fetchOne($0.database, sql: "PRAGMA synchronous") }
        #expect(during == needed)
        #expect(try await synchronous() == chosen)
        await #expect(throws: Refusal.self) { try await database.store.write { _ in throw Refusal() } }
        #expect(try await synchronous() == chosen)
        await database.store.close()
    }

    @Test func theTeamsMigratorIgnoresTheTablesOfTheService() async throws {
        let folder = try TemporaryFolder()
        for _ in 0..<2 {
            let pool = try DatabasePool(path: folder.database)
            try TeamsDatabase.migrator.migrate(pool)
            let store = try SQLiteServiceStore.open(in: pool, logger: Logger(label: "test"))
            let (steps, isOvertaken) = try await pool.read { database in
                (try TeamsDatabase.migrator.appliedIdentifiers(database), try TeamsDatabase.migrator.hasBeenSuperseded(database))
            }
            #expect(steps == ["plants"] && !isOvertaken)
            let tables = try await pool.read { database in
                try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
            }
            #expect(
                Set(tables) == [
                    "grdb_migrations", "plant", "leaf", "tool", "grdb_relist_migration", "grdb_relist_version", "grdb_relist_secret",
                    "grdb_relist_receipt",
                ]
            )
            await store.close()
            try pool.close()
        }
    }

    @Test func tablesOfTheServiceDoNotMakeTheTeamsMigratorEraseTheDatabase() throws {
        var migrator = TeamsDatabase.migrator
        migrator.eraseDatabaseOnSchemaChange = true
        let queue = try DatabaseQueue()
        try migrator.migrate(queue)
        try queue.write { try $0.execute(sql: "INSERT INTO plant (name, height) VALUES ('Fern', 30)") }
        _ = try SQLiteServiceStore.open(in: queue, logger: Logger(label: "test"))
        #expect(try !queue.read(migrator.hasSchemaChanges))
        try migrator.migrate(queue)
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM plant") } == 1)
    }

    @Test func aCommitRejectedByAnObserverHasAKnownOutcome() async throws {
        let database = try TeamsDatabase()
        database.pool.add(transactionObserver: FailingCommits(.SQLITE_CONSTRAINT), extent: .databaseLifetime)
        let attempt = ActionAttempt(receipt, for: database.store.receipts, announcingTo: database.store.topics)
        await #expect(throws: DatabaseError.self) { try await perform(attempt, in: database) }
        #expect(!attempt.isInDoubt && !attempt.isCommitted && !database.store.database.failure.hasBegun)
        await database.store.close()
    }

    /// An observer that makes each commit fail with an error.
    private final class FailingCommits: TransactionObserver {
        private let code: ResultCode

        init(_ code: ResultCode) {
            self.code = code
        }

        func observes(eventsOfKind kind: DatabaseEventKind) -> Bool { true }
        func databaseDidChange(with event: DatabaseEvent) {}
        func databaseWillCommit() throws { throw DatabaseError(resultCode: code) }
        func databaseDidCommit(_ database: Database) {}
        func databaseDidRollback(_ database: Database) {}
    }

    // The observer throws a disk error before the commit. So the commit fails as if the disk had failed.
    @Test func aDiskErrorDuringACommitEndsTheProcessAndLeavesTheOutcomeOfActionsUnknown() async throws {
        let queue = try DatabaseQueue()
        try TeamsDatabase.migrator.migrate(queue)
        let ends = Atomic(0)
        let shared = try TeamDatabase(queue, logger: Logger(label: "test")) { ends.add(1, ordering: .relaxed) }
        let store = SQLiteServiceStore(database: shared)
        queue.add(transactionObserver: FailingCommits(.SQLITE_IOERR), extent: .databaseLifetime)
        let attempt = ActionAttempt(receipt, for: store.receipts, announcingTo: store.topics)
        await #expect(throws: DataUnavailable.self) {
            try await store.write(for: attempt) { database, _ in
                try database.execute(sql: "INSERT INTO plant (name, height) VALUES ('Fern', 30)")
            }
        }
        #expect(attempt.isInDoubt)
        #expect(ends.load(ordering: .relaxed) == 1)
        await #expect(throws: DataUnavailable(reason: "the disk has failed")) { try await store.receipts.receipt(for: receipt.key) }
        await store.close()
    }

    private static let inserting = "INSERT INTO plant (name, height) VALUES ('Fern', 30)"

    /// Runs writes in one shared transaction, and returns their results. The writes share a transaction because all of them wait for an
    /// earlier write.
    private func runTogether(
        _ writes: [@Sendable (SQLiteTransaction) throws -> Void], in database: TeamsDatabase
    ) async throws -> [Result<Void, any Error>] {
        let (reached, isReached) = AsyncStream.makeStream(of: Void.self)
        let release = DispatchSemaphore(value: 0)
        let held = Task.immediate {
            try await database.store.write { _ in
                isReached.finish()
                release.wait()
            }
        }
        for await _ in reached {}
        let waiting = writes.map { write in Task.immediate { try await database.store.write(write) } }
        release.signal()
        try await held.value
        var results: [Result<Void, any Error>] = []
        for write in waiting { results.append(await write.result) }
        return results
    }

    @Test func concurrentWritesAreCommittedTogether() async throws {
        let database = try TeamsDatabase()
        let insert: @Sendable (SQLiteTransaction) throws -> Void = { try $0.database.execute(sql: Self.inserting) }
        let failing: @Sendable (SQLiteTransaction) throws -> Void = { transaction in
            try insert(transaction)
            throw Refusal()
        }
        let results = try await runTogether([insert, failing, insert], in: database)
        #expect(throws: Refusal.self) { try results[1].get() }
        try results[0].get()
        try results[2].get()
        #expect(try await plantCount(database) == 2)
        #expect(database.announcements.all.count == 1)
        await database.store.close()
    }

    @Test func aWriteRejectedByAnObserverDoesNotAffectTheOtherWritesOfItsGroup() async throws {
        let database = try TeamsDatabase()
        database.pool.add(transactionObserver: DeletionVeto(), extent: .databaseLifetime)
        let runs = Mutex(0)
        let write = { @Sendable (sql: String) in
            { @Sendable (transaction: SQLiteTransaction) throws in
                runs.withLock { $0 += 1 }
                try transaction.database.execute(sql: sql)
            }
        }
        let inserts = Array(repeating: write(Self.inserting), count: 5)
        let results = try await runTogether([inserts[0], write("DELETE FROM plant WHERE name = 'Fern'")] + inserts[1...], in: database)
        #expect(throws: Refusal.self) { try results[1].get() }
        for result in [results[0]] + results[2...] { try result.get() }
        #expect(try await plantCount(database) == 5)
        // Each of the six writes runs once in the shared transaction, and once more alone.
        #expect(runs.withLock { $0 } == 2 * 6)
        await database.store.close()
    }

    private final class DeletionVeto: TransactionObserver {
        private var hasDeleted = false

        func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
            if case .delete = kind { true } else { false }
        }
        func databaseDidChange(with event: DatabaseEvent) { hasDeleted = true }
        func databaseWillCommit() throws { if hasDeleted { throw Refusal() } }
        func databaseDidCommit(_ database: Database) { hasDeleted = false }
        func databaseDidRollback(_ database: Database) { hasDeleted = false }
    }

    @Test func recordsOfTheServiceAreFoundAfterTheTeamsDatabaseIsReopened() async throws {
        let folder = try TemporaryFolder()
        var secrets: [[UInt8]] = []
        for _ in 0..<2 {
            let queue = try DatabaseQueue(path: folder.database)
            let store = try SQLiteServiceStore.open(in: queue, logger: Logger(label: "test"))
            if secrets.isEmpty { try await store.history.write(HistoryBatch(saving: [.some(version: 1)])) }
            #expect(try await store.history.records(of: [HistoryRecord.some(version: 1).key]).count == 1)
            secrets.append(try await store.secret(byteCount: 16))
            await store.close()
            try queue.close()
        }
        #expect(secrets[0] == secrets[1])
    }

    @Test func aDatabaseWithTablesOfANewerProgramVersionIsRejectedAndNotChanged() throws {
        let queue = try DatabaseQueue()
        _ = try SQLiteServiceStore.open(in: queue, logger: Logger(label: "test"))
        try queue.write { try $0.execute(sql: "INSERT INTO grdb_relist_migration VALUES ('later')") }
        #expect(throws: DatabaseFileError.newerSchema(path: queue.path, unknownSteps: ["later"])) {
            try SQLiteServiceStore.open(in: queue, logger: Logger(label: "test"))
        }
    }

    @Test func aNameCollisionWithATableOfTheTeamRollsBackTheMigration() throws {
        let queue = try DatabaseQueue()
        try queue.write { try $0.execute(sql: "CREATE TABLE grdb_relist_receipt (mine TEXT)") }
        #expect(throws: DatabaseError.self) { try SQLiteServiceStore.open(in: queue, logger: Logger(label: "test")) }
        let tables = try queue.read { try String.fetchAll($0, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'") }
        #expect(tables == ["grdb_relist_receipt"])
    }

    @Test func closingAStoreEndsAnnouncementsAndLeavesTheTeamsDatabaseOpen() async throws {
        let database = try TeamsDatabase()
        await database.store.close()
        await #expect(throws: SQLiteStoreError.closed) { try await database.store.read { _ in } }
        await #expect(throws: SQLiteStoreError.closed) { try await database.store.write { _ in } }
        try await database.pool.write { try $0.execute(sql: "INSERT INTO plant (name, height) VALUES ('Fern', 30)") }
        #expect(database.announcements.all == [])
    }

    @Test func aSecondStoreOfTheSameFileIsRejectedUntilTheFirstIsClosed() async throws {
        let folder = try TemporaryFolder()
        let (first, second) = (try DatabasePool(path: folder.database), try DatabaseQueue(path: folder.database))
        let store = try SQLiteServiceStore.open(in: first, logger: Logger(label: "test"))
        #expect(throws: DatabaseFileError.inUse(path: folder.database, process: getpid())) {
            try SQLiteServiceStore.open(in: second, logger: Logger(label: "test")) { _ in
                Issue.record("migrations ran while another store uses the database")
            }
        }
        await store.close()
        let reopened = try SQLiteServiceStore.open(in: second, logger: Logger(label: "test"))
        await reopened.close()
    }

    @Test func theTeamsMigrationsRunBeforeThoseOfTheService() async throws {
        let folder = try TemporaryFolder()
        let queue = try DatabaseQueue(path: folder.database)
        let store = try SQLiteServiceStore.open(in: queue, logger: Logger(label: "test")) { database in
            try database.write { database in
                #expect(try !database.tableExists("grdb_relist_migration"))
                try database.execute(sql: "CREATE TABLE dish (name TEXT)")
            }
        }
        #expect(try await store.read { try Int.fetchOne($0.database, sql: "SELECT count(*) FROM dish") } == 0)
        await store.close()
    }

    @Test func afterAMigrationThatThrowsTheStoreCanBeOpened() async throws {
        struct Failure: Error {}
        let folder = try TemporaryFolder()
        let queue = try DatabaseQueue(path: folder.database)
        #expect(throws: Failure.self) { try SQLiteServiceStore.open(in: queue, logger: Logger(label: "test")) { _ in throw Failure() } }
        let store = try SQLiteServiceStore.open(in: queue, logger: Logger(label: "test"))
        await store.close()
    }

    @Test func noMigrationOfTheTeamRunsIfANewerVersionHasChangedTheServicesTables() async throws {
        let folder = try TemporaryFolder()
        let queue = try DatabaseQueue(path: folder.database)
        await (try SQLiteServiceStore.open(in: queue, logger: Logger(label: "test"))).close()
        try await queue.write { try $0.execute(sql: "INSERT INTO grdb_relist_migration VALUES ('newer')") }
        #expect(throws: DatabaseFileError.newerSchema(path: folder.database, unknownSteps: ["newer"])) {
            try SQLiteServiceStore.open(in: queue, logger: Logger(label: "test")) { _ in Issue.record("a migration ran") }
        }
    }

    @Test func theServicesTablesOfAnAttachedDatabaseAreIgnored() async throws {
        let queue = try DatabaseQueue()
        try await queue.writeWithoutTransaction {
            try $0.execute(sql: "ATTACH ':memory:' AS aux; CREATE TABLE aux.grdb_relist_migration (name TEXT)")
            try $0.execute(sql: "INSERT INTO aux.grdb_relist_migration VALUES ('newer')")
        }
        await (try SQLiteServiceStore.open(in: queue, logger: Logger(label: "test"))).close()
    }

    @Test func aCancelledReadThrowsCancellationError() async throws {
        let database = try TeamsDatabase()
        let (reached, isReached) = AsyncStream.makeStream(of: Void.self)
        let release = DispatchSemaphore(value: 0)
        let reading = Task.immediate {
            try await database.store.read { transaction in
                isReached.finish()
                release.wait()
                _ = try Row.fetchAll(transaction.database, sql: "SELECT * FROM plant")
            }
        }
        for await _ in reached {}
        reading.cancel()
        release.signal()
        await #expect(throws: CancellationError.self) { try await reading.value }
        await database.store.close()
    }

    @Test func aWriteToABusyDatabaseIsReportedAsUnavailable() async throws {
        let folder = try TemporaryFolder()
        let pool = try DatabasePool(path: folder.database)
        let store = try SQLiteServiceStore.open(in: pool, logger: Logger(label: "test"))
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: folder.database, configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        await #expect(throws: DataUnavailable(reason: "the database is busy")) { try await store.write { _ in } }
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try await store.write { _ in }
        await store.close()
    }
}
