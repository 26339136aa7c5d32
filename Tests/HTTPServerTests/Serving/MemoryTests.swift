import HTTPServer
import RawClient
import Synchronization
import Testing

/// Tests of requests whose heads leave little memory for the response.
@Suite(.timeLimit(.minutes(1))) struct MemoryTests {
    private enum Padding: CaseIterable {
        case target, arguments, field, fields, longFields, cookie, cookies

        func head(_ length: Int) -> String {
            let count = length - get("/").utf8.count
            func fill(_ text: String) -> String { String(repeating: text, count: count / text.utf8.count) }
            return switch self {
            case .target: get("/" + fill("x"))
            case .arguments: get("/?" + fill("a&"))
            case .field: get("/", "X: " + fill("x"))
            case .fields: "GET / HTTP/1.1\r\nHost: test\r\n\(fill("X:y\r\n"))\r\n"
            case .longFields: "GET / HTTP/1.1\r\nHost: test\r\n\(fill("X: \(String(repeating: "y", count: 85))\r\n"))\r\n"
            case .cookie: get("/", "Cookie: a=" + fill("x"))
            case .cookies: get("/", "Cookie: " + fill("a=b; "))
            }
        }
    }

    /// A response with a head of about one kilobyte.
    private static let longAnswer = Response(headers: ["X": String(repeating: "x", count: 1000)])

    @Test(arguments: Padding.allCases) private func aRequestIsPerformedOnlyIfMemoryRemainsForItsResponse(_ padding: Padding) async throws {
        let calls = Mutex(0)
        let handler: HTTPServer.Handler = { _ in
            calls.withLock { $0 += 1 }
            return .response(Self.longAnswer)
        }
        try await serve(handler: handler) { address, _ in
            var answered = 0
            for length in stride(from: 100, through: 9600, by: 190) {
                let status = try await RawClient(address).ask(padding.head(length)).status
                #expect([200, 414, 431].contains(status))
                if status == 200 { answered += 1 }
                #expect(calls.withLock { $0 } == answered)
            }
            #expect(answered > 0)
        }
    }

    /// The memory of a connection also holds the bytes of later requests that were received together with the first request.
    @Test(arguments: Padding.allCases)
    private func pipelinedRequestsLeaveMemoryForTheResponseToTheFirstRequest(_ padding: Padding) async throws {
        let calls = Mutex(0)
        let handler: HTTPServer.Handler = { request in
            if request.target != "/later" { calls.withLock { $0 += 1 } }
            return .response(Self.longAnswer)
        }
        let later = String(repeating: get("/later"), count: 300)
        try await serve(handler: handler) { address, _ in
            var answered = 0
            for length in stride(from: 100, through: 9600, by: 95) {
                let client = try await RawClient(address)
                // After the server has rejected the first request, it reads no more bytes, so sending can fail.
                try? await client.send(padding.head(length) + later)
                if (try? await client.response().status) == 200 { answered += 1 }
                #expect(calls.withLock { $0 } == answered, "\(length)")
            }
            #expect(answered > 0)
        }
    }

    /// The heads in this test leave libmicrohttpd no memory for a response.
    @Test(arguments: Padding.allCases) private func aRequestThatFillsTheMemoryIsNotPerformed(_ padding: Padding) async throws {
        let calls = Mutex(0)
        try await serve(handler: {
            calls.withLock { $0 += 1 }; return echo($0)
        }) { address, _ in
            for length in stride(from: 9600, through: 10_300, by: 25) {
                let client = try await RawClient(address, sending: padding.head(length))
                _ = try? await client.rest()
            }
        }
        #expect(calls.withLock { $0 } == 0)
    }

    @Test func theLongestAcceptedHeadLeavesMemoryForALargeBody() async throws {
        try await serve { address, _ in
            let body = String(repeating: "b", count: 1 << 20)
            let fields = "Host: test\r\nContent-Length: \(body.utf8.count)\r\nX: "
            let head = "POST / HTTP/1.1\r\n\(fields)\(String(repeating: "x", count: 7900))\r\n\r\n"
            let answer = try await RawClient(address).ask(head + body)
            #expect(answer.text == "POST / \(body)")
        }
    }
}
