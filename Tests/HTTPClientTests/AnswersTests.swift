import Foundation
import HTTPClient
import RawServer
import Testing

struct AnswersTests {
    @Test(arguments: [200, 201, 299, 400, 404, 429, 500, 503, 599]) func aResponseWithAnyStatusIsReturned(status: Int) async throws {
        let server = RawServer(.response(status, body: "said"))
        defer { server.stop() }
        #expect(try await HTTPClient().answer("GET", server.url) == Answer(status, "said"))
        #expect(server.targets == ["/"])
    }

    @Test(arguments: [("7", 7), ("3600", 3600), ("0", nil), ("soon", nil), ("", nil)] as [(String, Int?)])
    func onlyAValidRetryAfterHeaderIsReturnedAsADelay(_ example: (field: String, seconds: Int?)) async throws {
        let server = RawServer(.response(503, "Retry-After: \(example.field)"))
        defer { server.stop() }
        let response = try await HTTPClient().send(HTTPRequest("GET", server.url))
        #expect(response.retryAfter == example.seconds.map { .seconds($0) })
    }

    @Test func aChunkedBodyIsDecoded() async throws {
        let server = RawServer(.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[1\r\n3\r\n,2]\r\n0\r\n\r\n"))
        defer { server.stop() }
        #expect(try await HTTPClient().answer("GET", server.url) == Answer(200, "[1,2]"))
    }

    @Test(arguments: ["X-Sum: 12\r\n", "X-Sum: 12\r\nExpires: never\r\n", "HTTP: 1\r\n"])
    func trailersAreIgnored(trailers: String) async throws {
        for body in ["", "5\r\n[1,2]\r\n"] {
            let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n\(body)0\r\n\(trailers)\r\n"
            let server = RawServer(.text(text))
            defer { server.stop() }
            #expect(try await HTTPClient().answer("GET", server.url) == Answer(200, body.isEmpty ? "" : "[1,2]"))
        }
    }

    @Test func aBodyWithoutALengthEndsWhenItsConnectionCloses() async throws {
        let server = RawServer(.text("HTTP/1.1 200 OK\r\n\r\n[1,2]"))
        defer { server.stop() }
        #expect(try await HTTPClient().answer("GET", server.url) == Answer(200, "[1,2]"))
    }

    @Test func anInformationalResponseIsSkipped() async throws {
        let server = RawServer(.text("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Gone\r\nContent-Length: 2\r\n\r\nno"))
        defer { server.stop() }
        #expect(try await HTTPClient().answer("GET", server.url) == Answer(404, "no"))
    }

    @Test func theHeadersOfAResponseAreReturnedInTheirOrder() async throws {
        let server = RawServer(.response(200, "Set-Cookie: a=1", "X-Empty:", "X-Odd:  a : b\t", "X-Folded: a", "  b", "set-cookie: b=2"))
        defer { server.stop() }
        let headers = try await HTTPClient().send(HTTPRequest("GET", server.url)).headers
        #expect(headers.fields.map(\.name) == ["Content-Length", "Connection", "Set-Cookie", "X-Empty", "X-Odd", "X-Folded", "set-cookie"])
        #expect(headers.values(of: "SET-cookie") == ["a=1", "b=2"])
        #expect(headers["x-empty"] == "")
        #expect(headers["X-ODD"] == "a : b")
        #expect(headers["X-Folded"] == "a b")
        #expect(headers["X-None"] == nil)
    }

    @Test(arguments: [("GET", 204), ("GET", 304), ("HEAD", 200), ("HEAD", 404), ("HEAD", 304)])
    func aResponseThatHasNoBodyIsCompleteAfterItsHead(_ example: (method: String, status: Int)) async throws {
        // The connection stays open, so the client cannot detect the end of the response by the end of the connection.
        let server = RawServer(.kept(Array("HTTP/1.1 \(example.status) Status\r\nContent-Length: 5000000\r\n\r\n".utf8)))
        defer { server.stop() }
        let client = HTTPClient()
        for _ in 0..<2 { #expect(try await client.answer(example.method, server.url) == Answer(example.status, "")) }
        let stream = try await client.stream(HTTPRequest(example.method, server.url))
        #expect(stream.headers["Content-Length"] == "5000000")
        #expect(try await stream.rest() == [])
        #expect(server.connectionCount == 1)
    }

    @Test func aCompressedBodyThatArrivesByteByByteIsDecompressed() async throws {
        let server = RawServer(
            .script { connection in
                connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(LimitsTests.compressed.count)\r\n\r\n")
                for byte in LimitsTests.compressed { connection.send([byte]) }
            })
        defer { server.stop() }
        let client = HTTPClient()
        let stream = try await client.stream(HTTPRequest("GET", server.url))
        #expect(try await stream.rest() == [UInt8](repeating: 0x61, count: 1000))
    }
}
