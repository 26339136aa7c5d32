import Foundation
import GRDB
import LogLines
import Logging
import ScreenService
import Synchronization
import TemporaryDatabase
import Testing

@testable import RelistSQLite

@Suite("A database whose files are moved or truncated") struct FilesGoneTests {
    private static let gone = DataUnavailable(reason: "the database was moved, replaced or deleted")

    @Test(arguments: ["", "-wal"], [false, true])
    func aDatabaseIsUnavailableWhileOneOfItsFilesIsMovedAway(_ suffix: String, isReplaced: Bool) async throws {
        let folder = try TemporaryFolder()
        let announcements = Announcements()
        let lines = LogLines()
        let store = try folder.open(announcements, logger: lines.logger)
        try await store.write { try $0.note("before") }
        // This read opens a connection, which keeps the files of the database open.
        #expect(try await store.read { try $0.noteCount() } == 1)
        try folder.hide(suffix)
        if isReplaced { try Data().write(to: URL(fileURLWithPath: folder.database + suffix)) }

        for _ in 0..<2 {
            await #expect(throws: Self.gone) { try await store.read { try $0.noteCount() } }
            await #expect(throws: Self.gone) { try await store.write { try $0.note("meanwhile") } }
            await #expect(throws: Self.gone) { try await store.history.write(HistoryBatch(saving: [.some(version: 1)])) }
            await #expect(throws: Self.gone) { try await store.history.records(of: [HistoryRecord.some(version: 1).key]) }
            await #expect(throws: Self.gone) { try await store.checkReadable() }
            await #expect(throws: Self.gone) { try await store.secret(byteCount: 192) }
        }
        #expect(announcements.commits == [["note/before"]])
        #expect(lines.messages == ["error: a file of the database was moved, replaced or deleted"])

        try folder.bringBack(suffix)
        #expect(try await store.read { try $0.isNoted("meanwhile") } == false)
        try await store.write { try $0.note("after") }
        #expect(lines.messages.dropFirst() == ["notice: the files of the database are back"])
        await store.close()
        let reopened = try folder.open()
        #expect(
            try await reopened.read { store in
                try ["before", "after"].map { try store.isNoted($0) }
            } == [true, true])
        await reopened.close()
    }

    @Test func aReadNeverReturnsDataOfAFileThatReplacedTheDatabase() async throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        let otherStore = try other.open()
        try await otherStore.write { try $0.note("other") }
        await otherStore.close()
        let store = try folder.open()
        try folder.hide("")
        try FileManager.default.copyItem(atPath: other.database, toPath: folder.database)
        await #expect(throws: Self.gone) { try await store.read { try $0.noteCount() } }
        try folder.bringBack("")
        #expect(try await store.read { try $0.noteCount() } == 0)
        await store.close()
    }

    /// SQLite reports no error as long as all pages that it reads are in its cache or in the log.
    @Test(arguments: [false, true]) func anEmptiedDatabaseIsUnavailable(withItsLog: Bool) async throws {
        let folder = try TemporaryFolder()
        let lines = LogLines()
        let store = try folder.open(logger: lines.logger)
        try await store.write { try $0.note("before") }
        #expect(try await store.read { try $0.noteCount() } == 1)
        folder.cut("", to: 0)
        if withItsLog { folder.cut("-wal", to: 0) }
        let emptied = DataUnavailable(reason: "the database was emptied")
        for _ in 0..<2 {
            await #expect(throws: emptied) { try await store.read { try $0.noteCount() } }
            await #expect(throws: emptied) { try await store.write { try $0.note("meanwhile") } }
            await #expect(throws: emptied) { try await store.checkReadable() }
        }
        #expect(lines.messages == ["error: a file of the database was emptied"])
        await store.close()
    }

    @Test(arguments: [100, 4096]) func aTruncatedDatabaseIsUnavailable(size: Int) async throws {
        let folder = try TemporaryFolder()
        await (try folder.open()).close()
        let store = try folder.open()
        folder.cut("-wal", to: 0)
        folder.cut("", to: size)
        await #expect(throws: DataUnavailable.self) { try await store.read { try $0.noteCount() } }
        await #expect(throws: DataUnavailable.self) { try await store.write { try $0.note("meanwhile") } }
        await store.close()
    }

    @Test func anOverwrittenDatabaseIsUnavailable() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        try await store.write { try $0.note("before") }
        folder.cut("-wal", to: 0)
        try folder.overwrite(at: 0, with: [UInt8](repeating: 255, count: 8192))
        await #expect(throws: DataUnavailable.self) { try await store.read { try $0.noteCount() } }
        await store.close()
    }

    /// If the store did not check the log, SQLite would append commits to the truncated log, and would not find them after a restart.
    @Test(arguments: [0, 32, 5000]) func writesFailAfterTheLogIsTruncated(size: Int) async throws {
        let folder = try TemporaryFolder()
        let lines = LogLines()
        let store = try folder.open(logger: lines.logger)
        try await store.write { try $0.note("before") }
        folder.cut("-wal", to: size)
        let cut = DataUnavailable(reason: "the database was cut short")
        for _ in 0..<2 {
            await #expect(throws: cut) { try await store.write { try $0.note("meanwhile") } }
            await #expect(throws: cut) { try await store.history.write(HistoryBatch(saving: [.some(version: 1)])) }
            await #expect(throws: cut) { try await store.checkReadable() }
        }
        #expect(lines.messages == ["error: a file of the database was cut short"])
        await store.close()
        try await expectIntact(folder)
    }

    /// An observer that truncates the log once, after the last check of the log and before the commit.
    private final class CutBeforeCommit: TransactionObserver, Sendable {
        let folder: TemporaryFolder
        let size: Int
        private let isDone = Atomic(false)

        init(_ folder: TemporaryFolder, to size: Int) {
            (self.folder, self.size) = (folder, size)
        }

        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
        func databaseDidChange(with event: DatabaseEvent) {}
        func databaseWillCommit() {
            if !isDone.exchange(true, ordering: .relaxed) { folder.cut("-wal", to: size) }
        }
        func databaseDidCommit(_ database: Database) {}
        func databaseDidRollback(_ database: Database) {}
    }

    /// SQLite writes the commit at the place where the log ended before it was truncated. The log then has the expected length, but a part
    /// of its content is missing.
    @Test(arguments: [0, 32, 5000]) func aWriteFailsIfTheLogIsTruncatedDuringItsCommit(size: Int) async throws {
        let folder = try TemporaryFolder()
        let first = try folder.open()
        try await first.write { try $0.note("first") }
        await first.close()
        let lines = LogLines()
        let store = try folder.open(logger: lines.logger)
        for note in ["a", "b", "c"] { try await store.write { try $0.note(note) } }
        let cutting = CutBeforeCommit(folder, to: size)
        store.file.pool.add(transactionObserver: cutting, extent: .databaseLifetime)
        let cut = DataUnavailable(reason: "the database was cut short")
        for _ in 0..<2 {
            await #expect(throws: cut) { try await store.write { try $0.note("meanwhile") } }
            await #expect(throws: cut) { try await store.checkReadable() }
        }
        #expect(lines.messages == ["error: a file of the database was cut short"])
        await store.close()
        try await expectIntact(folder, with: "first")
    }

    /// A large write makes the log longer even before its commit.
    @Test func aLargeWriteFailsIfTheLogIsTruncatedDuringTheWrite() async throws {
        let folder = try TemporaryFolder()
        let open = { try SQLiteServiceStore.open(path: folder.database, migrations: [.notes, Self.blobs], logger: Logger(label: "test")) }
        let first = try open()
        try await first.write { try $0.note("first") }
        await first.close()
        let store = try open()
        try await store.write { try $0.note("second") }
        let cut = DataUnavailable(reason: "the database was cut short")
        await #expect(throws: cut) {
            try await store.write { transaction in
                try transaction.write(Self.inserting)
                folder.cut("-wal", to: 0)
                try transaction.write(Self.inserting)
            }
        }
        await #expect(throws: cut) { try await store.checkReadable() }
        await store.close()
        try await expectIntact(folder, with: "first")
    }

    /// A large write makes the log longer even if the write fails.
    @Test func aLogTruncatedBeforeAFailedWriteIsNotCopiedIntoTheDatabase() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteServiceStore.open(path: folder.database, migrations: [.notes, Self.blobs], logger: Logger(label: "test"))
        // Until this read ends, SQLite does not copy the two following writes from the log into the database.
        let reader = try ForeignReader(of: folder.database)
        try reader.begin()
        for _ in 0..<2 { try await store.write { _ = try $0.write(Self.inserting) } }
        try reader.end()
        folder.cut("-wal", to: FilePath.size(of: folder.database + "-wal") / 2)
        // The write fails because it reads damaged pages, or because the store notices after the commit that a part of the log is missing.
        await #expect(throws: DataUnavailable.self) { try await store.write { _ = try $0.write(Self.inserting) } }
        await #expect(throws: DataUnavailable(reason: "the database was cut short")) { try await store.checkReadable() }
        await store.close()
        try await expectIntact(folder)
    }

    @Test func aTruncatedLogDoesNotRevertPagesThatWereCopiedIntoTheDatabase() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        for number in 0..<40 { try await store.write { try $0.note("\(number)") } }
        // Until this read ends, SQLite appends each write to the log, and does not overwrite the beginning of the log.
        let reader = try ForeignReader(of: folder.database)
        try reader.begin()
        try await store.file.pool.writeWithoutTransaction { _ = try $0.checkpoint(.passive) }
        try await store.write { try $0.note("in the log alone") }
        folder.cut("-wal", to: FilePath.size(of: folder.database + "-wal") / 2)
        await #expect(throws: DataUnavailable(reason: "the database was cut short")) { try await store.checkReadable() }
        try reader.end()
        await store.close()
        let reopened = try folder.open()
        #expect(try await reopened.read { try $0.noteCount() } == 40)
        await reopened.close()
        try await expectIntact(folder)
    }

    private static let blobs = SQLiteMigration("blobs", "CREATE TABLE blob (bytes BLOB NOT NULL) STRICT;")
    private static let inserting = """
        WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 1000)
        INSERT INTO blob SELECT zeroblob(3000) FROM number
        """

    private func expectIntact(_ folder: TemporaryFolder, with note: String? = nil) async throws {
        let database = try DatabaseQueue(path: folder.database)
        let fault = try await database.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
        #expect(fault == "ok")
        if let note {
            let sql = "SELECT 1 FROM note WHERE text = ?"
            #expect(try await database.read { try Bool.fetchOne($0, sql: sql, arguments: [note]) } == true)
        }
        try database.close()
    }

    @Test func aLogEmptiedByACheckpointOfAnotherProgramIsValid() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        try await store.write { try $0.note("before") }
        let other = try DatabaseQueue(path: folder.database)
        _ = try await other.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try other.close()
        #expect(FilePath.size(of: folder.database + "-wal") == 0)
        #expect(try await store.read { try $0.isNoted("before") })
        try await store.write { try $0.note("after") }
        await store.close()
    }

    @Test func anErrorInAStatementDoesNotMakeTheStoreUnavailable() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        await #expect(throws: DatabaseError.self) {
            try await store.read { try $0.row(of: nil, "SELECT 1 FROM nowhere") { _ in true } }
        }
        await store.close()
    }

    @Test func aWriteIsRolledBackIfTheFileIsMovedDuringTheWrite() async throws {
        let folder = try TemporaryFolder()
        let announcements = Announcements()
        let store = try folder.open(announcements)
        await #expect(throws: Self.gone) {
            try await store.write { store in
                try store.note("demo")
                try folder.hide("")
            }
        }
        #expect(announcements.commits == [])
        try folder.bringBack("")
        #expect(try await store.read { try $0.isNoted("demo") } == false)
        await store.close()
    }

    @Test func aWriteFailsIfTheFileIsMovedDuringItsCommit() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        _ = store.topics.observe { _ in
            try? folder.hide("")
            return nil
        }
        await #expect(throws: Self.gone) { try await store.write { try $0.note("demo") } }
        try folder.bringBack("")
        #expect(try await store.read { try $0.isNoted("demo") })
        await store.close()
    }
}
