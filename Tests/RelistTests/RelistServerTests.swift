import ArgumentParser
import Foundation
import GRDB
import HTTPServer
import Logging
import RawClient
import RelistSQLite
import ScreenHTTP
import ScreenModel
import Synchronization
import TemporaryDatabase
import Testing

@testable import Relist
@testable import ScreenService

@Suite("A server", .timeLimit(.minutes(1))) struct RelistServerTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Runs a server until `body` returns.
    private func serving(_ server: RelistServer, _ body: (BoundAddress) async throws -> Void) async throws {
        try await server.running(in: folder) { try await body($0.address) }
    }

    @Test func backgroundWorkRunsUntilTheServerHasStopped() async throws {
        let phases = Mutex<[String]>([])
        let (running, runs) = AsyncStream.makeStream(of: Void.self)
        let server = RelistServer(tables: []) { _, context in
            context.whileServing {
                phases.withLock { $0.append("begun") }
                runs.finish()
                try? await Task.sleep(for: .seconds(3600))
                phases.withLock { $0.append("cancelled") }
            }
            return [Words()]
        }
        try await serving(server) { address in
            for await _ in running {}
            let answer = try await get("/screens/words", address)
            #expect(answer.status == 200)
            phases.withLock { $0.append("asked") }
        }
        #expect(phases.withLock { $0 } == ["begun", "asked", "cancelled"])
    }

    @Test func middlewareAppliesToAllResponses() async throws {
        struct Named: Middleware {
            func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply {
                next(context).map { answer in
                    var answer = answer
                    answer.headers.append("Server", "garden")
                    return answer
                }
            }
        }
        var server = RelistServer(screens: [Words()])
        server.middleware = [Named()]
        try await serving(server) { address in
            for target in ["/screens", "/screens/words", "/screens/nothing", "/healthz"] {
                let answer = try await get(target, address)
                #expect(answer.headers["Server"] == "garden", "\(target)")
            }
        }
    }

    @Test func aServerServesTheRoutesOfItsTeamOverASocket() async throws {
        var server = RelistServer(screens: [Words()])
        server.routes = [
            Route(.get, "/kitchen/{name}") { request in .text("\(request.caller.user ?? "") \(request["name"])") },
            Route(.post, "/kitchen") { request in Response(status: 201, body: request.body) },
            Route(.delete, "/kitchen/{name}") { _ in Response(status: 204) },
        ]
        try await serving(server) { address in
            #expect(try await get("/kitchen/bar", address).text == "demo bar")
            let post = Request(method: "POST", target: "/kitchen", headers: ["Content-Type": "application/json"])
            let posted = try await RawClient(address).ask(post, body: Array("[1]".utf8))
            #expect(posted.status == 201 && posted.text == "[1]")
            let deleted = try await RawClient(address).ask(Request(method: "DELETE", target: "/kitchen/bar"))
            #expect(deleted.status == 204)
        }
    }

    @Test func aServerServesRoutesThatWereAddedWithItsScreens() async throws {
        let server = RelistServer(tables: []) { store, context in
            context.serve(Route(.get, "/secret") { _ in .text("\(try await store.secret(byteCount: 8).count)") })
            return [Words()]
        }
        try await serving(server) { address in
            let answer = try await get("/secret", address)
            #expect(answer.text == "8")
        }
        let hiding = RelistServer(tables: []) { _, context in
            context.serve(Route(.get, "/screens/words") { _ in .text("") })
            return [Words()]
        }
        await #expect(throws: RouteFaults.self) { try await serving(hiding) { _ in } }
    }

    @Test(arguments: ["/screens/words", "/page.js"])
    func aRouteThatHidesAPathOfTheServerIsRejectedBeforeAnythingIsCreated(_ path: String) async throws {
        var server = RelistServer(screens: [Words()])
        server.routes = [Route(.get, path) { _ in .text("") }]
        let hiding = server
        await #expect(throws: RouteFaults.self) { try await serving(hiding) { _ in } }
        #expect(try folder.files == [])
    }

    /// A web page of another origin could make its own host name resolve to this machine (DNS rebinding). The page could
    /// then read responses.
    @Test func requestsForUnknownHostsAreRejectedOnAllPaths() async throws {
        try await serving(RelistServer(screens: [Words()])) { address in
            for target in ["/", "/page.js", "/screens", "/screens/words", "/screens/words/changes", "/healthz", "/metrics", "/nothing"] {
                for (host, isAllowed) in [
                    ("evil.example", false), ("evil.example:\(address.port)", false), ("localhost:\(address.port)", true),
                ] {
                    let request = "GET \(target) HTTP/1.1\r\nHost: \(host)\r\nOrigin: http://\(host)\r\nConnection: close\r\n\r\n"
                    let answer = try await RawClient(address, sending: request).response()
                    #expect((answer.status != 421) == isAllowed, "\(target) of \(host)")
                }
            }
        }
    }

    @Test func limitsApplyToEachClientAddressIfThereIsNoAuthentication() async throws {
        struct Counting: Middleware {
            func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply {
                let isAddress = context.limitKey == .address(high: 0, low: 0xFFFF_7F00_0001)
                return .response(Response(headers: ["User": context.caller.user ?? "", "Counted-By-Address": "\(isAddress)"]))
            }
        }
        var server = RelistServer(screens: [Words()])
        server.middleware = [Counting()]
        try await serving(server) { address in
            let answer = try await get("/screens", address)
            #expect(answer.headers["User"] == "demo" && answer.headers["Counted-By-Address"] == "true")
        }
    }

    @Test func aServerWithAPublicFolderReturnsItsFiles() async throws {
        try Data("hello".utf8).write(to: URL(fileURLWithPath: folder.path + "/hello.txt"))
        var server = RelistServer(screens: [Words()])
        server.publicFolder = folder.path
        try await serving(server) { address in
            let answer = try await get("/hello.txt", address)
            #expect(answer.text == "hello")
        }
    }

    @Test func thePageIsServedByDefault() async throws {
        try await serving(RelistServer(screens: [Words()])) { address in
            let answer = try await get("/", address)
            #expect(answer.headers["Content-Type"]?.hasPrefix("text/html") == true)
        }
    }

    @Test func screensAreServedInTheConfiguredLanguages() async throws {
        var server = RelistServer(screens: [Words()])
        server.languages = [.french, .english]
        try await serving(server) { address in
            let (first, asked) = try await (get("/screens/words", address), get("/screens/words", address, ["Accept-Language": "en"]))
            #expect(first.headers["Content-Language"] == "fr" && asked.headers["Content-Language"] == "en")
        }
    }

    @Test func theServiceCanUseADatabaseThatATeamHasOpened() async throws {
        let database = try DatabaseQueue()
        let server = RelistServer(store: { logger in try SQLiteServiceStore.open(in: database, logger: logger) }) { _, _ in [Words()] }
        #expect(!server.takesDatabase)
        try await serving(server) { address in
            let answer = try await get("/screens/words", address)
            #expect(answer.status == 200)
        }
        #expect(try await database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM grdb_relist_version") } == 1)
        #expect(try folder.files == [])
    }

    @Test(arguments: [
        "postgres://relist@127.0.0.1/relist", "postgresql:///relist", "postgres:/relist:secret@db/relist", "postgresql//db/relist",
        "host=db password=secret", "HostAddr = 127.0.0.1", "sslmode=require user=relist", "postgresql+libpq:/relist:secret@db/relist",
    ])
    func aServerOnSQLiteRejectsTheURLOfAnotherDatabase(_ url: String) async throws {
        for server in [RelistServer(screens: [Words()]), RelistServer(tables: []) { _, _ in [Words()] }] {
            await #expect(throws: DatabaseURL.NotAFile.self) {
                _ = try await server.open(url, RelistServer.Context(logger: Logger(label: "test")))
            }
        }
    }

    @Test func repeatedScreensAreRejectedBeforeAnythingIsCreated() async throws {
        await #expect(throws: CatalogFaults(faults: [.repeatedName("words")])) {
            try await serving(RelistServer(screens: [Words(), Words()])) { _ in }
        }
        #expect(try folder.files == [])
    }

    @Test func repeatedLanguagesAreRejectedBeforeAnythingIsCreated() async throws {
        var server = RelistServer(tables: []) { _, _ in [Words()] }
        server.languages = [.english, .english]
        let speaking = server
        await #expect(throws: CatalogFaults(faults: [.repeatedLanguage("en")])) {
            try await serving(speaking) { _ in }
        }
        #expect(try folder.files == [])
    }

    @Test func aCheckNamesTheScreensWithoutServing() async throws {
        let server = RelistServer(tables: []) { _, context in
            context.whileServing { Issue.record("The check serves.") }
            return [Words()]
        }
        #expect(try await server.findings(for: .toTest(in: folder)).last == .ok("screens", "words"))
        #expect(try folder.files == [])
    }

    @Test func aCheckReportsScreensAndRoutesThatKeepTheServerFromStarting() async throws {
        let repeated = RelistServer(tables: []) { _, _ in [Words(), Words()] }
        #expect(try await repeated.findings(for: .toTest(in: folder)).last?.severity == .error)
        let hiding = RelistServer(tables: []) { _, context in
            context.serve(Route(.get, "/screens/words") { _ in .text("") })
            return [Words()]
        }
        #expect(try await hiding.findings(for: .toTest(in: folder)).last?.severity == .error)
    }

    @Test func aCheckReportsAnErrorOfMakingTheScreensUnlessTheDatabaseMayBeTheCause() async throws {
        struct Failure: Error {}
        func last(_ finding: CheckFinding) async throws -> CheckFinding.Severity? {
            let server = RelistServer { (_, _) -> ServiceStoreInMemory in
                Issue.record("The check opens the database.")
                return ServiceStoreInMemory()
            } checking: { (_, _) -> StoreCheck<ServiceStoreInMemory> in
                StoreCheck(findings: [finding], store: ServiceStoreInMemory())
            } screens: { (_, _) -> [any Screen] in
                throw Failure()
            }
            let configuration = try ServerConfiguration.toTest(in: folder)
            let findings: [CheckFinding] = await server.findings(for: configuration)
            return findings.last?.severity
        }
        #expect(try await last(.ok("schema", "")) == .error)
        #expect(try await last(.warning("schema", "")) == .warning)
    }

    @Test func aDatabaseThatATeamOpensWithoutACheckIsNotOpened() async throws {
        let server = RelistServer(store: { _ in
            Issue.record("The check opens the database.")
            return ServiceStoreInMemory()
        }) { _, _ in [Words()] }
        let findings = try await server.findings(for: .toTest(in: folder))
        #expect(findings.filter { $0.severity == .warning }.map(\.subject) == ["database", "screens"])
        #expect(!findings.contains { $0.severity == .error })
    }

    @Test func aStoppingServerDoesNotWaitForAnOperationThatHangs() async {
        await RelistServer.waitBriefly(
            for: "test", Self.logger,
            deadline: Deadline { pass in
                pass()
                return {}
            }
        ) {
            // The operation hangs, because its detached task is never cancelled.
            try? await Task.detached { try await Task.sleep(for: .seconds(3600)) }.value
        }
    }

    @Test func aStoppingServerWaitsForAnOperationThatEndsInTime() async {
        let hasEnded = Mutex(false)
        await RelistServer.waitBriefly(for: "test", Self.logger, deadline: .after(.seconds(60))) {
            await Task.yield()
            hasEnded.withLock { $0 = true }
        }
        #expect(hasEnded.withLock { $0 })
    }

    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}
