import HTTPClient
import ScreenClient
import Synchronization

/// A transport that counts the bytes of the bodies that it receives, and remembers the ends of the last exchanges. They say more about the
/// cause of a failure than the client does.
final class ObservedTransport: ClientTransport {
    private struct Observed {
        var count = 0
        var viewCause: String?
        var actionCause: String?
    }

    private let transport: any ClientTransport
    private let observed = Mutex(Observed())

    init(_ transport: any ClientTransport) {
        self.transport = transport
    }

    /// The cause of a failure of the last request for a view, if the client only knows that the server is not reachable.
    var viewCause: String? { observed.withLock { $0.viewCause } }

    /// The cause of a failure of the last request for an action, if the client only knows that the server is not reachable.
    var actionCause: String? { observed.withLock { $0.actionCause } }

    /// Returns the number of bytes that arrived since the previous call of this function.
    func takeCount() -> Int {
        observed.withLock { observed in
            defer { observed.count = 0 }
            return observed.count
        }
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let response = try await noting(request) { try await transport.send(request) }
        note(Self.cause(response), of: request)
        count(response.body)
        return response
    }

    func stream(_ request: TransportRequest) async throws -> TransportStream {
        var stream = try await noting(request) { try await transport.stream(request) }
        note(Self.cause(stream), of: request)
        let read = stream.readBody
        stream.readBody = { [self] receive in
            try await noting(request) {
                try await read { bytes in
                    // Comments in an event stream only keep the connection alive, so their bytes are not counted.
                    if !bytes.split(separator: UInt8(ascii: "\n")).allSatisfy({ $0.first == UInt8(ascii: ":") }) { count(bytes) }
                    try await receive(bytes)
                }
            }
        }
        return stream
    }

    private func count(_ bytes: [UInt8]) {
        observed.withLock { $0.count += bytes.count }
    }

    /// Remembers the cause. It can contain texts of the server, so characters that could control the terminal are removed.
    private func note(_ cause: String?, of request: TransportRequest) {
        let cause = cause?.printable
        // Only the requests for actions have a key.
        let isAction = request.headers.contains { $0.name == "Idempotency-Key" }
        observed.withLock { if isAction { $0.actionCause = cause } else { $0.viewCause = cause } }
    }

    private func noting<Result>(_ request: TransportRequest, _ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch {
            if !Task.isCancelled { note((error as? HTTPClientError)?.cause ?? "its response cannot be read", of: request) }
            throw error
        }
    }

    /// Returns the cause if the client cannot use the response. It is `nil` for responses that only a Relist server sends.
    private static func cause(_ head: some TransportHead) -> String? {
        let type = head.headers.last { $0.name.lowercased() == "content-type" }?.value
        if head.status == 204 || type?.hasPrefix("text/event-stream") == true { return nil }
        let named = type.map { "the type \($0)" } ?? "no content type"
        return "it responded with status \(head.status) and \(named), so it is not a Relist server"
    }
}

extension HTTPClientError {
    fileprivate var cause: String {
        switch self {
        case .invalidRequest(.header(let name)): "the field \(name) of the request is invalid"
        case .invalidRequest: "the request is invalid"
        case .exhausted: "this process has no free connections"
        case .unreachable: "its name has no address, or no connection was established"
        case .tls: "TLS failed, usually because its certificate is not trusted, or because it does not use TLS"
        case .timedOut(.connect): "no connection was established in time"
        case .timedOut(.response): "it did not respond in time"
        case .timedOut(.idle): "its stream fell silent"
        case .incomplete: "the connection ended, or carried something other than HTTP, before the response was complete"
        case .tooLarge: "its response is too large"
        case .cancelled: "the request was cancelled"
        }
    }
}
