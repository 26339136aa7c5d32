import Foundation
import Glibc
import HTTPServer
import RawClient
import RelistPage
import ScreenWire
import TemporaryDatabase
import Testing

@Suite(.serialized) struct StartingTests {
    @Test func theCommandsSuggestedByTheGreetingSucceed() async throws {
        let answers = try await answersToExamples()
        #expect(answers.map { $0["kind"]?.text } == ["snapshot", "snapshot", "changeset"])
        #expect(answers.map { $0["screen"]?.text } == ["settings", "deliveries", "settings"])
        #expect(answers.last?["stages"] != .array([]))
    }

    /// Starts a server, runs the command lines of its greeting, and returns their output.
    private func answersToExamples(_ flags: String...) async throws -> [JSONValue] {
        let server = try await RunningServer(in: TemporaryFolder(), flags: flags)
        var answers: [JSONValue] = []
        for line in server.examples {
            let end = await (try Program.shell(line)).end()
            #expect(end.status == 0, "\(end.errors)")
            answers.append(try JSONReader.read(Array(end.output.utf8)))
        }
        #expect(await server.stop(SIGTERM).status == 0)
        return answers
    }

    #if Tokens
    @Test func theCommandsSuggestedByTheGreetingSucceedWithDevelopmentAuthentication() async throws {
        let answers = try await answersToExamples("--authentication", "development")
        #expect(answers.map { $0["screen"]?.text } == ["posts", "mountains", "mountains", "settings"])
        #expect(answers.last?["kind"]?.text == "snapshot")
    }

    /// Development authentication issues a token for any request, so unknown hosts must be rejected.
    @Test func developmentTokensAreNotAvailableToUnknownHosts() async throws {
        let server = try await RunningServer(in: TemporaryFolder(), "--authentication", "development")
        for (host, status) in [("evil.example", 421), ("localhost", 200)] {
            let request = "GET /development/users HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
            #expect(try await RawClient(server.address, sending: request).response().status == status)
        }
        #expect(await server.stop(SIGTERM).status == 0)
    }

    @Test(arguments: [
        (["--claim", "role"], "must be NAME=TEXT"), (["--claim", "=x"], "must be NAME=TEXT"), (["--claim", "sub=root"], "cannot be sub"),
        (["--hours", "0"], "--hours"), (["--hours", "87601"], "--hours"), (["--user", ""], "--user is empty"),
        (["--user", String(repeating: "é", count: 128)], "255 bytes"),
    ])
    func invalidArgumentsOfTheTokenCommandAreReportedInOneLine(_ arguments: [String], _ reason: String) async throws {
        let end = await (try Program.relist(["token", "--user", "a"] + arguments)).end()
        #expect(end.status == 64 && end.output == "")
        #expect(end.errors.contains(reason) && end.errors.split(separator: "\n").count == 1, "\(end.errors)")
    }

    @Test func theTokenCommandSuggestsHowToCreateAKeyIfThereIsNone() async throws {
        let end = await (try Program.relist(["token", "--user", "a", "--database", try TemporaryFolder().database])).end()
        #expect(end.status == 1 && end.output == "")
        #expect(end.errors.contains("A server with --authentication development creates it at its start"))
    }
    #endif

    @Test func theProgramStartsAServerIfNoCommandIsGiven() async throws {
        let folder = try TemporaryFolder()
        let program = try Program.relist(
            [],
            environment: [
                "RELIST_PORT": "0", "RELIST_DATABASE": folder.database, "RELIST_DRAIN_SECONDS": "0",
            ])
        #expect(await program.read { $0.contains("Relist listens on http://127.0.0.1:") ? true : nil } == true)
        await program.send(SIGTERM)
        #expect(await program.end().status == 0)
        #expect(try folder.files.contains("test.sqlite"))
    }

    @Test func thePageIsServedUnlessThereIsAPublicFolder() async throws {
        let folder = try TemporaryFolder()
        let page = FileManager.default.contents(atPath: "Public/page.js").map { String(decoding: $0, as: UTF8.self) }
        #expect(try await served("/page.js", in: folder) == page)
        try FileManager.default.createDirectory(atPath: folder.path + "/Public", withIntermediateDirectories: false)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: folder.path + "/Public/page.js"))
        #expect(try await served("/page.js", in: folder) == "mine")
    }

    @Test func allFilesOfThePageAreCopiedByTheBuild() throws {
        let files = FileManager.default
        let page = try #require(Page.folder)
        // An earlier build may have copied `package.json`, which is not part of the page.
        let brought = try #require(files.subpaths(atPath: page)).filter { $0 != "package.json" }
        let own = try #require(files.subpaths(atPath: "Public")).filter { $0 != "Page.swift" && $0 != "package.json" }
        #expect(brought.sorted() == own.sorted())
    }

    /// Starts a server in a folder, and returns its response to a request.
    private func served(_ path: String, in folder: TemporaryFolder) async throws -> String {
        let program = try Program.relist(["serve", "--port", "0", "--database", folder.database, "--drain-seconds", "0"], in: folder.path)
        let address = try #require(await program.read(until: Greeting.init)).address
        let text = try await RawClient(address).ask("GET", path, ["Connection": "close"], "").text
        await program.send(SIGTERM)
        #expect(await program.end().status == 0)
        return text
    }

    @Test func aServerDoesNotStartIfItsDatabaseIsInUse() async throws {
        let folder = try TemporaryFolder()
        let first = try await RunningServer(in: folder)
        let second = await (try Program.relist(["serve", "--port", "0", "--database", folder.path + "/../\(folder.name)/test.sqlite"]))
            .end()
        #expect(second.status == 1)
        #expect(second.output == "")
        #expect(second.errors.hasPrefix("relist: "))
        #expect(second.errors.contains(folder.database))
        #expect(second.errors.contains("in use by process \(first.program.id)"))
        #expect(try await first.get("/screens/settings")["kind"] == .string("snapshot"))
        #expect(await first.stop(SIGTERM).status == 0)
    }

    @Test func aServerDoesNotStartIfItsPortIsInUse() async throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        let first = try await RunningServer(in: folder)
        let port = String(first.address.port)
        let end = await (try Program.relist(["serve", "--port", port, "--database", other.database])).end()
        #expect(end.status == 1)
        #expect(end.output == "")
        let message = "relist: Cannot listen on 127.0.0.1, port \(port): Address already in use. "
        #expect(end.errors == message + "Stop the program that listens there, or give another --port; 0 takes a free one.\n")
        #expect(await first.stop(SIGTERM).status == 0)
    }

    @Test func aLowLimitOfOpenFilesReducesTheNumberOfConnectionsAndIsLogged() async throws {
        let server = try await RunningServer(in: TemporaryFolder(), openFiles: 256)
        var clients: [RawClient] = []
        for number in 0..<128 {
            // One address may have half of all connections.
            clients.append(try await RawClient(server.address, from: "127.0.0.\(2 + number % 4)"))
            let target = ["/screens/settings", "/screens/posts", "/"][number % 3]
            #expect(try await clients[number].ask("GET", target).status == 200)
        }
        #expect(try await server.ask("GET", "/screens/settings").status == 503)
        let end = await server.stop(SIGTERM)
        #expect(end.status == 0)
        #expect(end.errors.contains("the limit of 256 open files leaves 128 for connections; raise it with ulimit -n"))
        #expect(end.errors.split(separator: "\n").count == 2)
    }

    @Test func theLowestLimitOfOpenFilesAllowsOneConnection() async throws {
        let server = try await RunningServer(in: TemporaryFolder(), openFiles: 97)
        let client = try await RawClient(server.address)
        for target in ["/screens/settings", "/screens/posts", "/screens/deliveries", "/", "/readyz"] {
            #expect(try await client.ask("GET", target).status == 200)
        }
        #expect(await server.stop(SIGTERM).status == 0)
    }

    @Test func aLimitOfOpenFilesThatIsTooLowIsRejectedBeforeAnythingIsCreated() async throws {
        let folder = try TemporaryFolder()
        let end = await (try Program.relist(["serve", "--port", "0", "--database", folder.database], openFiles: 96)).end()
        #expect(end.status == 1)
        #expect(end.output == "")
        #expect(end.errors.hasPrefix("relist: The limit of open files leaves none for connections. Raise it to 1024 or more"))
        #expect(try folder.files == [])
    }

    @Test func allInvalidSettingsAreReportedBeforeAnythingIsCreated() async throws {
        let folder = try TemporaryFolder()
        let end = await
            (try Program.relist(
                ["serve", "--port", "http", "--log-level", "loud", "--database", folder.database],
                environment: [
                    "RELIST_HISTORY_DAYS": "0", "RELIST_VIEW_CACHE_BYTES": "all", "RELIST_PORT": "8080", "RELIST_POSTS_UPSTREAM": "posts",
                ]
            )).end()
        #expect(end.status == 1)
        #expect(end.output == "")
        #expect(
            end.errors == """
                relist: RELIST_POSTS_UPSTREAM is "posts" but must be an http or https URL with a host and without user, query or fragment.
                --port is "http" but must be a whole number from 0 to 65535.
                --log-level is "loud" but must be one of trace, debug, info, notice, warning, error, critical.
                RELIST_HISTORY_DAYS is "0" but must be a whole number from 1 to 36500.
                RELIST_VIEW_CACHE_BYTES is "all" but must be a whole number from 0 to 1099511627776.

                """)
        #expect(try folder.files == [])
    }

}
