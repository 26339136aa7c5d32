import Logging
import Synchronization

@testable import HTTPServer

/// Starts a server on a free port of this machine, gives its address to `body`, and stops it.
///
/// - Parameter answersRefusals: whether the handler is spared them.
func serve(
    _ configure: (inout HTTPServer.Configuration) -> Void = { _ in },
    metrics: HTTPServer.Metrics = HTTPServer.Metrics(),
    handler: @escaping HTTPServer.Handler = echo,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    answersRefusals: Bool = true,
    body: (BoundAddress, HTTPServer) async throws -> Void
) async throws {
    var configuration = HTTPServer.Configuration()
    configuration.port = 0
    configuration.loops = 1
    // Deadlines are for the tests about them. Any other may have to wait for a thread.
    configuration.headerDeadline = .seconds(3600)
    configuration.bodyDeadline = .seconds(3600)
    configuration.idleTimeout = .seconds(3600)
    configure(&configuration)
    let server = HTTPServer(
        configuration: configuration,
        metrics: metrics,
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        now: now,
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

/// Answers with what came: method, target and body.
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

/// A clock that stands still until it is told how much time has passed.
final class ManualClock: Sendable {
    private let instant = Mutex(ContinuousClock.now)

    func now() -> ContinuousClock.Instant { instant.withLock { $0 } }

    func advance(by duration: Duration) { instant.withLock { $0 += duration } }
}
