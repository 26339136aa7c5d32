import Foundation
import Glibc
import Logging
import ScreenService
import TemporaryDatabase
import Testing

@testable import RelistSQLite

@Suite("Opening") struct OpeningTests {
    private let logger = Logger(label: "test")

    @Test func theErrorForADatabaseInUseNamesTheProcessThatUsesIt() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        #expect(throws: DatabaseFileError.inUse(path: folder.database, process: getpid())) { _ = try folder.open() }
        await store.close()
    }

    @Test func aSymbolicLinkToAnOpenDatabaseCannotBeOpened() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        let link = folder.path + "/link.sqlite"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.database)
        #expect(throws: DatabaseFileError.inUse(path: folder.database, process: getpid())) {
            try OwnFile(path: link, schema: Schema(adding: [.notes]), logger: logger)
        }
        await store.close()
    }

    @Test func aHardLinkToAnOpenDatabaseCannotBeOpenedAndTheLocksRemain() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        let link = folder.path + "/link.sqlite"
        try FileManager.default.linkItem(atPath: folder.database, toPath: link)
        let locks = try Self.locks(on: folder.database)
        #expect(locks.contains { $0.contains("POSIX") })
        #expect(throws: DatabaseFileError.inUse(path: link, process: getpid())) {
            try OwnFile(path: link, schema: Schema(adding: [.notes]), logger: logger)
        }
        #expect(try Self.locks(on: folder.database) == locks)
        await store.close()
        let file = try OwnFile(path: link, schema: Schema(adding: [.notes]), logger: logger)
        await file.close()
    }

    /// Another process may have opened the database under another name, which has its own lock file. Then only the lock on the database
    /// file shows that the database is in use.
    @Test func aDatabaseLockedByAnotherProcessCannotBeOpened() async throws {
        let folder = try TemporaryFolder()
        await (try folder.open()).close()
        let descriptor = Glibc.open(folder.database, O_RDWR)
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        #expect(throws: DatabaseFileError.inUse(path: folder.database, process: nil)) { try folder.open() }
        close(descriptor)
        await (try folder.open()).close()
    }

    /// Another process may have opened the database before its file was replaced. The new file is not locked, so only the lock on the lock
    /// file shows that another process uses this name.
    @Test func aDatabaseWhoseLockFileIsLockedByAnotherProcessCannotBeOpened() async throws {
        let folder = try TemporaryFolder()
        try Data("4242\n".utf8).write(to: URL(fileURLWithPath: folder.database + ".lock"))
        let descriptor = Glibc.open(folder.database + ".lock", O_RDWR)
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        #expect(throws: DatabaseFileError.inUse(path: folder.database, process: 4242)) { try folder.open() }
        close(descriptor)
        await (try folder.open()).close()
    }

    @Test func anOpenDatabaseThatWasMovedCannotBeOpenedUnderItsNewName() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        try folder.hide("")
        #expect(throws: DatabaseFileError.inUse(path: folder.path + "/hidden", process: getpid())) {
            try OwnFile(path: folder.path + "/hidden", schema: Schema(adding: [.notes]), logger: logger)
        }
        await store.close()
    }

    /// Returns the system's list of the locks on a file, without the line numbers.
    private static func locks(on path: String) throws -> [Substring] {
        let inode = try #require(FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int)
        return try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n")
            .filter { $0.contains(":\(inode) ") }
            .map { $0.drop { $0 != " " } }
    }

    @Test func aFileThatIsNotADatabaseIsRejectedAndNotChanged() throws {
        let folder = try TemporaryFolder()
        let text = Data(String(repeating: "This is a letter, not a database. ", count: 100).utf8)
        try text.write(to: URL(fileURLWithPath: folder.database))
        #expect(throws: DatabaseFileError.notADatabase(path: folder.database)) { _ = try folder.open() }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.database)) == text)
        #expect(try folder.files == ["test.sqlite"])
    }

    @Test func aDatabaseOfAnotherProgramIsRejectedAndItsLockFileRemains() async throws {
        let folder = try TemporaryFolder()
        await (try folder.open()).close()
        #expect(folder.exists(".lock"))
        // The application id is at byte 68 of the file (sqlite.org/fileformat.html).
        try folder.overwrite(at: 68, with: [1, 2, 3, 4])
        #expect(throws: DatabaseFileError.otherProgram(path: folder.database)) { _ = try folder.open() }
        #expect(folder.exists(".lock"))
    }

    @Test func aDatabaseOfANewerProgramVersionIsRejected() async throws {
        let folder = try TemporaryFolder()
        let schema = Schema(adding: [.notes, SQLiteMigration("of a later year", "CREATE TABLE later (x INTEGER)")])
        let file = try OwnFile(path: folder.database, schema: schema, logger: logger)
        await file.close()
        #expect(throws: DatabaseFileError.newerSchema(path: folder.database, unknownSteps: ["of a later year"])) {
            _ = try folder.open()
        }
    }

    @Test func anOlderProgramVersionStartsAfterAnAdditiveMigration() async throws {
        let folder = try TemporaryFolder()
        let later = SQLiteMigration("of a later year", isAdditive: true, "CREATE TABLE later (x INTEGER)")
        let file = try OwnFile(path: folder.database, schema: Schema(adding: [.notes, later]), logger: logger)
        await file.close()
        await (try folder.open()).close()
        // The newer version does not run the migration again.
        let again = try OwnFile(path: folder.database, schema: Schema(adding: [.notes, later]), logger: logger)
        await again.close()
    }

    @Test func aDamagedDatabaseIsRejected() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.open()
        await store.close()
        // The b-tree of the schema begins at byte 100 of the file.
        try folder.overwrite(at: 100, with: [255, 255, 255, 255, 255, 255, 255, 255])
        #expect(throws: DatabaseFileError.damaged(path: folder.database)) { _ = try folder.open() }
    }

    @Test func theErrorForAMissingFolderNamesTheFolder() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/missing/test.sqlite"
        #expect(throws: DatabaseFileError.noFolder(path: path)) {
            try OwnFile(path: path, schema: Schema(adding: [.notes]), logger: logger)
        }
    }

    @Test(arguments: ["", "/"])
    func aFolderCannotBeOpenedAsADatabase(suffix: String) throws {
        let folder = try TemporaryFolder()
        #expect(throws: DatabaseFileError.isFolder(path: folder.path)) {
            try OwnFile(path: folder.path + suffix, schema: Schema(adding: [.notes]), logger: logger)
        }
    }

    @Test func aNamedPipeIsNotOpenedAsADatabase() throws {
        let folder = try TemporaryFolder()
        #expect(mkfifo(folder.database, 0o600) == 0)
        #expect(throws: DatabaseFileError.notADatabase(path: folder.database)) { _ = try folder.open() }
    }

    @Test func eachErrorHasItsOwnMessageWithThePath() {
        let causes: [DatabaseFileError] = [
            .noFolder(path: "/x"), .isFolder(path: "/x"), .noPermission(path: "/x"),
            .inUse(path: "/x", process: 7), .inUse(path: "/x", process: nil), .moved(path: "/x"),
            .notADatabase(path: "/x"), .otherProgram(path: "/x"), .newerSchema(path: "/x", unknownSteps: ["a", "b"]), .damaged(path: "/x"),
            .diskFull(path: "/x"), .system(path: "/x", errno: 5), .sqlite(path: "/x", code: 1),
        ]
        let messages = Set(causes.map(\.description))
        #expect(messages.count == causes.count)
        #expect(messages.allSatisfy { $0.contains("/x") })
    }
}
