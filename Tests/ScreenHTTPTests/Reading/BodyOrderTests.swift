import HTTPServer
import RawClient
import ScreenHTTP
import ScreenService
import Testing

/// Tests of the order of checks. The server sends `100 Continue` only after it has checked the route and the caller.
@Suite(.serialized) struct BodyOrderTests {
    private func ask(_ site: LiveSite, _ line: String, _ fields: String = "") async throws -> RawResponse {
        let client = try await RawClient(site.address)
        let head = "\(line) HTTP/1.1\r\nHost: test\r\n\(fields)Content-Length: 10\r\nExpect: 100-continue\r\n\r\n"
        try await client.send(Array(head.utf8))
        return try await client.response()
    }

    @Test(arguments: [
        ("POST /none", "method-not-allowed", 405), ("POST /screens/none/changes", "unknown-screen", 404),
        ("DELETE /screens/notes/changes", "method-not-allowed", 405),
        ("POST /screens/notes/actions/none", "unknown-action", 404),
        ("POST /screens/notes/actions/add", "unsupported-media-type", 415),
    ])
    func anInvalidRequestIsRejectedBeforeItsBodyIsSent(_ example: (line: String, problem: String, status: Int)) async throws {
        let site = try await LiveSite()
        try await ask(site, example.line).expectProblem(example.problem, example.status)
    }

    @Test(arguments: ["changes", "actions/add"]) func anUnauthorizedCallerIsRejectedBeforeTheBodyIsSent(_ path: String) async throws {
        let site = try await LiveSite(middleware: [])
        let answer = try await ask(site, "POST /screens/notes/\(path)", "Content-Type: application/json\r\n")
        try answer.expectProblem("unauthorized", 401)
    }

    @Test(arguments: ["changes", "actions/add"]) func aValidRequestIsAnsweredWith100BeforeItsBodyIsSent(_ path: String) async throws {
        let site = try await LiveSite()
        let answer = try await ask(site, "POST /screens/notes/\(path)", "Content-Type: application/json\r\n")
        #expect(answer.status == 100)
    }

    private struct NothingRead: Error {}

    @Test(arguments: ["changes", "actions/add"])
    func theProblemResponseToABodyAboveTheMemoryLimitGoesThroughAllMiddleware(_ path: String) async throws {
        let origin = try #require(CrossOrigin.Origin("https://app.example.com"))
        var ada = Caller.user("ada")
        ada.limitKey = .user("ada")
        let layers: [any Middleware] = [CrossOrigin(allowing: [origin]), FixedCaller(ada)]
        let (api, _) = try await Site.parts(publicFolder: nil, middleware: layers)
        let headers: Headers = ["Content-Type": "application/json", "Origin": "https://app.example.com"]
        let reply = api.reply(to: Request(method: "POST", target: "/screens/notes/\(path)", headers: headers))
        guard case .reading(let reading) = reply.content else { throw NothingRead() }
        #expect(reading.caller as? LimitKey == .user("ada"))
        for (refusal, problem) in [(Refusal.tooManyBodyBytes, "unavailable"), (.tooManyBodyBytesOfCaller, "too-many-requests")] {
            let answer = try RawResponse(try await reply.answer(reading: .failure(refusal)), to: "POST")
            try answer.expectProblem(problem, refusal.status)
            #expect(answer.headers["Retry-After"] == "1")
            #expect(answer.headers["Access-Control-Allow-Origin"] == "https://app.example.com")
        }
    }
}
