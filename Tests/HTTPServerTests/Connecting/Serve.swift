import Logging
import RawClient
import Synchronization

@testable import HTTPServer

/// Starts a server on a free port of this machine, runs `body` with the address of the server, and stops the server.
///
/// - Parameter answersRefusals: true to answer rejected requests without calling the handler.
func serve(
    _ configure: (inout HTTPServer.Configuration) -> Void = { _ in },
    metrics: HTTPServer.Metrics = HTTPServer.Metrics(),
    handler: @escaping HTTPServer.Handler = echo,
    now: @escaping @Sendable () -> Moment = { .now },
    makeRecord: (@Sendable () -> any RequestRecording)? = nil,
    answersRefusals: Bool = true,
    body: (BoundAddress, HTTPServer) async throws -> Void
) async throws {
    var configuration = HTTPServer.Configuration()
    configuration.port = 0
    configuration.loops = 1
    // A test can wait a long time for a thread. During this time, the server must not close connections at a deadline.
    configuration.headerDeadline = .seconds(3600)
    configuration.bodyDeadline = .seconds(3600)
    configuration.idleTimeout = .seconds(3600)
    configure(&configuration)
    let server = HTTPServer(
        configuration: configuration,
        metrics: metrics,
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        now: now,
        makeRecord: makeRecord,
        handler: { request in
            guard answersRefusals, let refusal = request.refusal else { return handler(request) }
            return .response(problem(refusal))
        }
    )
    let address = try server.start()
    do {
        try await body(address, server)
    } catch {
        await server.stop(grace: .zero)
        throw error
    }
    await server.stop(grace: .zero)
}

/// A handler that responds with the method, the target and the body of the request.
@Sendable func echo(_ request: Request) -> Reply {
    let line = "\(request.method) \(request.target) "
    return .reading { body in .response(text(line + String(decoding: try body.get(), as: UTF8.self))) }
}

func problem(_ refusal: Refusal) -> Response {
    Response(status: refusal.status, headers: ["Content-Type": "test/problem"], body: Array(refusal.detail.utf8))
}

func text(_ text: String) -> Response {
    Response(headers: ["Content-Type": "text/plain"], body: Array(text.utf8))
}

func get(_ target: String, _ fields: String...) -> String {
    "GET \(target) HTTP/1.1\r\nHost: test\r\n\(fields.map { "\($0)\r\n" }.joined())\r\n"
}

/// A clock that advances only when a test calls ``advance(by:)``.
final class ManualClock: Sendable {
    private let instant = Mutex(Moment.now)

    func now() -> Moment { instant.withLock { $0 } }

    func advance(by duration: Duration) { instant.withLock { $0 = $0 + duration } }
}

extension RawClient {
    func send(_ text: String) async throws {
        try await send(Array(text.utf8))
    }

    /// Sends a request and reads the response.
    func ask(_ text: String) async throws -> RawResponse {
        try await send(text)
        return try await response(hasBody: !text.hasPrefix("HEAD"))
    }

    /// Waits until the server closes the connection. Returns the text that the server sent before it closed the connection.
    func untilClosed() async throws -> String {
        String(decoding: try await rest(), as: UTF8.self)
    }
}

extension Reply {
    /// Returns this reply with an additional field `Mark` in the header of its response.
    func marked(_ text: String) -> Reply {
        map { answer in
            var answer = answer
            answer.headers.append("Mark", text)
            return answer
        }
    }
}
