import HTTPServer
import Logging
import RawClient
@testable import ScreenHTTP
import ScreenService
import Testing

/// The screens of the tests behind a socket, for clients that listen on connections of their own.
final class LiveSite: Sendable {
    let notes: NoteStore
    let api: ScreenAPI
    private let server: HTTPServer
    let address: BoundAddress

    /// - Parameters:
    ///   - sendBuffer: the bytes that the system keeps for a stream whose client does not read.
    ///   - retry: gives the milliseconds of `retry:` fields.
    init(
        sendBuffer: Int = 32 * 1024, middleware: [any Middleware] = [FixedCaller(.user("ada"))],
        following: FollowingBounds = FollowingBounds(), retry: @escaping @Sendable () -> Int = { 2000 }
    ) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let (api, notes) = try await Site.parts(
            publicFolder: nil, middleware: middleware, following: following, logger: logger, isDataReady: { true }, retry: retry
        )
        var configuration = HTTPServer.Configuration()
        configuration.port = 0
        configuration.loops = 1
        configuration.streamSendBufferBytes = sendBuffer
        (self.api, self.notes) = (api, notes)
        server = HTTPServer(configuration: configuration, logger: logger, handler: api.reply)
        address = try server.start()
    }

    /// How many views are followed.
    var followedCount: Int { api.service.followedViewCount }

    /// Returns once so many views are followed: what a waiting client does shows nowhere else.
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

    /// The answer to a request for a stream, and the connection on which it goes on.
    func listen(
        _ target: String, _ headers: Headers = [:], accept: String = "text/event-stream", receiveBuffer: Int32? = nil
    ) async throws -> (RawResponse, RawClient) {
        let client = try await RawClient(address, receiveBuffer: receiveBuffer)
        var headers = headers
        headers.append("Accept", accept)
        let request = Request(method: "GET", target: target, headers: headers)
        let answer = try await client.ask(request)
        try api.expectDeclared(answer, to: request)
        return (answer, client)
    }

    /// A stream that has sent what it sends first.
    func stream(_ target: String, _ headers: Headers = [:], receiveBuffer: Int32? = nil) async throws -> RawClient {
        let (head, client) = try await listen(target, headers, receiveBuffer: receiveBuffer)
        try #require(head.status == 200)
        #expect(try await client.event() == "retry: 2000\n\n")
        return client
    }

    /// The server is about to stop, and answers everything meanwhile.
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
