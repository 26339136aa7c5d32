import HTTPServer
import RawClient
import ScreenHTTP
import ScreenWire
import Testing

@Suite(.serialized) struct ChangesBodyTests {
    private static let deep = String(repeating: "[", count: 100_000)

    @Test(
        arguments: Transport.allCases,
        [
            ("", "empty"), ("version=1", "not JSON"), (#"{"version":"a"} x"#, "not JSON"), (#"{"version":"a""#, "not JSON"),
            (#"{"version":"a","version":"b"}"#, "not JSON"), (#"{"version":"\x"}"#, "not JSON"), (deep, "nested deeper"),
            (#"{"x":"# + deep, "nested deeper"), ("[]", "an array, not an object"), (#""a""#, "a string, not an object"),
            ("null", "null, not an object"), ("1", "a number, not an object"),
        ])
    func aBodyThatIsNotAnObjectIsInvalid(_ transport: Transport, _ example: (body: String, reason: String)) async throws {
        let site = try await transport.serve()
        let detail = try await site.post("/screens/notes/changes", example.body).expectProblem("invalid-body", 400)
        #expect(detail.contains(example.reason))
        #expect(detail.contains(#"{"version": "…"}"#))
        #expect(try await site.get("/screens/notes").status == 200)
    }

    @Test(
        arguments: Transport.allCases,
        [
            ("{}", "no version"), (#"{"Version":"a"}"#, "no version"), (#"{"x":{"version":"a"}}"#, "no version"),
            (#"{"version":1}"#, "a number"), (#"{"version":null}"#, "null"), (#"{"version":["a"]}"#, "an array"),
            (#"{"version":{"version":"a"}}"#, "an object"), (#"{"version":true}"#, "a boolean"),
        ])
    func theProblemOfABodyWithoutAVersionPointsToVersion(_ transport: Transport, _ example: (body: String, reason: String)) async throws {
        let site = try await transport.serve()
        let answer = try await site.post("/screens/notes/changes", example.body)
        #expect(try answer.expectProblem("invalid-body", 400, at: ["pointer /version"]).contains(example.reason))
        #expect(try await site.get("/screens/notes").status == 200)
    }

    @Test(arguments: Transport.allCases, [[0xFF], [0xC3], [0xC0, 0xAE], [0xED, 0xA0, 0x80]] as [[UInt8]])
    func aBodyThatIsNotUTF8IsInvalid(_ transport: Transport, _ bytes: [UInt8]) async throws {
        let site = try await transport.serve()
        let body = Array(#"{"version":""#.utf8) + bytes + Array(#""}"#.utf8)
        let answer = try await site.ask(Request(method: "POST", target: "/screens/notes/changes"), body: body)
        #expect(try answer.expectProblem("invalid-body", 400).contains("not UTF-8"))
        #expect(try await site.get("/screens/notes").status == 200)
    }

    /// The HTTP server checks the limit, so this test needs a socket.
    @Test func aBodyLargerThanOneMebibyteIsRejected() async throws {
        let site = try await Transport.socket.serve()
        let frame = #"{"version":""}"#.utf8.count
        let longest = String(repeating: "a", count: 1 << 20 - frame)
        #expect(try await site.changes("/screens/notes/changes", since: longest).json["reason"]?.text == "unknown-version")
        let answer = try await site.changes("/screens/notes/changes", since: longest + "a")
        #expect(try answer.expectProblem("body-too-large", 413).contains("1048576"))
        #expect(try await site.get("/screens/notes").status == 200)
    }

    private struct NothingRead: Error {}

    @Test func aLargeBodyIsNotParsedOnTheEventLoop() async throws {
        let site = try await Transport.memory.serve()
        let version = try await site.get("/screens/notes").version
        _ = try await site.changes("/screens/notes/changes", since: version)
        for (padding, isImmediate) in [(0, true), (100_000, false)] {
            let body = #"{"padding":"\#(String(repeating: " ", count: padding))","version":"\#(version)"}"#
            guard case .reading(let reading) = site.api.reply(to: Request(method: "POST", target: "/screens/notes/changes")).content
            else { throw NothingRead() }
            let reply = try reading.read(.success(Array(body.utf8)))
            if case .now = reply.content { #expect(isImmediate) } else { #expect(!isImmediate) }
            #expect(try await reply.answer.status == 200)
        }
        let broken = String(repeating: "[", count: 100_000)
        try await site.post("/screens/notes/changes", broken).expectProblem("invalid-body", 400)
    }
}
