import HTTPServer
import RawClient
import ScreenService
import ScreenWire
import Testing

@testable import ScreenHTTP

@Suite(.serialized) struct ActionsTests {
    private static let path = "/screens/notes/actions/add"
    private static let json: Headers = ["Content-Type": "application/json"]

    private func body(_ text: String, from version: String? = nil) -> String {
        let version = version.map { #""version":"\#($0)","# } ?? ""
        return #"{\#(version)"input":{"te/xt":"\#(text)"}}"#
    }

    @Test(arguments: Transport.allCases)
    func theResponseToAnActionContainsTheChangesOfTheScreen(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let old = try await site.get("/screens/notes?list=home").version
        let answer = try await site.post(Self.path + "?list=home", body("green", from: old), Self.json)
        #expect(answer.status == 200)
        #expect(answer.headers["Content-Type"] == "application/json")
        #expect(answer.headers["Cache-Control"] == "no-store")
        let stage = #"{"insertCells":[{"at":[0,2],"cells":[{"id":"green","type":"note","text":"note green"}]}]}"#
        #expect(answer.text.hasSuffix(#""stages":[\#(stage)]}"#))
        #expect(try answer.json["from"]?.text == old)
        #expect(try answer.version == (try await site.get("/screens/notes?list=home")).version)
    }

    @Test(arguments: Transport.allCases)
    func theProblemForMalformedInputPointsToTheInvalidFields(_ transport: Transport) async throws {
        let site = try await transport.serve()
        for body in [#"{}"#, #"{"input":{}}"#, #"{"input":{"te/xt":1}}"#, #"{"input":{"te/xt":"\#(String(repeating: "a", count: 21))"}}"#] {
            let answer = try await site.post(Self.path, body, Self.json)
            try answer.expectProblem("invalid-input", 400, at: ["pointer /input/te~1xt"])
        }
        #expect(try site.notes.notes(in: "inbox")?.count == 5)
    }

    @Test(arguments: Transport.allCases)
    func aMalformedBodyIsAnsweredWithAProblem(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let bodies: [(String, [String])] = [
            ("", []), ("x", []), ("[]", []), (#"{"version":1,"input":{}}"#, ["pointer /version"]),
            (#"{"input":[]}"#, ["pointer /input"]), (#"{"input":"a"}"#, ["pointer /input"]),
        ]
        for (body, places) in bodies {
            let answer = try await site.post(Self.path, body, Self.json)
            #expect(try answer.expectProblem("invalid-body", 400, at: places).contains(#""input": {…}"#))
        }
    }

    @Test(arguments: Transport.allCases)
    func theProblemForBrokenRulesPointsToTheFieldsThatBreakThem(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let answer = try await site.post(Self.path, body("spam"), Self.json)
        let detail = try answer.expectProblem("broken-rule", 422, at: ["pointer /input/te~1xt", "pointer /input"])
        #expect(detail == "No spam. Please.")
    }

    @Test(arguments: Transport.allCases, [nil, "text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""])
    func aBodyThatIsNotDeclaredAsJSONIsRejectedWithAHintForCurl(_ transport: Transport, _ type: String?) async throws {
        let site = try await transport.serve()
        let headers: Headers = type.map { ["Content-Type": $0] } ?? [:]
        let answer = try await site.post(Self.path, body("green"), headers)
        #expect(try answer.expectProblem("unsupported-media-type", 415).contains("--json"))
        #expect(try site.notes.notes(in: "inbox")?.count == 5)
    }

    @Test(arguments: Transport.allCases, ["application/json; charset=utf-8", "Application/JSON", "application/json ;x=y"])
    func aBodyWhoseContentTypeIsJSONWithParametersIsAccepted(_ transport: Transport, _ type: String) async throws {
        let site = try await transport.serve()
        #expect(try await site.post(Self.path, body("green"), ["Content-Type": type]).status == 200)
    }

    @Test(arguments: Transport.allCases)
    func anUnknownActionOrUnsupportedMethodIsAnsweredWithAProblem(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let unknown = try await site.post("/screens/notes/actions/fly", "{}", Self.json)
        #expect(try unknown.expectProblem("unknown-action", 404).contains("There are: add."))
        let none = try await site.post("/screens/news/actions/fly", "{}", Self.json)
        #expect(try none.expectProblem("unknown-action", 404).contains("It has none."))
        try await site.post("/screens/nothing/actions/fly", "{}", Self.json).expectProblem("unknown-screen", 404)
        let get = try await site.get(Self.path)
        try get.expectProblem("method-not-allowed", 405)
        #expect(get.headers["Allow"] == "POST, OPTIONS")
    }

    @Test(arguments: Transport.allCases)
    func anActionRequestedTwiceWithOneIdempotencyKeyIsPerformedOnce(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let headers: Headers = ["Content-Type": "application/json", "Idempotency-Key": "k"]
        let old = try await site.get("/screens/notes").version
        let first = try await site.post(Self.path, body("6", from: old), headers)
        let again = try await site.post(Self.path, body("6", from: old), headers)
        #expect(again.body == first.body)
        try await site.post(Self.path, body("7"), headers).expectProblem("reused-key", 422)
        #expect(try site.notes.notes(in: "inbox") == ["1", "2", "3", "4", "5", "6"])
    }

    @Test(arguments: Transport.allCases)
    func theProblemOfARejectedActionStatesThatTheActionWasNotPerformed(_ transport: Transport) async throws {
        let site = try await transport.serve()
        try await site.post(Self.path, "{}").expectProblem("unsupported-media-type", 415, outcome: .notPerformed)
        try await site.post(Self.path, "[]", Self.json).expectProblem("invalid-body", 400, outcome: .notPerformed)
        try await site.post(Self.path + "?a=1", "{}", Self.json)
            .expectProblem("invalid-parameters", 400, at: ["parameter a"], outcome: .notPerformed)
        try await site.post("/screens/notes/actions/fly", "{}", Self.json).expectProblem("unknown-action", 404, outcome: .notPerformed)
        try await site.post("/screens/none/actions/add", "{}", Self.json).expectProblem("unknown-screen", 404, outcome: .notPerformed)
        try await site.get(Self.path).expectProblem("method-not-allowed", 405, outcome: .notPerformed)
        try await site.post(Self.path, body("spam"), Self.json)
            .expectProblem("broken-rule", 422, at: ["pointer /input/te~1xt", "pointer /input"], outcome: .notPerformed)
        let anonymous = try await transport.serve(middleware: [FixedCaller(.anonymous)])
        try await anonymous.post(Self.path, "{}", Self.json).expectProblem("unauthorized", 401, outcome: .notPerformed)
    }

    @Test(arguments: Transport.allCases) func aBodyLargerThan64KBIsRejected(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let body = self.body("green")
        let padding = String(repeating: " ", count: 64 << 10 - body.utf8.count)
        #expect(try await site.post(Self.path, body + padding, Self.json).status == 200)
        let answer = try await site.post(Self.path, body + padding + " ", Self.json)
        #expect(try answer.expectProblem("body-too-large", 413, outcome: .notPerformed).contains("65536"))
    }

    @Test func theBodyLimitOfAnActionAllowsItsLongestTexts() {
        let body = #"{"input":{"text":"\#(String(repeating: #"\ud83d\ude00"#, count: 50_000))"}}"#
        #expect(RequestBody.actionLimit(textLength: 50_000) > body.utf8.count)
        #expect(RequestBody.actionLimit(textLength: 100) == 64 << 10)
    }

    @Test(arguments: [
        (Refusal.bodyTooLarge(limit: 1), "body-too-large"), (.chunked, "length-required"), (.tooManyConnections, "unavailable"),
    ])
    func theProblemOfAnActionThatTheHTTPServerRejectsHasTheOutcomeNotPerformed(_ refusal: Refusal, _ type: String) async throws {
        let site = try await Transport.memory.serve()
        let answer = try await site.ask(Request(method: "POST", target: Self.path, refusal: refusal))
        try answer.expectProblem(type, answer.status, outcome: .notPerformed)
    }

    @Test(arguments: [("\"\"", 400), ("k", 200), ("\"k\"", 200), ("\"", 200)])
    func anIdempotencyKeyMustNotBeEmpty(_ key: String, _ status: Int) async throws {
        let site = try await Transport.socket.serve()
        let answer = try await site.post(Self.path, body("6"), ["Content-Type": "application/json", "Idempotency-Key": key])
        #expect(answer.status == status)
        if status == 400 { try answer.expectProblem("invalid-request", 400, outcome: .notPerformed) }
    }

    /// Anonymous callers cannot be distinguished, so a key must be hard for other callers to guess.
    @Test func theIdempotencyKeyOfAnAnonymousCallerMustBeLong() throws {
        let long = String(repeating: "k", count: 22)
        for key in [long, "\"\(long)\"", String(repeating: "é", count: 22)] {
            #expect(try IdempotencyKey.read(from: ["Idempotency-Key": key], of: .anonymous) == key)
        }
        for key in [String(long.dropLast()), "\"\(long.dropLast(2))\"", String(repeating: "é", count: 21)] {
            let problem = #expect(throws: Problem.self) { try IdempotencyKey.read(from: ["Idempotency-Key": key], of: .anonymous) }
            #expect(problem?.kind == .invalidRequest && problem?.detail.contains("at least 22 characters") == true)
            #expect(try IdempotencyKey.read(from: ["Idempotency-Key": key], of: .user("u")) == key)
        }
    }

    @Test(arguments: Transport.allCases)
    func anIdempotencyKeyIsRejectedIfItIsSentTwiceOrIsTooLongOrMalformed(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let twice: Headers = ["Content-Type": "application/json", "Idempotency-Key": "k", "Idempotency-Key": "l"]
        let long: Headers = ["Content-Type": "application/json", "Idempotency-Key": String(repeating: "k", count: 256)]
        // Invalid UTF-8 is decoded to U+FFFD.
        let unreadable: Headers = ["Content-Type": "application/json", "Idempotency-Key": "k\u{FFFD}"]
        for headers in [twice, long, unreadable] {
            try await site.post(Self.path, body("6"), headers).expectProblem("invalid-request", 400)
        }
        #expect(try site.notes.notes(in: "inbox")?.count == 5)
    }

    // MARK: - Prefer: return=minimal

    private static let minimal: Headers = ["Content-Type": "application/json", "Prefer": "wait=5, return=minimal"]

    @Test(arguments: Transport.allCases)
    func aMinimalResponseToAnActionHasNoBodyAndRequiresNoComputation(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let answer = try await site.post(Self.path, body("6", from: "nonsense"), Self.minimal)
        #expect(answer.status == 204 && answer.body.isEmpty)
        #expect(answer.headers["Preference-Applied"] == "return=minimal")
        #expect(answer.headers["Vary"] == "Accept, Accept-Encoding, Accept-Language, Prefer")
        #expect(answer.headers["Cache-Control"] == "no-store")
        #expect(answer.headers["Content-Type"] == nil)
        #expect(try site.notes.notes(in: "inbox")?.last == "6")
        #expect(site.api.service.metrics.current.computations == 0)
        let full = try await site.post(Self.path, body("7"), Self.json)
        #expect(full.status == 200 && full.headers["Preference-Applied"] == nil)
        #expect(site.api.service.metrics.current.computations == 1)
    }

    @Test(arguments: Transport.allCases)
    func aProblemHasABodyEvenIfTheClientPrefersAMinimalResponse(_ transport: Transport) async throws {
        let site = try await transport.serve()
        let broken = try await site.post(Self.path, body("spam"), Self.minimal)
        #expect(try broken.expectProblem("broken-rule", 422, at: ["pointer /input/te~1xt", "pointer /input"]) == "No spam. Please.")
        #expect(broken.headers["Preference-Applied"] == nil)
    }
}
