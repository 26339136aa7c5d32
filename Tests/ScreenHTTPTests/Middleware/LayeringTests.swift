import HTTPServer
import Logging
import RawClient
@testable import ScreenHTTP
import ScreenService
import ScreenWire
import Synchronization
import Testing

@Suite(.serialized) struct LayeringTests {
    /// Adds a field to whatever passes.
    private struct Mark: Middleware {
        let text: String

        func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply {
            next(context).map { answer in
                var answer = answer
                answer.headers.append("Mark", text)
                return answer
            }
        }
    }

    private struct Deciding: Middleware {
        func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply {
            context.decisiveFields.append("Authorization")
            return next(context)
        }
    }

    private struct Failing: Middleware {
        struct Secret: Error {}
        let isLater: Bool

        func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply {
            isLater ? .later { throw Secret() } : context.refused(by: Secret())
        }
    }

    /// Answers what nobody else is then asked for.
    private struct Teapot: Middleware {
        func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply {
            guard context.request.headers["Tea"] != nil else { return next(context) }
            return .response(Response(status: 418))
        }
    }

    private final class Log: Middleware {
        let (statuses, continuation) = AsyncStream.makeStream(of: String.self)

        func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply {
            let target = context.request.target
            return next(context).observed { [continuation] in
                continuation.yield("\(target) \($0.status ?? 0) \($0.isComplete)")
            }
        }
    }

    private static let ada = FixedCaller(.user("ada"))

    @Test(arguments: Transport.allCases)
    func aFieldForAllAnswersIsOnAllAnswers(_ transport: Transport) async throws {
        let site = try await transport.serve(middleware: [Mark(text: "a"), Mark(text: "b"), Self.ada])
        for target in ["/screens", "/screens/notes", "/screens/notes", "/screens/none", "/%zz", "/healthz", "/readyz", "/none"] {
            #expect(try await site.get(target).headers.values(of: "Mark") == ["b", "a"], "\(target)")
        }
        site.notes.fail(with: Failing.Secret())
        #expect(try await site.get("/screens/notes?limit=3").headers.values(of: "Mark") == ["b", "a"])
    }

    @Test func aRequestThatTheServerRefusesPassesAllLayers() async throws {
        let log = Log()
        let site = try await Transport.socket.serve(middleware: [log, Mark(text: "a"), Self.ada])
        let answer = try await site.get("/screens", ["Host": "another"])
        try answer.expectProblem("invalid-request", 400)
        #expect(answer.headers["Mark"] == "a")
        #expect(await log.statuses.first { _ in true } == "/screens 400 true")
    }

    @Test(arguments: Transport.allCases, [false, true])
    func anUnknownErrorOfALayerIsABare500(_ transport: Transport, _ isLater: Bool) async throws {
        let site = try await transport.serve(middleware: [Failing(isLater: isLater)])
        let answer = try await site.get("/healthz")
        try answer.expectProblem("internal-error", 500)
        #expect(!answer.text.contains("Secret"))
    }

    /// Answers with what a layer knows of a request.
    private struct Knowing: Middleware {
        func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply {
            let route = context.route
            let known = [route?.template, route?.screen, route?.action, context.clientAddress.map { _ in "address" }]
            return .response(Response(headers: ["Known": known.map { $0 ?? "-" }.joined(separator: " ")]))
        }
    }

    @Test(arguments: [
        ("/screens/none/changes?a=b", "/screens/{screen}/changes none - address"),
        ("/screens/notes/actions/add", "/screens/{screen}/actions/{action} notes add address"),
        ("/page.js", "/{file} - - address"), ("/screens/%zz", "- - - address"),
    ])
    func aLayerKnowsTheRouteAndTheAddress(_ example: (target: String, known: String)) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let (api, _) = try await Site.parts(publicFolder: nil, middleware: [Knowing()], logger: logger) { true }
        let request = Request(method: "POST", target: example.target, peer: NetworkAddress("192.0.2.1"))
        #expect(try await api.reply(to: request).answer.headers["Known"] == example.known)
    }

    /// Passes on a context of its own.
    private struct Renewing: Middleware {
        func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply {
            let (request, caller) = (context.request, context.caller)
            return .preceded { next(RequestContext(request, caller: caller)) }
        }
    }

    @Test(arguments: Transport.allCases)
    func aContextThatALayerHasMadeGetsTheRoute(_ transport: Transport) async throws {
        let site = try await transport.serve(middleware: [Self.ada, Renewing()])
        #expect(try await site.get("/screens/notes?limit=3").status == 200)
        let invalid = try await site.get("/screens/notes?limit=none")
        try invalid.expectProblem("invalid-parameters", 400, at: ["parameter limit"])
        let unknown = try await site.post("/screens/notes/actions/fly", "{}", ["Content-Type": "application/json"])
        try unknown.expectProblem("unknown-action", 404, outcome: .notPerformed)
    }

    @Test func aLayerMayAnswerByItself() async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let (api, _) = try await Site.parts(publicFolder: nil, middleware: [Teapot()], logger: logger) { true }
        for (headers, status) in [(["Tea": "1"], 418), ([:], 200)] as [(Headers, Int)] {
            #expect(try await api.reply(to: Request(method: "GET", target: "/healthz", headers: headers)).answer.status == status)
        }
    }

    @Test(arguments: Transport.allCases)
    func whatALayerDecidesByIsSaidToCaches(_ transport: Transport) async throws {
        let site = try await transport.serve(middleware: [Deciding(), Self.ada])
        let all = "Accept, Accept-Language, Authorization"
        for target in ["/screens", "/screens/notes", "/screens/notes", "/screens/notes/changes", "/screens/notes?list=none"] {
            #expect(try await site.get(target).headers["Vary"] == all, "\(target)")
        }
        #expect(try await site.get("/screens/none").headers["Vary"] == "Authorization")
        #expect(try await site.get("/screens", ["Accept": "text/html"]).headers["Vary"] == "Accept, Authorization")
    }

    @Test(arguments: Transport.allCases, [false, true])
    func aLayerSeesTheProblemOfALayerThatRefusesOrFails(_ transport: Transport, _ isLater: Bool) async throws {
        let site = try await transport.serve(middleware: [Mark(text: "outer"), Deciding(), Failing(isLater: isLater)])
        let answer = try await site.get("/screens")
        #expect(answer.status == 500 && answer.headers["Mark"] == "outer")
        #expect(answer.headers["Vary"] == "Authorization")
    }

    /// Gives what is asked for a deadline, and counts how often it begins to run.
    private final class Hurry: Middleware {
        let begun = Mutex(0)

        func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply {
            context.deadline = Deadline { _ in
                self.begun.withLock { $0 += 1 }
                return {}
            }
            return next(context)
        }
    }

    @Test(arguments: Transport.allCases)
    func theDeadlineThatALayerGivesIsThatOfTheWork(_ transport: Transport) async throws {
        let hurry = Hurry()
        let site = try await transport.serve(middleware: [hurry, Self.ada])
        let json: Headers = ["Content-Type": "application/json"]
        // A screen is computed, it is at hand, changes are made; an action is performed and its answer computed.
        for (count, path) in [(1, "notes"), (1, "notes"), (2, "notes/changes?version=a"), (3, "news/changes")] {
            #expect(try await site.get("/screens/\(path)").status == 200)
            #expect(hurry.begun.withLock { $0 } == count, "\(path)")
        }
        #expect(try await site.post("/screens/notes/actions/add", #"{"input":{"te/xt":"a"}}"#, json).status == 200)
        #expect(hurry.begun.withLock { $0 } == 5)
    }

    @Test func anAnswerOfOtherLayersIsNotThatWhichIsKept() async throws {
        let site = try await Transport.memory.serve()
        let document = try await site.api.service.snapshot(
            of: site.api.service.catalog.view(of: "news", parameters: [], locale: .english, caller: .nobody)
        ).value
        let kept = DocumentResponses.of(document, hasTag: true, .revalidated(isShared: false, []))
        #expect(kept === DocumentResponses.of(document, hasTag: true, .revalidated(isShared: false, [])))
        let decided = DocumentResponses.of(document, hasTag: true, .revalidated(isShared: false, ["Authorization"]))
        #expect(decided.whole.response.headers["Vary"] == "Accept, Accept-Language, Authorization")
        #expect(kept.whole.response.headers["Vary"] == "Accept, Accept-Language")
    }

    @Test func whatWasStreamedFirstIsKeptForTheLayersThatThereAre() async throws {
        let site = try await Transport.memory.serve()
        let view = try site.api.service.catalog.view(of: "news", parameters: [], locale: .english, caller: .nobody)
        let document = try await site.api.service.changes(of: view, from: nil).value
        _ = DocumentResponses.event(of: document)
        let decided = DocumentResponses.of(document, hasTag: false, .unkept(["Authorization"]))
        #expect(decided === DocumentResponses.of(document, hasTag: false, .unkept(["Authorization"])))
    }

    @Test(arguments: Transport.allCases)
    func aScreenForUsersIsNotForNobody(_ transport: Transport) async throws {
        let site = try await transport.serve(middleware: [])
        for target in ["/screens/notes", "/screens/notes/changes", "/screens/notes?limit=0"] {
            let answer = try await site.get(target)
            #expect(try answer.expectProblem("unauthorized", 401).contains("notes"))
            #expect(answer.headers["WWW-Authenticate"] == "Bearer")
        }
        let json: Headers = ["Content-Type": "application/json"]
        let action = try await site.post("/screens/notes/actions/add", #"{"input":{"te/xt":"a"}}"#, json)
        try action.expectProblem("unauthorized", 401)
        for target in ["/screens", "/screens/news", "/screens/news/changes"] {
            #expect(try await site.get(target).status == 200)
        }
    }
}
