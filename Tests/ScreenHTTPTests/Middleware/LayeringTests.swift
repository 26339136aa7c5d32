import HTTPServer
import RawClient
import ScreenService
import ScreenWire
import Synchronization
import Testing

@testable import ScreenHTTP

@Suite(.serialized) struct LayeringTests {
    /// A layer that calls a closure and returns the reply of the closure.
    private struct Layer: Middleware {
        let handle: @Sendable (consuming RequestContext, @escaping Next) -> Reply

        func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply { handle(context, next) }
    }

    private struct Secret: Error {}

    private final class Counter: Sendable {
        let count = Mutex(0)
    }

    private static func mark(_ text: String) -> Layer {
        Layer { (context: consuming RequestContext, next) in
            next(context).map { answer in
                var answer = answer
                answer.headers.append("Mark", text)
                return answer
            }
        }
    }

    private static func failing(later isLater: Bool) -> Layer {
        Layer { (context: consuming RequestContext, _) in
            isLater ? .later { throw Secret() } : context.rejected(by: Secret())
        }
    }

    private static let deciding = Layer { (context: consuming RequestContext, next) in
        context.varyFields.append("Authorization")
        return next(context)
    }

    private static let ada = FixedCaller(.user("ada"))

    @Test(arguments: Transport.allCases)
    func aHeaderFieldAddedByALayerIsInAllResponses(_ transport: Transport) async throws {
        let site = try await transport.serve(middleware: [Self.mark("a"), Self.mark("b"), Self.ada])
        for target in ["/screens", "/screens/notes", "/screens/notes", "/screens/none", "/%zz", "/healthz", "/readyz", "/none"] {
            #expect(try await site.get(target).headers.values(of: "Mark") == ["b", "a"], "\(target)")
        }
        site.notes.fail(with: Secret())
        #expect(try await site.get("/screens/notes?limit=3").headers.values(of: "Mark") == ["b", "a"])
    }

    @Test func allLayersReceiveARequestThatTheHTTPServerRejects() async throws {
        let (statuses, status) = AsyncStream.makeStream(of: String.self)
        let log = Layer { (context: consuming RequestContext, next) in
            let target = context.request.target
            return next(context).observed { status.yield("\(target) \($0.status ?? 0) \($0.isComplete)") }
        }
        let site = try await Transport.socket.serve(middleware: [log, Self.mark("a"), Self.ada])
        let answer = try await site.get("/screens", ["Host": "another"])
        try answer.expectProblem("invalid-request", 400)
        #expect(answer.headers["Mark"] == "a")
        #expect(await statuses.first { _ in true } == "/screens 400 true")
    }

    @Test(arguments: Transport.allCases, [false, true])
    func anUnexpectedErrorOfALayerIsAnsweredWith500WithoutDetail(_ transport: Transport, _ isLater: Bool) async throws {
        let site = try await transport.serve(middleware: [Self.failing(later: isLater)])
        let answer = try await site.get("/healthz")
        try answer.expectProblem("internal-error", 500)
        #expect(!answer.text.contains("Secret"))
    }

    @Test(arguments: [
        ("/screens/none/changes?a=b", "/screens/{screen}/changes none - address"),
        ("/screens/notes/actions/add", "/screens/{screen}/actions/{action} notes add address"),
        ("/page.js", "/{file} - - address"), ("/screens/%zz", "- - - address"),
    ])
    func theContextOfARequestHasItsRouteAndTheClientAddress(_ example: (target: String, known: String)) async throws {
        let reporting = Layer { (context: consuming RequestContext, _) in
            let route = context.route
            let known = [route?.template, route?.screen, route?.action, context.clientAddress.map { _ in "address" }]
            return .response(Response(headers: ["Known": known.map { $0 ?? "-" }.joined(separator: " ")]))
        }
        let (api, _) = try await Site.parts(publicFolder: nil, middleware: [reporting])
        let request = Request(method: "POST", target: example.target, peer: NetworkAddress("192.0.2.1"))
        #expect(try await api.reply(to: request).answer.headers["Known"] == example.known)
    }

    @Test(arguments: Transport.allCases)
    func aRequestIsRoutedEvenIfALayerReplacesItsContext(_ transport: Transport) async throws {
        let renewing = Layer { (context: consuming RequestContext, next) in
            let (request, caller) = (context.request, context.caller)
            return .deferred { next(RequestContext(request, caller: caller)) }
        }
        let site = try await transport.serve(middleware: [Self.ada, renewing])
        #expect(try await site.get("/screens/notes?limit=3").status == 200)
        let invalid = try await site.get("/screens/notes?limit=none")
        try invalid.expectProblem("invalid-parameters", 400, at: ["parameter limit"])
        let unknown = try await site.post("/screens/notes/actions/fly", "{}", ["Content-Type": "application/json"])
        try unknown.expectProblem("unknown-action", 404, outcome: .notPerformed)
    }

    @Test func aRequestKeepsItsIdIfALayerReplacesItsContext() async throws {
        let renewing = Layer { (context: consuming RequestContext, next) in
            let id = context.trace.requestID
            return next(RequestContext(context.request)).map { answer in
                var answer = answer
                answer.headers.append("Outer-Id", id)
                return answer
            }
        }
        let site = try await Transport.socket.serve(middleware: [renewing])
        let answer = try await site.get("/screens/none")
        let problem = try answer.json
        #expect(problem["requestId"]?.text == answer.headers["Outer-Id"])
    }

    @Test func aLayerCanRespondInsteadOfTheHandler() async throws {
        let teapot = Layer { (context: consuming RequestContext, next) in
            context.request.headers["Tea"] == nil ? next(context) : .response(Response(status: 418))
        }
        let (api, _) = try await Site.parts(publicFolder: nil, middleware: [teapot])
        for (headers, status) in [(["Tea": "1"], 418), ([:], 200)] as [(Headers, Int)] {
            #expect(try await api.reply(to: Request(method: "GET", target: "/healthz", headers: headers)).answer.status == status)
        }
    }

    @Test(arguments: Transport.allCases)
    func theVaryFieldContainsTheRequestFieldsThatALayerHasUsed(_ transport: Transport) async throws {
        let site = try await transport.serve(middleware: [Self.deciding, Self.ada])
        let all = "Accept, Accept-Encoding, Accept-Language, Authorization"
        for target in ["/screens", "/screens/notes", "/screens/notes", "/screens/notes/changes", "/screens/notes?list=none"] {
            #expect(try await site.get(target).headers["Vary"] == all, "\(target)")
        }
        #expect(try await site.get("/screens/none").headers["Vary"] == "Accept-Encoding, Authorization")
        #expect(try await site.get("/screens", ["Accept": "text/html"]).headers["Vary"] == "Accept, Accept-Encoding, Authorization")
    }

    @Test(arguments: Transport.allCases, [false, true])
    func anOuterLayerReceivesTheProblemOfAnInnerLayer(_ transport: Transport, _ isLater: Bool) async throws {
        let site = try await transport.serve(middleware: [Self.mark("outer"), Self.deciding, Self.failing(later: isLater)])
        let answer = try await site.get("/screens")
        #expect(answer.status == 500 && answer.headers["Mark"] == "outer")
        #expect(answer.headers["Vary"] == "Accept-Encoding, Authorization")
    }

    @Test(arguments: Transport.allCases)
    func aDeadlineSetByALayerAppliesToComputationsAndActions(_ transport: Transport) async throws {
        let counter = Counter()
        let layer = Layer { (context: consuming RequestContext, next) in
            context.deadline = Deadline { _ in
                counter.count.withLock { $0 += 1 }
                return {}
            }
            return next(context)
        }
        let site = try await transport.serve(middleware: [layer, Self.ada])
        let json: Headers = ["Content-Type": "application/json"]
        // The first request computes a screen, and the second request receives the cached screen without using the deadline. The responses
        // to the last two requests are computed. The action below uses the deadline twice, for its handler and for its response.
        for (count, path) in [(1, "notes"), (1, "notes"), (2, "notes/changes?version=a"), (3, "news/changes")] {
            #expect(try await site.get("/screens/\(path)").status == 200)
            #expect(counter.count.withLock { $0 } == count, "\(path)")
        }
        #expect(try await site.post("/screens/notes/actions/add", #"{"input":{"te/xt":"a"}}"#, json).status == 200)
        #expect(counter.count.withLock { $0 } == 5)
    }

    @Test func responsesWithDifferentVaryFieldsAreCachedSeparately() async throws {
        let site = try await Transport.memory.serve()
        let document = try await site.api.service.snapshot(
            of: site.api.service.catalog.view(of: "news", parameters: [], locale: .english, caller: .anonymous)
        ).value
        let cached = DocumentResponses.of(document, hasTag: true, .revalidated(isShared: false, []))
        #expect(cached === DocumentResponses.of(document, hasTag: true, .revalidated(isShared: false, [])))
        let decided = DocumentResponses.of(document, hasTag: true, .revalidated(isShared: false, ["Authorization"]))
        #expect(decided.full.response.headers["Vary"] == "Accept, Accept-Encoding, Accept-Language, Authorization")
        #expect(cached.full.response.headers["Vary"] == "Accept, Accept-Encoding, Accept-Language")
    }

    @Test func theResponsesOfADocumentAreCachedEvenIfAStreamSentTheDocumentFirst() async throws {
        let site = try await Transport.memory.serve()
        let view = try site.api.service.catalog.view(of: "news", parameters: [], locale: .english, caller: .anonymous)
        let document = try await site.api.service.changes(of: view, from: nil).value
        _ = DocumentResponses.event(of: document)
        let decided = DocumentResponses.of(document, hasTag: false, .notStored(["Authorization"]))
        #expect(decided === DocumentResponses.of(document, hasTag: false, .notStored(["Authorization"])))
    }

    @Test(arguments: Transport.allCases)
    func aScreenForUsersRejectsAnonymousCallers(_ transport: Transport) async throws {
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

    // MARK: - Rejections

    private var tenantContext: RequestContext {
        var context = RequestContext(Request(method: "GET", target: "/"))
        context.varyFields = ["Tenant"]
        return context
    }

    @Test(arguments: [
        (Refusal.bodyTooLarge(limit: 1), 413, "body-too-large"), (.chunked, 411, "length-required"),
        (.headTooLong, 431, "head-too-large"), (.expectation, 417, "unmet-expectation"),
        (.tooManyConnections, 503, "unavailable"), (.host(count: 0), 400, "invalid-request"),
        (.unknownTransferCoding, 501, "not-implemented"),
    ])
    func eachRejectionByTheServerIsAnsweredWithItsOwnTypeOfProblem(_ example: (refusal: Refusal, status: Int, type: String)) throws {
        let problem = try #require(Problem(example.refusal as any Error))
        #expect(problem.kind.rawValue == example.type)
        #expect(problem.kind.status == example.status)
        #expect(problem.detail == example.refusal.detail)
    }

    @Test func aLayerThatRejectsARequestRespondsWithTheProblemForItsError() async throws {
        for (error, status) in [(Problem(kind: .notFound, detail: "Gone."), 404), (Secret(), 500)] as [(any Error, Int)] {
            let answer = try await tenantContext.rejected(by: error).answer
            #expect(answer.status == status)
            #expect(answer.headers["Vary"] == "Accept-Encoding, Tenant")
        }
    }

    @Test func aCopyOfARequestContextHasAllPropertiesOfTheOriginal() throws {
        var context = tenantContext
        context.caller = .user("eve")
        context.clientAddress = NetworkAddress("192.0.2.1")
        context.deadline = .after(.seconds(1))
        let copy = context.copy()
        let (user, address, hasDeadline, fields) = (copy.caller.user, copy.clientAddress, copy.deadline != nil, copy.varyFields)
        #expect(user == "eve" && address != nil && hasDeadline && fields == ["Tenant"])
    }

    @Test func theFixedCallerLayerReplacesTheCallerOfARequest() async throws {
        let reply = FixedCaller(.user("eve")).reply(to: tenantContext) { context in
            .response(Response(headers: ["User": context.caller.user ?? "nobody"]))
        }
        #expect(try await reply.answer.headers["User"] == "eve")
    }
}
