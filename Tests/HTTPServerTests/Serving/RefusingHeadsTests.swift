import HTTPServer
import RawClient
import Testing

/// Tests of heads that a proxy and the server may read differently. The bytes after such a head must never be treated as a request.
@Suite(.timeLimit(.minutes(1))) struct RefusingHeadsTests {
    private static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: test\r\n\r\n"

    private func expectRefusal(_ head: String, status: Int = 400) async throws {
        try await serve { address, _ in
            let client = try await RawClient(address)
            let answer = try await client.ask(head + Self.smuggled)
            #expect(answer.status == status)
            #expect(answer.headers["Content-Type"] == "test/problem")
            #expect(answer.headers["Connection"] == "close")
            #expect(try await client.untilClosed() == "")
        }
    }

    @Test(arguments: [
        "Content-Length:\r\n 41\r\n\r\n",
        "Content-Length: 41\r\nTransfer-Encoding:\r\n chunked\r\n\r\n",
        "X: a\r\n\tb\r\n\r\n",
        "X: a\r\n \r\n\r\n",
        "X: a\r\n b\r\n c\r\nY: d\r\n\r\n",
    ])
    func aFoldedHeaderFieldIsRejected(_ fields: String) async throws {
        try await expectRefusal("POST / HTTP/1.1\r\nHost: test\r\n\(fields)")
    }

    @Test(arguments: [
        "GET /\0 HTTP/1.1\r\nHost: test\r\n\r\n",
        "GET /a\0b HTTP/1.1\r\nHost: test\r\n\r\n",
        "GET /?a\0b=c&d HTTP/1.1\r\nHost: test\r\n\r\n",
        "GE\0T / HTTP/1.1\r\nHost: test\r\n\r\n",
        "GET\0 / HTTP/1.1\r\nHost: test\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: test\0\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: test\0other\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: test\r\nX:\0\0Content-Length\0 5\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: test\r\nX: a\0\0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\0, gzip\r\n\r\n0\r\n\r\n",
    ])
    func aHeadWithAZeroByteIsRejected(_ head: String) async throws {
        try await expectRefusal(head)
    }

    @Test(arguments: [": x\r\nX: y\r\n\r\n", ":\r\n\r\n", "X: y\r\n:\r\n\r\n"])
    func aHeaderFieldWithoutANameIsRejected(_ fields: String) async throws {
        try await expectRefusal("GET / HTTP/1.1\r\nHost: test\r\n\(fields)")
    }

    @Test(arguments: [
        "GET / HTTP/1.1\nHost: test\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: test\n\r\n",
        "GET / HTTP/1.1\r\nHost: test\r\n\n",
        "GET / HTTP/1.1\r\nHost: test\n\n",
        "GET / HTTP/1.1\nHost: test\n\n",
        "GET / HTTP/1.1\r\nHost: test\nX: y\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: test\r\nX: a\rb\r\n\r\n",
        "GET /a\rb HTTP/1.1\r\nHost: test\r\n\r\n",
    ])
    func aCarriageReturnOrLineFeedAloneIsRejected(_ head: String) async throws {
        try await expectRefusal(head)
    }

    @Test(arguments: ["GET /a b HTTP/1.1", "GET  / HTTP/1.1", "GET /\ta HTTP/1.1", "G(T / HTTP/1.1", "GET /\u{7F} HTTP/1.1"])
    func aMalformedRequestLineIsRejected(_ line: String) async throws {
        try await expectRefusal("\(line)\r\nHost: test\r\n\r\n")
    }

    @Test(arguments: [
        "GET / HTTP/1.2\r\nHost: test\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: test\r\nHost: other\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: user@test\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: test\r\nX: a\u{1}b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: test\r\nX(y): a\r\n\r\n",
        "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
        "POST / HTTP/1.1\r\nHost: test\r\nContent-Length : 3\r\n\r\nabc",
        "POST / HTTP/1.1\r\nHost: test\r\nExpect: 100-continue\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 0\r\nExpect: 100-continue\r\n\r\n",
    ])
    func anInvalidHeadIsRejected(_ head: String) async throws {
        try await expectRefusal(head)
    }

    @Test(arguments: [
        ("Transfer-Encoding: chunked", 411), ("Expect: 100-continue\r\nTransfer-Encoding: chunked", 411),
        ("Transfer-Encoding: gzip", 501), ("Transfer-Encoding: gzip, chunked", 501), ("Expect: 100-continue, foo", 417),
    ])
    func anUnsupportedHeaderFieldIsRejectedWithTheStatusForTheReason(_ field: String, status: Int) async throws {
        try await expectRefusal("POST / HTTP/1.1\r\nHost: test\r\n\(field)\r\n\r\n", status: status)
    }

    /// libmicrohttpd itself rejects these lengths, and does not call the code of the server.
    @Test(arguments: ["-1", "+1", "1x", "1, 1", "0x1", ""]) func aContentLengthThatIsNotANumberIsRejected(_ length: String) async throws {
        try await serve { address, _ in
            let client = try await RawClient(address)
            #expect(try await client.ask("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: \(length)\r\n\r\n").status == 400)
            _ = try await client.untilClosed()
        }
    }

    @Test(arguments: ["", "TEST.example:8080", "[::1]:80", " test "]) func aRequestWithAValidHostIsAnswered(_ host: String) async throws {
        try await serve { address, _ in
            let answer = try await RawClient(address).ask("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            #expect(answer.status == 200)
        }
    }

    /// If libmicrohttpd parsed the cookies of clients, it would answer some of these requests with its own error page.
    @Test(
        arguments: ["theme=\"", "\"", "a=b; c=\"abc", "=", ";;"]
            + [2000, 3900, 6000, 7500].map { "a=\"" + String(repeating: "x", count: $0) })
    func aRequestWithAnyCookieIsServed(_ cookie: String) async throws {
        try await serve { address, _ in
            let client = try await RawClient(address)
            for _ in 0..<2 { #expect(try await client.ask(get("/", "Cookie: \(cookie)")).text == "GET / ") }
        }
    }

    /// libmicrohttpd treats a line that begins with a zero byte as an empty line. The request in this line is not performed.
    @Test func aFirstLineThatBeginsWithAZeroByteIsIgnored() async throws {
        try await serve { address, _ in
            let client = try await RawClient(address, sending: "\0GET /evil HTTP/1.1\r\n" + get("/", "Connection: close"))
            #expect(try await client.response().text == "GET / ")
            #expect(try await client.untilClosed() == "")
        }
    }

    @Test func aHeadCanArriveByteByByteOrTogetherWithAnotherHead() async throws {
        try await serve { address, _ in
            let client = try await RawClient(address)
            let head = get("/a?b=c+d&e=%41&f", "Cookie: a=b; c=d", "X:", "Y: ", "Z: \ta b\t", "Accept: */*")
            for byte in head.utf8 { try await client.send([byte]) }
            #expect(try await client.response().text == "GET /a?b=c+d&e=%41&f ")
            try await client.send("\r\n" + head + head)
            #expect(try await client.response().status == 200)
            #expect(try await client.response().status == 200)
        }
    }
}
