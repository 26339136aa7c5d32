import ScreenClient

/// A server without a network. The test answers each request.
final class ScriptedServer: ClientTransport {
    private let requests = AsyncStream.makeStream(of: Exchange.self)

    /// Returns the next request of the app.
    ///
    /// - Throws: `CancellationError` if the test is cancelled.
    func next() async throws -> Exchange {
        for await exchange in requests.stream { return exchange }
        throw CancellationError()
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let exchange = Exchange(request)
        requests.continuation.yield(exchange)
        for await response in exchange.responses.stream { return response }
        throw Unreachable()
    }

    /// Waits for the test to answer the request, and returns the stream.
    func stream(_ request: TransportRequest) async throws -> TransportStream {
        let response = try await send(request)
        return TransportStream(status: response.status, headers: response.headers) { receive in
            try await receive(response.body)
            // Only an open stream has no end.
            guard response.status == 200 else { return }
            for await _ in AsyncStream<Never>.makeStream().stream {}
        }
    }

    struct Unreachable: Error {}
}

struct Exchange: Sendable {
    let request: TransportRequest
    let responses = AsyncStream.makeStream(of: TransportResponse.self)

    init(_ request: TransportRequest) {
        self.request = request
    }

    var line: String { "\(request.method) \(request.url)" }
    var body: String { String(decoding: request.body ?? [], as: UTF8.self) }

    func respond(_ status: Int = 200, _ json: String, _ headers: [(name: String, value: String)] = []) {
        responses.continuation.yield(TransportResponse(status: status, headers: headers, body: Array(json.utf8)))
    }

    /// Responds with an event stream that begins with these events.
    func open(_ events: String = "") {
        let headers = [(name: "Content-Type", value: "text/event-stream")]
        responses.continuation.yield(TransportResponse(status: 200, headers: headers, body: Array(events.utf8)))
    }
}
