import Foundation
import GRDB
import Glibc
import Logging
import ScreenService
import TemporaryDatabase
import Testing

@testable import RelistSQLite

@Suite("Checking a database file") struct FileCheckTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func check(_ migrations: [SQLiteMigration] = [.notes]) -> [CheckFinding] {
        SQLiteServiceStore.check(path: folder.database, migrations: migrations, logger: Logger(label: "test")).findings
    }

    private func finding(_ subject: String) throws -> CheckFinding {
        try #require(check().first { $0.subject == subject })
    }

    /// Creates the database, and closes it.
    private func create(_ migrations: [SQLiteMigration] = [.notes]) async throws {
        let schema = Schema(adding: migrations)
        await (try OwnFile(path: folder.database, schema: schema, logger: Logger(label: "test"))).close()
    }

    /// Returns the contents of all files in the folder.
    private func contents() throws -> [String: Data] {
        try folder.files.reduce(into: [:]) { $0[$1] = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\($1)")) }
    }

    @Test func aSoundDatabaseHasNoWarningAndIsNotChanged() async throws {
        try await create()
        let before = try contents()
        let findings = check()
        #expect(findings.map(\.subject) == ["database", "use", "schema", "content", "durability", "disk space"])
        #expect(findings.allSatisfy { $0.severity == .ok }, "\(findings)")
        #expect(try contents() == before)
    }

    @Test func aMissingDatabaseIsNotCreated() throws {
        #expect(check().map(\.subject) == ["database", "disk space"])
        #expect(try folder.files == [])
    }

    @Test func anEmptyFileStaysEmpty() throws {
        try Data().write(to: URL(fileURLWithPath: folder.database))
        #expect(try finding("schema").severity == .ok)
        #expect(try contents() == ["test.sqlite": Data()])
    }

    @Test func theLogAndItsIndexAreReadAndNotChanged() async throws {
        let (store, copy) = (try folder.open(), try TemporaryFolder())
        try await store.write { try $0.note("milk") }
        for suffix in ["", "-wal", "-shm"] {
            try FileManager.default.copyItem(atPath: folder.database + suffix, toPath: copy.database + suffix)
        }
        let before = try Data(contentsOf: URL(fileURLWithPath: copy.database + "-shm"))
        let findings = SQLiteServiceStore.check(path: copy.database, migrations: [.notes], logger: Logger(label: "test")).findings
        #expect(findings.allSatisfy { $0.severity == .ok }, "\(findings)")
        #expect(try copy.files == ["test.sqlite", "test.sqlite-shm", "test.sqlite-wal"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy.database + "-shm")) == before)
        await store.close()
    }

    @Test func aLogWithoutItsIndexIsReportedAndNoIndexIsCreated() async throws {
        try await create()
        try Data(count: 1).write(to: URL(fileURLWithPath: folder.database + "-wal"))
        #expect(try finding("content").severity == .warning)
        #expect(!folder.exists("-shm"))
    }

    @Test func anOpenDatabaseIsCheckedAndReportedAsInUse() async throws {
        let store = try folder.open()
        let findings = check()
        #expect(
            findings.first { $0.severity == .warning }
                == .warning("use", "process \(getpid()) has the database open. Stop it before the new server starts."))
        #expect(findings.contains { $0.subject == "content" && $0.severity == .ok })
        // The store still holds its locks.
        try await store.write { try $0.note("milk") }
        #expect(throws: DatabaseFileError.self) { _ = try folder.open() }
        await store.close()
    }

    @Test func migrationsThatAreDueAreNamedAndNotRun() async throws {
        try await create([])
        let schema = try finding("schema")
        #expect(schema.severity == .warning && schema.text.contains("at its start: notes."), "\(schema)")
        #expect(check([]).allSatisfy { $0.severity == .ok })
    }

    @Test func aNewerSchemaIsReportedAsTheErrorOfAStart() async throws {
        try await create([.notes, SQLiteMigration("of a later year", "CREATE TABLE later (x INTEGER)")])
        let error = DatabaseFileError.newerSchema(path: folder.database, unknownSteps: ["of a later year"])
        #expect(check().contains(.error("database", error.description)))
    }

    @Test func aDatabaseOfAnotherProgramIsReportedAndNotChanged() async throws {
        try await create()
        try folder.overwrite(at: 68, with: [1, 2, 3, 4])
        let before = try contents()
        #expect(check().contains(.error("database", DatabaseFileError.otherProgram(path: folder.database).description)))
        #expect(try contents() == before)
    }

    @Test func aDamagedPageIsReported() async throws {
        try await create()
        // The content of the second page, which is the first page of a table.
        try folder.overwrite(at: 4096, with: [UInt8](repeating: 255, count: 64))
        #expect(check().contains { $0.severity == .error && $0.text.contains("is damaged") }, "\(check())")
    }

    @Test func anotherJournalModeIsReported() async throws {
        try await create()
        let queue = try DatabaseQueue(path: folder.database)
        try await queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
        try queue.close()
        #expect(try finding("durability").severity == .warning)
    }

    @Test(arguments: ["", "-wal", "folder"]) func filesWithoutPermissionAreReported(_ name: String) async throws {
        let store = try folder.open()
        let path = name == "folder" ? folder.path : folder.database + name
        chmod(path, 0o555)
        let findings = Self.runningAsOtherUser { check() }
        chmod(path, 0o755)
        #expect(findings == [.error("database", DatabaseFileError.noPermission(path: folder.database).description)])
        await store.close()
    }

    /// Runs `body` as another user on this thread, if the user is root, who may read and write every file. Swift cannot import `setfsuid`.
    private static func runningAsOtherUser<Value>(_ body: () -> Value) -> Value {
        typealias Function = @convention(c) (UInt32) -> Int32
        guard geteuid() == 0, let symbol = dlsym(nil, "setfsuid") else { return body() }
        let setUser = unsafeBitCast(symbol, to: Function.self)
        _ = setUser(65534)
        defer { _ = setUser(0) }
        return body()
    }

    @Test func aMissingFolderIsReported() throws {
        let path = folder.path + "/missing/test.sqlite"
        let findings = SQLiteServiceStore.check(path: path, logger: Logger(label: "test")).findings
        #expect(findings == [.error("database", DatabaseFileError.noFolder(path: path).description)])
    }

    @Test(arguments: [
        (0, 0, CheckFinding.Severity.error), (60_000, 0, .error), (900_000_000, 0, .warning), (1_000_000_000, 0, .ok),
        (1_900_000_000, 1_000_000_000, .warning), (2_000_000_000, 1_000_000_000, .ok),
    ])
    func freeSpaceIsComparedWithTheSizeOfTheDatabase(bytes: Int, size: Int, severity: CheckFinding.Severity) {
        #expect(FreeSpace(bytes: bytes).finding(forDatabaseOf: size).severity == severity)
    }

    @Test func migrationsThatFailOnAnEmptyDatabaseAreReported() {
        #expect(check([SQLiteMigration("bad", "CREATE TABLE bad (")]).contains { $0.subject == "migrations" && $0.severity == .error })
    }

    @Test func theStoreOfACheckHasTheTablesAndIsNotTheFile() async throws {
        let check = SQLiteServiceStore.check(path: folder.database, migrations: [.notes], logger: Logger(label: "test"))
        let store = try #require(check.store)
        try await store.write { try $0.note("milk") }
        #expect(try await store.read { try $0.isNoted("milk") })
        #expect(try folder.files == [])
        await store.close()
    }
}
