import ContentCoding
import HTTPServer
import RawClient
import ScreenService
import Testing

@testable import ScreenHTTP

/// A real server with the screens of the tests. Each client has its own connection to it.
final class LiveSite: Sendable {
    let notes: NoteStore
    let api: ScreenAPI
    private let server: HTTPServer
    /// The only coding that clients of streams accept; nil if they accept none.
    private let coding: ContentCoding?

    /// The codings in which the tests of streams run.
    static let codings: [ContentCoding?] = [nil, .gzip]
    let address: BoundAddress

    /// - Parameters:
    ///   - sendBuffer: The size in bytes of the send buffer of a stream's socket.
    ///   - retry: A function that returns the number of milliseconds in the `retry` field of a stream.
    init(
        coding: ContentCoding? = nil, sendBuffer: Int = 32 * 1024, middleware: [any Middleware] = [FixedCaller(.user("ada"))],
        following: FollowingBounds = FollowingBounds(), retry: @escaping @Sendable () -> Int = { 2000 }
    ) async throws {
        self.coding = coding
        (api, notes) = try await Site.parts(publicFolder: nil, middleware: middleware, following: following, retry: retry)
        server = HTTPServer(serving: api, sendBuffer: sendBuffer)
        address = try server.start()
    }

    var followedCount: Int { api.service.followedViewCount }

    /// Waits until exactly `count` views are followed. A test has no other way to find out that a client waits.
    func whenFollowed(_ count: Int = 1) async {
        while followedCount != count { await Task.yield() }
    }

    func ask(
        _ method: String = "GET", _ target: String, _ headers: Headers = [:], _ body: String = ""
    ) async throws -> RawResponse {
        let request = Request(method: method, target: target, headers: headers)
        let answer = try await RawClient(address).ask(request, body: Array(body.utf8))
        try api.expectDeclared(answer, to: request)
        return answer
    }

    /// Requests a stream, and returns the head of the response and the connection.
    func listen(
        _ target: String, _ headers: Headers = [:], accept: String = "text/event-stream", receiveBuffer: Int32? = nil
    ) async throws -> (RawResponse, RawClient) {
        let client = try await RawClient(address, receiveBuffer: receiveBuffer)
        var headers = headers
        headers.append("Accept", accept)
        if let coding { headers.append("Accept-Encoding", coding.rawValue) }
        let request = Request(method: "GET", target: target, headers: headers)
        let answer = try await client.ask(request)
        try api.expectDeclared(answer, to: request)
        if answer.headers["Transfer-Encoding"] != nil { #expect(answer.headers["Content-Encoding"] == coding?.rawValue) }
        return (answer, client)
    }

    /// Opens a stream, and reads its first event, which contains only the retry time.
    func stream(_ target: String, _ headers: Headers = [:], receiveBuffer: Int32? = nil) async throws -> RawClient {
        let (head, client) = try await listen(target, headers, receiveBuffer: receiveBuffer)
        try #require(head.status == 200)
        #expect(try await client.event() == "retry: 2000\n\n")
        return client
    }

    /// Makes the server report that it is not ready. The server still responds to all requests.
    func withdraw() {
        api.withdraw()
        server.drain()
    }

    func drain() {
        api.drain()
    }

    func stop() async {
        api.drain()
        await server.stop(grace: .zero)
    }
}
