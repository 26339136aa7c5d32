import Foundation
import HTTPClient
import RawServer
import Synchronization
import Testing

struct FailuresTests {
    @Test(arguments: [
        "", "HTTP/1.1 2", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nX: y\r\n",
    ])
    func aHeadThatIsCutOffIsNoAnswer(head: String) async {
        let server = RawServer(.text(head))
        defer { server.stop() }
        await #expect(throws: HTTPClient.Failure.unreachable) { try await HTTPClient.patient().get(server.url) }
        #expect(server.targets.count == 1)
    }

    @Test(arguments: [
        "Content-Length: 100\r\n\r\n", "Content-Length: 100\r\n\r\n[1,2]", "Transfer-Encoding: chunked\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n5\r\n[1", "Transfer-Encoding: chunked\r\n\r\n5\r\n[1,2]\r\n",
        "Transfer-Encoding: chunked\r\n\r\n5\r\n[1,2]\r\n0\r\nX-Sum: 1", "Transfer-Encoding: chunked\r\n\r\n5\r\n[1,2]\r\n0\r\nX-Sum: 1\r\n",
    ])
    func aBodyThatIsCutOffIsNoAnswer(rest: String) async {
        let server = RawServer(.text("HTTP/1.1 200 OK\r\n\(rest)"))
        defer { server.stop() }
        await #expect(throws: HTTPClient.Failure.unreachable) { try await HTTPClient.patient().get(server.url) }
    }

    @Test(arguments: ["garbage\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n[]", "\0\0\0\0", "[]", "ICY 200 OK\r\n\r\n["])
    func whatIsNoHTTPIsNoAnswer(bytes: String) async {
        let server = RawServer(.text(bytes))
        defer { server.stop() }
        await #expect(throws: HTTPClient.Failure.unreachable) { try await HTTPClient.patient().get(server.url) }
    }

    @Test(arguments: ["127.0.0.1:\(RawServer.closedPort())", "name.invalid"]) func aServerThatCannotBeReachedIsUnreachable(host: String) async {
        await #expect(throws: HTTPClient.Failure.unreachable) { try await HTTPClient.patient().get(URL(string: "http://\(host)")!) }
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "http:", "relative"])
    func onlyHTTPIsSpoken(url: String) async {
        await #expect(throws: HTTPClient.Failure.unreachable) { try await HTTPClient.patient().get(URL(string: url)!) }
    }

    @Test func whoNeverAnswersIsSlowAndIsLeft() async {
        let server = RawServer(.silence)
        defer { server.stop() }
        // The time is up as soon as the request has arrived.
        let client = HTTPClient.patient { _ in _ = await server.arrival() }
        await #expect(throws: HTTPClient.Failure.slow) { try await client.get(server.url) }
        await server.departure()
        #expect(server.targets.count == 1)
    }

    @Test func aHeadThatNeverEndsIsCutOff() async {
        let server = RawServer(.endless(head: "HTTP/1.1 200 OK\r\nX: "))
        defer { server.stop() }
        let client = HTTPClient.patient { _ in _ = await server.arrival() }
        await #expect(throws: HTTPClient.Failure.self) { try await client.get(server.url) }
        await server.departure()
    }

    @Test func theTimeIsForTheRequestAndItsRedirectsTogether() async {
        let server = RawServer { $0 == "/" ? .response(302, "Location: /next") : .silence }
        defer { server.stop() }
        let timeouts = Mutex<[Duration]>([])
        let client = HTTPClient(timeout: .milliseconds(1234)) { timeout in
            timeouts.withLock { $0.append(timeout) }
            for _ in 0..<2 { _ = await server.arrival() }
        }
        await #expect(throws: HTTPClient.Failure.slow) { try await client.get(server.url) }
        await server.departure()
        #expect(timeouts.withLock { $0 } == [.milliseconds(1234)])
        #expect(server.targets == ["/", "/next"])
    }

    @Test func whoIsCancelledLeaves() async {
        let server = RawServer(.silence)
        defer { server.stop() }
        let getting = Task { try await HTTPClient.patient().get(server.url) }
        _ = await server.arrival()
        getting.cancel()
        await #expect(throws: HTTPClient.Failure.self) { try await getting.value }
        await server.departure()
    }
}
