import HTTPServer
import Logging
import RawClient
import ScreenModel
import ScreenService
import Synchronization
import Testing

@testable import ScreenHTTP

@Suite struct RequestIDTests {
    private static let field = "X-Request-Id"

    @Test(arguments: Transport.allCases) func theResponseHasTheIdThatTheClientHasSent(_ transport: Transport) async throws {
        let site = try await transport.serve()
        for target in ["/screens/notes", "/screens/notes", "/screens/notes/changes", "/healthz", "/readyz"] {
            let answer = try await site.get(target, [Self.field: "order-66"])
            #expect(answer.headers.values(of: Self.field) == ["order-66"], "\(target)")
        }
        let posted = try await site.post("/screens/notes/changes", #"{"version":""}"#, [Self.field: "order-67"])
        #expect(posted.headers.values(of: Self.field) == ["order-67"])
    }

    @Test(arguments: Transport.allCases) func aResponseToARequestWithoutAnIdHasNone(_ transport: Transport) async throws {
        let site = try await transport.serve()
        #expect(try await site.get("/screens/notes").headers[Self.field] == nil)
    }

    @Test(arguments: Transport.allCases) func anInvalidIdIsReplaced(_ transport: Transport) async throws {
        let site = try await transport.serve()
        for id in ["a b", String(repeating: "x", count: 129)] {
            let answered = try #require(try await site.get("/screens/notes", [Self.field: id]).headers[Self.field])
            #expect(answered != id && !answered.isEmpty)
        }
    }

    @Test(arguments: Transport.allCases) func aProblemHasTheIdOfItsRequest(_ transport: Transport) async throws {
        let site = try await transport.serve()
        for target in ["/screens/none", "/screens/notes?list=none", "/none"] {
            let problem = try await site.get(target, [Self.field: "order-66"])
            #expect(problem.headers.values(of: Self.field) == ["order-66"])
            #expect(try problem.json["requestId"]?.text == "order-66")
            let unnamed = try await site.get(target)
            let id = try #require(unnamed.headers[Self.field])
            #expect(try id.count == 32 && unnamed.json["requestId"]?.text == id, "\(target)")
        }
    }

    @Test func aRequestThatALayerRejectsHasAnId() async throws {
        let site = try await Transport.memory.serve(middleware: [AllowedHosts()])
        let answer = try await site.get("/screens/notes", ["Host": "evil.example", Self.field: "a"])
        #expect(try answer.status == 421 && answer.json["requestId"]?.text == "a")
    }

    /// A layer in front of which nothing sets the trace, and which replies with the current trace.
    private struct Tracing: Middleware {
        let seen: @Sendable (RequestTrace?) -> Void

        func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply {
            seen(context.trace)
            let context = context.copy()
            return .deferred { [seen] in
                seen(RequestTrace.current)
                return next(context.copy())
            }
        }
    }

    @Test func theWorkOfARequestHasItsTrace() async throws {
        let seen = Mutex<[String?]>([])
        let layer = Tracing { trace in seen.withLock { $0.append(trace?.requestID) } }
        let site = try await Transport.memory.serve(middleware: [layer, FixedCaller(.user("ada"))])
        _ = try await site.get("/screens/notes", [Self.field: "a"])
        #expect(seen.withLock { $0 } == ["a", "a"])
    }

    @Test func theLogLineOfAFailedRequestHasItsTrace() async throws {
        struct Failure: Error {}
        let lines = Mutex<[String]>([])
        let logger = Logger(label: "test") { _ in
            Noting { line in lines.withLock { $0.append("\(line) of \(RequestTrace.current?.requestID ?? "none")") } }
        }
        let (api, notes) = try await Site.parts(publicFolder: nil, logger: logger)
        notes.fail(with: Failure())
        let request = Request(method: "GET", target: "/screens/notes", headers: [Self.field: "a"])
        #expect(try await api.reply(to: request).answer.status == 500)
        #expect(lines.withLock { $0 } == ["a request failed of a"])
    }

    /// A log handler that calls a function with each message.
    private struct Noting: LogHandler {
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.error
        let note: @Sendable (String) -> Void

        init(_ note: @escaping @Sendable (String) -> Void) {
            self.note = note
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { note("\(event.message)") }
    }
}
