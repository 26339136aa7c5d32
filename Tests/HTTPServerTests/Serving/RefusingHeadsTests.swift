import HTTPServer
import RawClient
import Testing

/// Heads that two parties may read differently. What is behind them must never be taken for a request.
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
    func aFoldedFieldIsRefused(_ fields: String) async throws {
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
    func aZeroByteIsRefused(_ head: String) async throws {
        try await expectRefusal(head)
    }

    @Test(arguments: [": x\r\nX: y\r\n\r\n", ":\r\n\r\n", "X: y\r\n:\r\n\r\n"])
    func aFieldWithoutANameIsRefused(_ fields: String) async throws {
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
    func aLineThatEndsWithOneByteIsRefused(_ head: String) async throws {
        try await expectRefusal(head)
    }

    @Test(arguments: ["GET /a b HTTP/1.1", "GET  / HTTP/1.1", "GET /\ta HTTP/1.1", "G(T / HTTP/1.1", "GET /\u{7F} HTTP/1.1"])
    func aRequestLineThatIsNotThreeWordsIsRefused(_ line: String) async throws {
        try await expectRefusal("\(line)\r\nHost: test\r\n\r\n")
    }

    @Test(arguments: ["a b", "a/b", "user@test", "test:80a", "test:80:80", "[::1", "::1", "[test]", "%zz", "naïve", "a,b c", "\"test\""])
    func aHostThatIsNoneIsRefused(_ host: String) async throws {
        try await expectRefusal("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
    }

    @Test(arguments: ["", "Content-Length: 0\r\n"]) func whoSendsNoBodyMayNotWaitToBeAskedForIt(_ length: String) async throws {
        try await expectRefusal("POST / HTTP/1.1\r\nHost: test\r\n\(length)Expect: 100-continue\r\n\r\n")
    }

    @Test(arguments: ["", "Expect: 100-continue\r\n"]) func aBodyInChunksIs411(_ field: String) async throws {
        try await expectRefusal("POST / HTTP/1.1\r\nHost: test\r\n\(field)Transfer-Encoding: chunked\r\n\r\n", status: 411)
    }

    @Test(arguments: ["gzip", "gzip, chunked"]) func aTransferCodingThatIsNotKnownIs501(_ coding: String) async throws {
        try await expectRefusal("POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: \(coding)\r\n\r\n0\r\n\r\n", status: 501)
    }

    @Test(arguments: ["foo", "100-continue, foo", "200-maybe"])
    func anExpectationThatIsNotKnownIs417(_ expectation: String) async throws {
        try await expectRefusal("GET / HTTP/1.1\r\nHost: test\r\nExpect: \(expectation)\r\n\r\n", status: 417)
    }

    @Test(arguments: ["", "test", "TEST.example:8080", "test:", "[::1]:80", "[::ffff:1.2.3.4]", "127.0.0.1", "a_b~c!$&'()*+,;=%41", " test "])
    func whatMayBeAHostIsServed(_ host: String) async throws {
        try await serve { address, _ in
            let answer = try await RawClient(address).ask("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            #expect(answer.status == 200)
        }
    }

    /// The library would parse them, and answer some with a page of its own.
    @Test(arguments: ["theme=\"", "\"", "a=b; c=\"abc", "a=\"\(String(repeating: "x", count: 2000))", "=", ";;"])
    func aCookieOfAnyFormIsPassedOver(_ cookie: String) async throws {
        try await serve { address, _ in
            let client = try await RawClient(address)
            for _ in 0..<2 { #expect(try await client.ask(get("/", "Cookie: \(cookie)")).text == "GET / ") }
        }
    }

    @Test(arguments: [3900, 6000, 7500]) func aCookieThatHasRoomIsPassedOver(size: Int) async throws {
        try await serve { address, _ in
            let cookie = "Cookie: a=" + String(repeating: "b", count: size)
            let answer = try await RawClient(address).ask(get("/", cookie))
            #expect(answer.text == "GET / ")
        }
    }

    /// The library takes the first line for an empty one; nothing in it is performed.
    @Test func aLineThatBeginsWithAZeroByteBeforeARequestIsPassedOver() async throws {
        try await serve { address, _ in
            let client = try await RawClient(address, sending: "\0GET /evil HTTP/1.1\r\n" + get("/", "Connection: close"))
            #expect(try await client.response().text == "GET / ")
            #expect(try await client.untilClosed() == "")
        }
    }

    @Test func aHeadMayComeInPiecesAndBehindAnother() async throws {
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
