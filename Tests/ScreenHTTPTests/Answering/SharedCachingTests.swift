import HTTPServer
import RawClient
import ScreenHTTP
import ScreenModel
import ScreenService
import ScreenWire
import Testing

/// Tests of the header fields that control shared caches, for example the caches of proxies.
@Suite(.serialized) struct SharedCachingTests {
    private static let stored = "public, max-age=0, must-revalidate, s-maxage=7"

    private func serve(_ transport: Transport, _ layers: [any Middleware] = []) async throws -> Site {
        try await transport.serve(middleware: [FixedCaller(.user("ada"))] + layers, sharedCacheSeconds: 7)
    }

    @Test(arguments: Transport.allCases)
    func screensForEveryoneMayBeStoredBySharedCachesForSomeSeconds(_ transport: Transport) async throws {
        let site = try await serve(transport)
        let old = try await site.get("/screens/news").version
        site.notes.set("news", to: ["a", "b", "c"])
        let new = try await site.get("/screens/news").version
        let targets = [
            "/screens/news", "/screens/news/changes", "/screens/news/changes?version=\(old)", "/screens/news/changes?version=\(new)",
        ]
        for target in targets {
            let answer = try await site.get(target)
            #expect(answer.status == 200)
            #expect(answer.headers["Cache-Control"] == Self.stored, "\(target)")
        }
        #expect(try await site.get(targets[2]).json["kind"]?.text == "changeset")
    }

    @Test(arguments: Transport.allCases)
    func theVaryFieldContainsOnlyFieldsThatAffectTheResponse(_ transport: Transport) async throws {
        let site = try await serve(transport)
        #expect(try await site.get("/screens/news").headers["Vary"] == "Accept-Encoding, Accept-Language")
        #expect(try await site.get("/screens/news?locale=fr", ["Accept-Language": "en"]).headers["Vary"] == "Accept-Encoding")
        #expect(try await site.get("/screens/news/changes").headers["Vary"] == "Accept, Prefer, Accept-Encoding, Accept-Language")
        #expect(try await site.get("/screens/news/changes?locale=fr").headers["Vary"] == "Accept, Prefer, Accept-Encoding")
        #expect(try await site.get("/screens/news").headers["Vary"] == "Accept-Encoding, Accept-Language")
    }

    @Test func theVaryFieldOmitsAcceptLanguageIfThereIsOnlyOneLanguage() async throws {
        let api = try await api(of: [Roster(access: .everyone)])
        #expect(try await ask(api, "/screens/roster").headers["Vary"] == "Accept-Encoding")
        #expect(try await ask(api, "/screens/roster/changes").headers["Vary"] == "Accept, Prefer, Accept-Encoding")
    }

    @Test(arguments: Transport.allCases)
    func theVaryFieldContainsOriginIfOnlySomeOriginsAreAllowed(_ transport: Transport) async throws {
        let site = try await serve(transport, [CrossOrigin(allowing: ["https://a.example"].compactMap(CrossOrigin.Origin.init))])
        let own = try await site.get("/screens/news?locale=en")
        let others = try await site.get("/screens/news?locale=en", ["Origin": "https://a.example"])
        #expect([own, others].allSatisfy { $0.headers["Vary"] == "Accept-Encoding, Origin" })
        #expect(own.headers["Access-Control-Allow-Origin"] == nil)
        #expect(others.headers["Access-Control-Allow-Origin"] == "https://a.example")
    }

    @Test(arguments: Transport.allCases)
    func theResponseDoesNotDependOnTheOriginIfAllOriginsAreAllowed(_ transport: Transport) async throws {
        let site = try await serve(transport, [CrossOrigin(allowing: ["*"].compactMap(CrossOrigin.Origin.init))])
        let (without, with) = (try await site.get("/screens/news"), try await site.get("/screens/news", ["Origin": "https://a.example"]))
        for name in ["Access-Control-Allow-Origin", "Access-Control-Expose-Headers", "Cache-Control", "Vary"] {
            #expect(without.headers[name] == with.headers[name], "\(name)")
        }
        #expect(without.headers["Access-Control-Allow-Origin"] == "*")
    }

    @Test(arguments: Transport.allCases)
    func cachesMustNotStoreTheResponseToAnUnknownVersion(_ transport: Transport) async throws {
        let site = try await serve(transport)
        for version in ["", "x", String(repeating: "a", count: 26)] {
            let answer = try await site.get("/screens/news/changes?version=\(version)")
            #expect(try answer.json["reason"]?.text == "unknown-version")
            #expect(answer.headers["Cache-Control"] == "no-store")
        }
    }

    @Test(arguments: Transport.allCases)
    func cachesMustNotStoreTheResponseToARequestThatWaits(_ transport: Transport) async throws {
        let site = try await serve(transport)
        let old = try await site.get("/screens/news").version
        site.notes.set("news", to: ["a"])
        for (target, wait) in [("/screens/news/changes?version=\(old)", "wait=60"), ("/screens/news/changes", "return=minimal, wait=0")] {
            let answer = try await site.get(target, ["Prefer": wait])
            #expect(answer.headers["Cache-Control"] == "no-store", "\(wait)")
        }
        // These preferences do not make a request wait.
        for preference in ["wait=soon", "return=minimal", "respond-async"] {
            let answer = try await site.get("/screens/news/changes?version=\(old)", ["Prefer": preference])
            #expect(answer.headers["Cache-Control"] == Self.stored, "\(preference)")
        }
    }

    @Test func cachesMustNotStoreAStream() async throws {
        let site = try await serve(.memory)
        let request = Request(method: "GET", target: "/screens/news/changes", headers: ["Accept": "text/event-stream"])
        let answer = try await site.api.reply(to: request).answer
        #expect(answer.headers["Content-Type"] == "text/event-stream" && answer.headers["Cache-Control"] == "no-store")
    }

    @Test(arguments: Transport.allCases)
    func sharedCachesMustNotStoreTheResponseToARequestWithAToken(_ transport: Transport) async throws {
        let site = try await serve(transport)
        for value in ["Bearer x", "Basic eA==", ""] {
            let snapshot = try await site.get("/screens/news", ["Authorization": value])
            #expect(snapshot.headers["Cache-Control"] == "private, no-cache", "\(value)")
            let changes = try await site.get("/screens/news/changes", ["Authorization": value])
            #expect(changes.headers["Cache-Control"] == "no-store", "\(value)")
            // Shared caches may store the response to a request without a token, even if the same view was requested with a token before.
            for target in ["/screens/news", "/screens/news/changes"] {
                #expect(try await site.get(target).headers["Cache-Control"] == Self.stored)
            }
        }
    }

    @Test(arguments: Transport.allCases)
    func onlyScreensForEveryoneMayBeReusedBySharedCachesWithoutRevalidation(_ transport: Transport) async throws {
        let site = try await serve(transport)
        let version = try await site.get("/screens/news").version
        var answers: [RawResponse] = []
        for target in [
            "/screens/notes", "/screens/notes/changes", "/screens/notes/source", "/screens", "/openapi.json", "/metrics", "/healthz",
            "/screens/none", "/screens/news?limit=1", "/screens/news/changes?version=\(version)&version=\(version)",
        ] { answers.append(try await site.get(target)) }
        for target in ["/screens/news", "/screens/news/changes"] { answers.append(try await site.get(target, ["Accept": "text/html"])) }
        answers.append(try await site.changes("/screens/news/changes", since: version))
        site.notes.fail(with: Lost())
        answers.append(try await site.get("/screens/news?locale=it"))
        for answer in answers {
            let control = try #require(answer.headers["Cache-Control"])
            #expect(!control.contains("s-maxage") && !control.contains("public"), "\(answer.text)")
        }
        #expect(Set(answers.map(\.status)) == [200, 400, 404, 406, 500])
    }

    @Test func sharedCachesMustNotStoreAScreenWithRestrictedAccess() async throws {
        let api = try await api(of: [Roster(access: .users)])
        #expect(try await ask(api, "/screens/roster").headers["Cache-Control"] == "private, no-cache")
        #expect(try await ask(api, "/screens/roster/changes").headers["Cache-Control"] == "no-store")
    }

    @Test func sharedCachesStoreAScreenWithARestrictedActionOnlyForAnonymousCallers() async throws {
        let clear = Action("clear", "Clears the roster.") { _ in }.access(.users(with: "role", "chief"))
        let roster = Roster(access: .everyone, actions: [clear])
        let ofUser = try await ask(try await api(of: [roster]), "/screens/roster")
        #expect(ofUser.headers["Cache-Control"] == "private, no-cache")
        let changesOfUser = try await ask(try await api(of: [roster]), "/screens/roster/changes")
        #expect(changesOfUser.headers["Cache-Control"] == "no-store")
        let ofAnonymous = try await ask(try await api(of: [roster], caller: .anonymous), "/screens/roster")
        #expect(ofAnonymous.headers["Cache-Control"] == Self.stored)
    }

    @Test func sharedCachesUseAScreenThatShowsTheTimeUntilTheNextTickAtMost() async throws {
        let clock = ManualClock(at: 0)
        let api = try await api(of: [Departures()], clock: clock)
        let target = "/screens/departures"
        #expect(try await ask(api, target).headers["Cache-Control"] == Self.stored)
        clock.advance(by: .seconds(57))
        #expect(try await ask(api, target).headers["Cache-Control"] == "public, max-age=0, must-revalidate, s-maxage=2")
        #expect(try await ask(api, target + "/changes").headers["Cache-Control"] == "public, max-age=0, must-revalidate, s-maxage=2")
        clock.advance(by: .seconds(3))
        #expect(try await ask(api, target).headers["Cache-Control"] == Self.stored)
    }

    private struct Lost: Error {}

    private func api(
        of screens: [any Screen], caller: Caller = .user("ada"), clock: any WallClock = SystemClock()
    ) async throws -> ScreenAPI {
        let service = try await ScreenService(
            catalog: ScreenCatalog(screens), store: ServiceStoreInMemory(), logger: .quiet, clock: clock
        )
        return ScreenAPI(
            service: service, publicFolder: nil, middleware: [FixedCaller(caller)], sharedCacheSeconds: 7, logger: .quiet
        )
    }

    private func ask(_ api: ScreenAPI, _ target: String) async throws -> Answer {
        let answer = try await api.reply(to: Request(method: "GET", target: target)).answer
        try #require(answer.status == 200)
        return answer
    }
}

/// A screen that shows the time.
private struct Departures: Screen {
    static let name = "departures"

    let visibility = Visibility.everyone
    let title: Text = "Departures"

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, NoteCell>> {
        let now = request.now(every: .minutes(1))
        return ScreenContent(title: "Departures", model: TableViewModel(cells: [NoteCell(id: "now", text: "\(now)")]))
    }
}

/// A screen with the same content for all users.
private struct Roster: Screen {
    static let name = "roster"

    let visibility = Visibility.everyone
    let isStatic = true
    let access: Access
    var actions: [Action] = []

    let title: Text = "Roster"

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, NoteCell>> {
        ScreenContent(title: "Roster", model: TableViewModel(cells: [NoteCell(id: "monday", text: "Ada")]))
    }
}
