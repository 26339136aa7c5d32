import Foundation
import TemporaryDatabase
import TemporaryPostgres
import Testing

@Suite("relist check") struct CheckingTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func check(_ flags: String..., environment: [String: String] = [:]) async throws -> Program.End {
        await (try Program.relist(["check"] + flags, environment: environment)).end()
    }

    @Test func eachFindingIsOneLineAndNothingIsCreated() async throws {
        let end = try await check("--database", folder.database)
        let lines = end.output.split(separator: "\n")
        #expect(end.status == 0 && end.errors == "", "\(end)")
        #expect(lines.allSatisfy { $0.wholeMatch(of: #/(ok     |warning|error  )  [a-z ]+: .+/#) != nil }, "\(end.output)")
        #expect(lines.last?.contains("screens: settings, deliveries, ") == true)
        #expect(try folder.files == [])
    }

    @Test func warningsAloneSucceed() async throws {
        let server = try await RunningServer(in: folder)
        let end = try await check("--database", folder.database)
        #expect(end.status == 0)
        #expect(end.output.contains("warning  use: process \(server.program.id) has the database open."), "\(end.output)")
        #expect(await server.stop(SIGTERM).status == 0)
    }

    @Test func anErrorFails() async throws {
        try Data(String(repeating: "This is not a database. ", count: 100).utf8).write(to: URL(fileURLWithPath: folder.database))
        let end = try await check("--database", folder.database, "--public", folder.path + "/missing", "--access-log", folder.path)
        #expect(end.status == 1)
        #expect(end.output.contains("error    access log: \(folder.path) cannot be written."), "\(end.output)")
        #expect(end.output.contains("\nerror    public folder: ") || end.output.hasPrefix("error    public folder: "), "\(end.output)")
        #expect(end.output.contains("\nerror    database: The file \(folder.database) is not an SQLite database."), "\(end.output)")
    }

    @Test(arguments: [("access.log", true), ("missing/access.log", false), ("file/access.log", false), ("logs/", false), ("file", true)])
    func anAccessLogMustBeAFileThatCanBeWritten(name: String, isValid: Bool) async throws {
        try Data().write(to: URL(fileURLWithPath: folder.path + "/file"))
        let path = "\(folder.path)/\(name)"
        let end = try await check("--database", folder.database, "--access-log", path)
        #expect(end.status == (isValid ? 0 : 1))
        #expect(end.output.contains("access log: \(path) \(isValid ? "can be written" : "cannot be written")"), "\(end.output)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
    }

    @Test func allInvalidSettingsAreFindings() async throws {
        let end = try await check("--port", "http", "--log-level", "loud")
        #expect(end.status == 1)
        let lines = end.output.split(separator: "\n")
        #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("error    settings: --") }, "\(end.output)")
    }

    @Test func noPasswordIsPrinted() async throws {
        for flags in [
            ["--database", "postgres://u:secret@127.0.0.1:1/db"], ["--database", "postgres://u:sec@ret@127.0.0.1/db"],
            ["--database", "postgres:/u:secret@127.0.0.1/db"], ["--posts-upstream", "http://u:secret@127.0.0.1"],
        ] {
            let end = await (try Program.relist(["check"] + flags)).end()
            #expect(end.status == 1, "\(flags)")
            #expect(!(end.output + end.errors).contains(#/secret|sec@|ret@/#), "\(end.output)\(end.errors)")
        }
    }

    @Test func aPostgreSQLDatabaseAndItsScreensAreChecked() async throws {
        let url = try PostgresServer.shared.newDatabase()
        let end = try await check(environment: ["RELIST_DATABASE": url])
        // The server of the tests runs without fsync.
        let errors = end.output.split(separator: "\n").filter { $0.hasPrefix("error") }
        #expect(end.status == 1 && errors.count == 1 && errors[0].contains("durability: fsync is off"), "\(end.output)")
        #expect(end.output.contains("schema: the server creates its tables") && end.output.contains("screens: settings, "))
        #expect(try PostgresServer.shared.run("SELECT count(*) FROM pg_namespace WHERE oid >= 16384", in: url) == "0")
    }

    #if Tokens
    @Test func aKeySetThatCannotBeReadIsAnError() async throws {
        let end = try await check("--database", folder.database, "--authentication", "keys=\(folder.path)/missing", "--issuer", "a")
        #expect(end.status == 1 && end.output.contains("error    authentication: --authentication names the key set"), "\(end.output)")
    }

    @Test func aDevelopmentKeyIsNotCreated() async throws {
        let end = try await check("--database", folder.database, "--authentication", "development")
        #expect(end.status == 0 && end.output.contains("warning  authentication: "), "\(end.output)")
        #expect(try folder.files == [])
    }
    #endif
}
