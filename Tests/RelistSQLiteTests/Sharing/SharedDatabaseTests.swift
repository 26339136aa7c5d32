import Dispatch
import GRDB
import Logging
@testable import ScreenService
@testable import RelistSQLite
import Synchronization
import TemporaryDatabase
import Testing

@Suite("A store in a database of a team's", .timeLimit(.minutes(1))) struct SharedDatabaseTests {
    private struct Refusal: Error {}

    private let receipt = ActionReceipt(
        key: .init(user: "u", screen: "s", action: "a", text: "k"), request: Version(high: 1, low: 1), performedAt: 1000
    )

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

    @Test func aReceiptCommitsWithTheTeamsOwnDeed() async throws {
        let database = try TeamsDatabase()
        let attempt = ActionAttempt(receipt, for: database.store.receipts, announcingTo: database.store.topics)
        try await perform(attempt, in: database)
        #expect(attempt.isCommitted && attempt.isReceiptKept)
        #expect(try await database.store.receipts.receipt(for: receipt.key) == receipt)
        #expect(try await plantCount(database) == 1)
        let again = ActionAttempt(receipt, for: database.store.receipts, announcingTo: database.store.topics)
        await #expect(throws: ReceiptTaken()) { try await perform(again, in: database) }
        #expect(try await plantCount(database) == 1)
        await database.store.close()
    }

    @Test func aMistakeOfTheTeamIsNoDamage() async throws {
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

    @Test func aDeedThatFailsKeepsNeitherItselfNorItsReceipt() async throws {
        let database = try TeamsDatabase()
        let attempt = ActionAttempt(receipt, for: database.store.receipts, announcingTo: database.store.topics)
        await #expect(throws: Refusal.self) { try await perform(attempt, in: database) { throw Refusal() } }
        let kept = try await database.store.receipts.receipt(for: receipt.key)
        #expect(kept == nil)
        #expect(try await plantCount(database) == 0)
        await database.store.close()
    }

    @Test func aDeedThatIsGivenUpIsRolledBack() async throws {
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
    func aDeedOutlivesALossOfPowerWhateverTheTeamHasChosen(isPool: Bool, chosen: Int, needed: Int) async throws {
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

    @Test func theTeamsMigratorKnowsNothingOfTheServicesTables() async throws {
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
                    "grdb_migrations", "plant", "leaf", "tool", "grdb_relist_migration", "grdb_relist_version", "grdb_relist_secret", "grdb_relist_receipt",
                ]
            )
            await store.close()
            try pool.close()
        }
    }

    @Test func aTeamThatErasesItsDatabaseWhenItsSchemaChangesKeepsIt() throws {
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

    @Test func aCommitThatIsVetoedLeavesNoDoubt() async throws {
        let database = try TeamsDatabase()
        let veto = Refusing(.SQLITE_CONSTRAINT)
        database.pool.add(transactionObserver: veto)
        let attempt = ActionAttempt(receipt, for: database.store.receipts, announcingTo: database.store.topics)
        await #expect(throws: DatabaseError.self) { try await perform(attempt, in: database) }
        #expect(!attempt.isInDoubt && !attempt.isCommitted && !database.store.database.failure.hasBegun)
        await database.store.close()
    }

    /// Refuses each commit with an error.
    private final class Refusing: TransactionObserver {
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

    // An observer stands for the disk here: the error comes from the commit all the same.
    @Test func aCommitThatTheDiskRefusesIsInDoubtAndEndsTheProcess() async throws {
        let queue = try DatabaseQueue()
        try TeamsDatabase.migrator.migrate(queue)
        let ends = Atomic(0)
        let shared = try SharedDatabase(queue, logger: Logger(label: "test")) { ends.add(1, ordering: .relaxed) }
        let store = SQLiteServiceStore(database: shared)
        queue.add(transactionObserver: Refusing(.SQLITE_IOERR), extent: .databaseLifetime)
        let attempt = ActionAttempt(receipt, for: store.receipts, announcingTo: store.topics)
        await #expect(throws: DataUnavailable.self) {
            try await store.write(for: attempt) { database, _ in try database.execute(sql: "INSERT INTO plant (name, height) VALUES ('Fern', 30)") }
        }
        #expect(attempt.isInDoubt)
        #expect(ends.load(ordering: .relaxed) == 1)
        await #expect(throws: DataUnavailable(reason: "the disk has failed")) { try await store.receipts.receipt(for: receipt.key) }
        await store.close()
    }

    @Test func writesThatWaitForEachOtherAreCommittedTogether() async throws {
        let database = try TeamsDatabase()
        let (reached, isReached) = AsyncStream.makeStream(of: Void.self)
        let release = DispatchSemaphore(value: 0)
        let held = Task.immediate {
            try await database.store.write { _ in
                isReached.finish()
                release.wait()
            }
        }
        for await _ in reached {}
        let insert = "INSERT INTO plant (name, height) VALUES ('Fern', 30)"
        let writes = [nil, Refusal(), nil].map { refusal in
            Task.immediate {
                try await database.store.write { transaction in
                    try transaction.database.execute(sql: insert)
                    if let refusal { throw refusal }
                }
            }
        }
        release.signal()
        try await held.value
        try await writes[0].value
        await #expect(throws: Refusal.self) { try await writes[1].value }
        try await writes[2].value
        #expect(try await plantCount(database) == 2)
        #expect(database.announcements.all.count == 1)
        await database.store.close()
    }

    @Test func aWriteThatAnObserverVetoesLeavesThoseThatWaitWithIt() async throws {
        let database = try TeamsDatabase()
        database.pool.add(transactionObserver: KeepingPlants(), extent: .databaseLifetime)
        let (reached, isReached) = AsyncStream.makeStream(of: Void.self)
        let release = DispatchSemaphore(value: 0)
        let held = Task.immediate {
            try await database.store.write { _ in
                isReached.finish()
                release.wait()
            }
        }
        for await _ in reached {}
        let insert = "INSERT INTO plant (name, height) VALUES ('Fern', 30)"
        let writes = [insert, "DELETE FROM plant WHERE name = 'Fern'", insert].map { sql in
            Task.immediate { try await database.store.write { try $0.database.execute(sql: sql) } }
        }
        release.signal()
        try await held.value
        try await writes[0].value
        await #expect(throws: Refusal.self) { try await writes[1].value }
        try await writes[2].value
        #expect(try await plantCount(database) == 2)
        await database.store.close()
    }

    private final class KeepingPlants: TransactionObserver {
        private var isMissingOne = false

        func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
            if case .delete = kind { true } else { false }
        }
        func databaseDidChange(with event: DatabaseEvent) { isMissingOne = true }
        func databaseWillCommit() throws { if isMissingOne { throw Refusal() } }
        func databaseDidCommit(_ database: Database) { isMissingOne = false }
        func databaseDidRollback(_ database: Database) { isMissingOne = false }
    }

    @Test func whatTheServiceKeepsIsThereAgainAfterReopening() async throws {
        let folder = try TemporaryFolder()
        var secrets: [[UInt8]] = []
        for _ in 0..<2 {
            let queue = try DatabaseQueue(path: folder.database)
            let store = try SQLiteServiceStore.open(in: queue, logger: Logger(label: "test"))
            if secrets.isEmpty { try await store.history.write(.saving(.some(version: 1))) }
            #expect(try await store.history.records(of: [HistoryRecord.some(version: 1).key]).count == 1)
            secrets.append(try await store.secret(byteCount: 16))
            await store.close()
            try queue.close()
        }
        #expect(secrets[0] == secrets[1])
    }

    @Test func tablesOfANewerVersionAreRefusedAndLeftAsTheyAre() throws {
        let queue = try DatabaseQueue()
        _ = try SQLiteServiceStore.open(in: queue, logger: Logger(label: "test"))
        try queue.write { try $0.execute(sql: "INSERT INTO grdb_relist_migration VALUES ('later')") }
        #expect(throws: DatabaseFileError.newerSchema(path: queue.path, unknownSteps: ["later"])) {
            try SQLiteServiceStore.open(in: queue, logger: Logger(label: "test"))
        }
    }

    @Test func aTableThatIsInTheWayLeavesNothingHalfDone() throws {
        let queue = try DatabaseQueue()
        try queue.write { try $0.execute(sql: "CREATE TABLE grdb_relist_receipt (mine TEXT)") }
        #expect(throws: DatabaseError.self) { try SQLiteServiceStore.open(in: queue, logger: Logger(label: "test")) }
        let tables = try queue.read { try String.fetchAll($0, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'") }
        #expect(tables == ["grdb_relist_receipt"])
    }

    @Test func closingLeavesTheDatabaseOpenAndSilent() async throws {
        let database = try TeamsDatabase()
        await database.store.close()
        await #expect(throws: SQLiteStoreError.closed) { try await database.store.read { _ in } }
        await #expect(throws: SQLiteStoreError.closed) { try await database.store.write { _ in } }
        try await database.pool.write { try $0.execute(sql: "INSERT INTO plant (name, height) VALUES ('Fern', 30)") }
        #expect(database.announcements.all == [])
    }

    @Test func aReadThatIsCancelledSaysSo() async throws {
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

    @Test func aDatabaseThatIsBusyIsOutOfReachForNow() async throws {
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
