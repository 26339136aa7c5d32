import Foundation
import HTTPClient
import RawServer
import Testing

struct RequestsTests {
    private func kept(_ body: String = "a") -> RawServer.Answer {
        .kept(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))
    }

    /// Sends a request. Returns the lines of the head that the server receives. All lines after the first are sorted.
    private func lines(_ method: String, headers: HTTPHeaders = [:], body: String = "") async throws -> [String] {
        let server = RawServer(.response())
        defer { server.stop() }
        _ = try await HTTPClient().answer(method, URL(string: "\(server.url)/a?b=c%20d#e")!, headers: headers, body: body)
        #expect(server.bodies == [Array(body.utf8)])
        let lines = server.heads[0].split(separator: "\r\n").map { String($0).replacing(":\(server.port)", with: ":PORT") }
        return [lines[0]] + lines.dropFirst().sorted()
    }

    @Test(arguments: ["GET", "DELETE", "OPTIONS", "HEAD", "REPORT"])
    func aRequestWithoutABodyHasNoContentLength(method: String) async throws {
        #expect(
            try await lines(method) == [
                "\(method) /a?b=c%20d HTTP/1.1", "Accept-Encoding: deflate, gzip, br, zstd", "Accept: */*", "Host: 127.0.0.1:PORT",
                "User-Agent: relist",
            ])
    }

    @Test(arguments: ["POST", "PUT", "PATCH"])
    func anEmptyBodyHasAContentLengthOfZeroIfTheMethodIsPostPutOrPatch(method: String) async throws {
        #expect(
            try await lines(method) == [
                "\(method) /a?b=c%20d HTTP/1.1", "Accept-Encoding: deflate, gzip, br, zstd", "Accept: */*", "Content-Length: 0",
                "Host: 127.0.0.1:PORT", "User-Agent: relist",
            ])
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "GET"]) func aRequestIsSentWithItsHeadersAndItsBody(method: String) async throws {
        let headers: HTTPHeaders = [
            "content-type": "application/json", "X-Two": "1", "X-Two": "2", "X-Empty": "", "X-Blank": "\t ", "user-agent": "other",
            "Accept": "a, b;q=0.5", "Idempotency-Key": #""k:é""#,
        ]
        #expect(
            try await lines(method, headers: headers, body: "{\0}") == [
                "\(method) /a?b=c%20d HTTP/1.1", "Accept-Encoding: deflate, gzip, br, zstd", "Accept: a, b;q=0.5", "Content-Length: 3",
                "Host: 127.0.0.1:PORT", #"Idempotency-Key: "k:é""#, "X-Blank:", "X-Empty:", "X-Two: 1", "X-Two: 2",
                "content-type: application/json", "user-agent: other",
            ])
    }

    @Test func aLongBodyIsSentWithoutWaitingForAnInformationalResponse() async throws {
        let server = RawServer(.response(body: "a"))
        defer { server.stop() }
        let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        #expect(try await HTTPClient().send(HTTPRequest("PUT", server.url, body: body)).status == 200)
        #expect(server.bodies == [body])
        #expect(!server.heads[0].contains("Expect"))
    }

    @Test(arguments: ["a\r\nX-Other: b", "a\n", "\r", "a\0", "a\u{7F}", "\u{1B}"])
    func aHeaderOrMethodWithAControlCharacterIsRejected(value: String) async {
        let server = RawServer(.response())
        defer { server.stop() }
        await #expect(throws: HTTPClientError.invalidRequest(.header("X"))) {
            try await HTTPClient().answer("GET", server.url, headers: ["X": value])
        }
        await #expect(throws: HTTPClientError.invalidRequest(.header("X\(value)"))) {
            try await HTTPClient().answer("GET", server.url, headers: ["X\(value)": "a"])
        }
        await #expect(throws: HTTPClientError.invalidRequest(.method)) { try await HTTPClient().answer("GET\(value)", server.url) }
        #expect(server.connectionCount == 0)
    }

    @Test(arguments: ["", "a b", "a:", "é", "Content-Length", "content-length", "Transfer-Encoding"])
    func aHeaderThatMustNotBeSetIsRejected(name: String) async {
        let server = RawServer(.response())
        defer { server.stop() }
        await #expect(throws: HTTPClientError.invalidRequest(.header(name))) {
            try await HTTPClient().stream(HTTPRequest("POST", server.url, headers: [name: "1"]))
        }
        #expect(server.connectionCount == 0)
    }

    @Test(
        arguments: [
            ("", .method), ("GE T", .method), ("CONNECT", .method), ("HEAD", .body), ("TRACE", .body),
        ] as [(String, HTTPRequest.Fault)]
    )
    func aMethodThatCannotBeSentIsRejected(_ example: (method: String, fault: HTTPRequest.Fault)) async {
        let url = URL(string: "http://127.0.0.1:\(RawServer.closedPort())")!
        await #expect(throws: HTTPClientError.invalidRequest(example.fault)) {
            try await HTTPClient().answer(example.method, url, body: "a")
        }
    }

    @Test func consecutiveRequestsShareAConnection() async throws {
        let server = RawServer(kept())
        defer { server.stop() }
        let client = HTTPClient()
        for method in ["GET", "POST", "HEAD", "PUT", "GET"] { _ = try await client.answer(method, server.url) }
        #expect(try await client.stream(HTTPRequest("GET", server.url)).rest() == Array("a".utf8))
        #expect(server.heads.count == 6)
        #expect(server.connectionCount == 1)
    }

    @Test func aRequestIsRepeatedOnANewConnectionOnlyIfItsMethodIsIdempotent() async throws {
        for (method, count) in [("GET", 3), ("PUT", 3), ("POST", 2), ("PATCH", 2)] {
            // The server answers the second request by closing the connection.
            let server = RawServer(kept(), .bytes([]), kept("b"))
            defer { server.stop() }
            let client = HTTPClient()
            #expect(try await client.answer("GET", server.url) == Answer(200, "a"))
            if count == 3 {
                #expect(try await client.answer(method, server.url) == Answer(200, "b"))
            } else {
                await #expect(throws: HTTPClientError.incomplete) { try await client.answer(method, server.url) }
            }
            #expect(server.heads.count == count)
        }
    }

    @Test func namesOfHeadersAreComparedWithoutRegardToCase() {
        var headers: HTTPHeaders = ["Accept": "a", "X": "1", "accept": "b"]
        #expect(headers["ACCEPT"] == "a")
        #expect(headers.values(of: "aCCept") == ["a", "b"])
        headers["accepT"] = "c"
        #expect(headers == ["X": "1", "accepT": "c"])
        headers["x"] = nil
        #expect(headers == ["accepT": "c"])
        #expect(HTTPHeaders()["K"] == nil)
        // The Kelvin sign is not an ASCII letter, so it does not match `K`.
        #expect((["\u{212A}": "1"] as HTTPHeaders)["K"] == nil)
    }
}
