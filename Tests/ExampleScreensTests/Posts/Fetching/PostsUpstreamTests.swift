import ExampleRecords
import Foundation
import HTTPClient
import LogLines
import RawServer
import ScreenService
import Testing

@testable import ExampleScreens

/// Tests of fetching posts from servers that respond, fail or hang.
struct PostsUpstreamTests {
    private let pauses = RecordedValues<Duration>()
    private let lines = LogLines()

    @Test func aPageIsRequestedWithTheParametersOfJSONPlaceholder() async throws {
        let server = RawServer(.posts(21...40))
        defer { server.stop() }
        #expect(try await upstream(server.url).posts(onPage: 2) == page(2))
        #expect(server.targets == ["/posts?_page=2&_limit=20"])
        #expect(pauses.all == [])
    }

    @Test func theUpstreamReceivesTheIdsOfTheRequest() async throws {
        let server = RawServer(.posts([]))
        defer { server.stop() }
        let span = "00f067aa0ba902b7"
        let trace = RequestTrace(requestID: "order-66", traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-\(span)-01")
        _ = try await RequestTrace.$current.withValue(trace) { try await upstream(server.url).posts(onPage: 1) }
        let head = try #require(server.heads.first)
        #expect(head.contains("\r\nX-Request-Id: order-66\r\n"))
        #expect(head.contains(/traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-01/) && !head.contains(span))
    }

    @Test func aRequestWithoutATraceSendsNoIds() async throws {
        let server = RawServer(.posts([]))
        defer { server.stop() }
        _ = try await upstream(server.url).posts(onPage: 1)
        let head = try #require(server.heads.first?.lowercased())
        #expect(!head.contains("x-request-id") && !head.contains("traceparent"))
    }

    @Test(arguments: ["/api/v1", "/api/v1/"]) func thePathOfTheBaseURLIsKeptInRequests(path: String) async throws {
        let server = RawServer(.posts([]))
        defer { server.stop() }
        _ = try await upstream(URL(string: "\(server.url)\(path)")!).posts(onPage: 1)
        #expect(server.targets == ["/api/v1/posts?_page=1&_limit=20"])
    }

    @Test func aRefusedConnectionIsReportedAfterThreeAttempts() async {
        let url = URL(string: "http://127.0.0.1:\(RawServer.closedPort())")!
        await #expect(throws: PostsFailure.unreachable) { try await upstream(url).posts(onPage: 1) }
        #expect(pauses.all == [.milliseconds(250), .milliseconds(500)])
    }

    @Test func anUpstreamThatNeverRespondsIsReportedAsSlow() async {
        let server = RawServer(.silence)
        defer { server.stop() }
        let time = ManualTime()
        let client = HTTPClient(now: { time.now })
        let source = upstream(server.url, attempts: 1, client: client)
        let fetching = Task { try await source.posts(onPage: 1) }
        _ = await server.arrival()
        time.advance(by: .seconds(3))
        client.wake()
        await #expect(throws: PostsFailure.slow) { try await fetching.value }
        await server.departure()
        #expect(server.targets.count == 1)
    }

    @Test(arguments: [503, 429]) func aServerErrorThatPersistsIsReportedAfterThreeAttempts(status: Int) async {
        let server = RawServer(.response(status, body: "no"))
        defer { server.stop() }
        await #expect(throws: PostsFailure.status(status)) { try await upstream(server.url).posts(onPage: 1) }
        #expect(server.targets.count == 3)
        #expect(pauses.all == [.milliseconds(250), .milliseconds(500)])
    }

    @Test func aRequestIsRepeatedAfterATemporaryErrorOfTheUpstream() async throws {
        let server = RawServer(.response(500), .response(503, "Retry-After: 1"), .posts(1...20))
        defer { server.stop() }
        #expect(try await upstream(server.url).posts(onPage: 1) == page(1))
        #expect(pauses.all == [.milliseconds(250), .seconds(1)])
    }

    @Test(arguments: [400, 404]) func aClientErrorOfTheUpstreamIsReportedWithoutARetry(status: Int) async {
        let server = RawServer(.response(status, body: "[]"))
        defer { server.stop() }
        await #expect(throws: PostsFailure.status(status)) { try await upstream(server.url).posts(onPage: 1) }
        #expect(server.targets.count == 1)
    }

    @Test(arguments: ["3600", "Wed, 21 Oct 2099 07:28:00 GMT"])
    func anExcessiveDelayInTheRetryAfterHeaderEndsTheAttempts(pause: String) async {
        let server = RawServer(.response(429, "Retry-After: \(pause)"))
        defer { server.stop() }
        await #expect(throws: PostsFailure.status(429)) { try await upstream(server.url).posts(onPage: 1) }
        #expect(server.targets.count == 1)
    }

    @Test func jsonThatIsNotAListOfPostsIsLoggedAndReportedWithoutARetry() async {
        let server = RawServer(.response(200, body: #"[{"id":"one"}]"#))
        defer { server.stop() }
        await #expect(throws: PostsFailure.wrongShape(at: "/0/id")) { try await upstream(server.url).posts(onPage: 2) }
        #expect(server.targets.count == 1)
        #expect(lines.all == [#"warning: a page of posts could not be fetched: cause=wrongShape(at: "/0/id") page=2"#])
    }

    @Test func anEndlessBodyIsReportedAsTooLarge() async {
        let server = RawServer(.endless(head: "HTTP/1.1 200 OK\r\n\r\n[\""))
        defer { server.stop() }
        await #expect(throws: PostsFailure.tooLarge) { try await upstream(server.url).posts(onPage: 1) }
        await server.departure()
        #expect(server.targets.count == 1)
    }

    @Test(arguments: [
        "garbage\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n[]", "HTTP/1.1 abc\r\n\r\n[]", "HTTP/1.1 200 OK\nX\n\n[", "\0\0\0\0", "[]",
        "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 204 None\r\n\r\n[]", "HTTP/1.1 999 Odd\r\n\r\n", "HTTP/1.1 000 Odd\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n[]", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n[",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n[]", "HTTP/1.1 301 Moved\r\nLocation: \r\n\r\n",
        "HTTP/1.1 302 Found\r\n\r\n", "HTTP/1.1 302 Found\r\nLocation: http://[\r\n\r\n", "HTTP/1.1 101 Switch\r\n\r\n[]",
        "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"x\"\r\n\r\n", "HTTP/1.1 200\r\n: x\r\n\r\n[", "ICY 200 OK\r\n\r\n[",
        "HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nDate: x\r\nExpires: -1\r\nContent-Type: ;;\r\n\r\n[", "HTTP/1.1 304 Same\r\n\r\n",
        "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic\r\n\r\n",
    ])
    func aMalformedResponseIsReportedAsAFailure(answer: String) async {
        let server = RawServer(.text(answer))
        defer { server.stop() }
        await #expect(throws: PostsFailure.self) { try await upstream(server.url).posts(onPage: 1) }
    }

    /// Creates an upstream that records its pauses and does not wait for them.
    ///
    /// - Parameter client: the client that sends the requests; `nil` for a client whose clock does not advance, so that no timeout is
    ///   reached.
    private func upstream(_ url: URL, attempts: Int = 3, client: HTTPClient? = nil) -> PostsUpstream {
        let time = ManualTime()
        return PostsUpstream(
            base: url, logger: lines.logger, client: client ?? HTTPClient(now: { time.now }), retries: RetryPolicy(attempts: attempts),
            sleep: { [pauses] in pauses.add($0) }, jitter: { 0 }
        )
    }
}
