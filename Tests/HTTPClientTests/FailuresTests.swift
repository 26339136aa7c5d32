import Foundation
import HTTPClient
import RawServer
import Testing

struct FailuresTests {
    @Test(arguments: [
        "", "HTTP/1.1 2", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nX: y\r\n",
    ])
    func aRequestFailsIfTheHeadOfTheResponseIsIncomplete(head: String) async {
        let server = RawServer(.text(head))
        defer { server.stop() }
        await #expect(throws: HTTPClientError.incomplete) { try await HTTPClient().answer("GET", server.url) }
        #expect(server.targets.count == 1)
    }

    @Test(arguments: [
        "Content-Length: 100\r\n\r\n", "Content-Length: 100\r\n\r\n[1,2]", "Transfer-Encoding: chunked\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n5\r\n[1", "Transfer-Encoding: chunked\r\n\r\n5\r\n[1,2]\r\n",
        "Transfer-Encoding: chunked\r\n\r\n5\r\n[1,2]\r\n0\r\nX-Sum: 1",
        "Transfer-Encoding: chunked\r\n\r\n5\r\n[1,2]\r\n0\r\nX-Sum: 1\r\n",
    ])
    func aRequestFailsIfTheBodyOfTheResponseIsIncomplete(rest: String) async {
        let server = RawServer(.text("HTTP/1.1 200 OK\r\n\(rest)"))
        defer { server.stop() }
        await #expect(throws: HTTPClientError.incomplete) { try await HTTPClient().answer("GET", server.url) }
    }

    @Test(arguments: ["garbage\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n[]", "\0\0\0\0", "[]", "ICY 200 OK\r\n\r\n["])
    func aRequestFailsIfTheResponseIsNotHTTP(bytes: String) async {
        let server = RawServer(.text(bytes))
        defer { server.stop() }
        await #expect(throws: HTTPClientError.incomplete) { try await HTTPClient().answer("GET", server.url) }
    }

    @Test(arguments: ["127.0.0.1:\(RawServer.closedPort())", "name.invalid"])
    func aRequestFailsIfItsServerIsUnreachable(host: String) async {
        await #expect(throws: HTTPClientError.unreachable) { try await HTTPClient().answer("GET", URL(string: "http://\(host)")!) }
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "http:", "relative", "http://127.0.0.1:99999/"])
    func aRequestWithoutAValidHTTPURLIsRejected(url: String) async {
        let error = HTTPClientError.invalidRequest(.url)
        await #expect(throws: error) { try await HTTPClient().answer("GET", URL(string: url)!) }
        await #expect(throws: error) { try await HTTPClient().stream(HTTPRequest("GET", URL(string: url)!)) }
    }

    @Test func aSilentServerIsDisconnectedAfterTheTimeout() async {
        let server = RawServer(.silence)
        defer { server.stop() }
        let time = ManualTime()
        let client = HTTPClient(now: { time.now })
        let response = Task { try await client.send(HTTPRequest("GET", server.url), timeout: .seconds(30)) }
        _ = await server.arrival()
        time.advance(by: .seconds(30))
        client.wake()
        await #expect(throws: HTTPClientError.timedOut(.response)) { try await response.value }
        await server.departure()
        #expect(server.targets.count == 1)
    }

    @Test func aTransferIsAbortedIfTheHeadOfTheResponseDoesNotEnd() async {
        let server = RawServer(.endless(head: "HTTP/1.1 200 OK\r\nX: "))
        defer { server.stop() }
        await #expect(throws: HTTPClientError.self) { try await HTTPClient().answer("GET", server.url) }
        await server.departure()
    }

    @Test func theTimeoutOfARequestIncludesItsRedirects() async {
        let server = RawServer { $0 == "/" ? .response(302, "Location: /next") : .silence }
        defer { server.stop() }
        let time = ManualTime()
        let client = HTTPClient(now: { time.now })
        let response = Task { try await client.send(HTTPRequest("GET", server.url), timeout: .seconds(30)) }
        for _ in 0..<2 {
            _ = await server.arrival()
            time.advance(by: .seconds(15))
        }
        client.wake()
        await #expect(throws: HTTPClientError.timedOut(.response)) { try await response.value }
        await server.departure()
        #expect(server.targets == ["/", "/next"])
    }

    @Test func anEndlessTLSHandshakeFailsWithAConnectTimeout() async {
        // The server waits for a request while the client waits for the server's part of the handshake.
        let server = RawServer(.silence)
        defer { server.stop() }
        let client = HTTPClient(connectTimeout: .milliseconds(20))
        let url = URL(string: "https://127.0.0.1:\(server.port)/")!
        await #expect(throws: HTTPClientError.timedOut(.connect)) { try await client.answer("GET", url) }
        await #expect(throws: HTTPClientError.timedOut(.connect)) { try await client.stream(HTTPRequest("GET", url)) }
        #expect(server.heads == [])
    }

    @Test func aRequestFailsIfTheCertificateOfTheServerIsNotTrusted() async throws {
        let server = try TLSServer()
        defer { server.stop() }
        let url = URL(string: "https://localhost:\(server.port)/")!
        await #expect(throws: HTTPClientError.tls) { try await HTTPClient().answer("GET", url) }
    }
}
