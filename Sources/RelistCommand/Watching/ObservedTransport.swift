import HTTPClient
import ScreenClient
import Synchronization

/// A transport that counts the bytes of the bodies that it receives, and remembers the end of its last exchange.
final class ObservedTransport: ClientTransport {
    /// The end of an exchange. It says more about the cause of a failure than the client does.
    enum Outcome {
        case response(status: Int, type: String?)
        case failure(any Error)
    }

    private let transport: any ClientTransport
    private let observed = Mutex((count: 0, outcome: Outcome?.none))

    init(_ transport: any ClientTransport) {
        self.transport = transport
    }

    /// The end of the last exchange that was not cancelled.
    var outcome: Outcome? { observed.withLock { $0.outcome } }

    /// Returns the number of bytes that arrived since the previous call of this function.
    func takeCount() -> Int {
        observed.withLock { observed in
            defer { observed.count = 0 }
            return observed.count
        }
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let response = try await noting { try await transport.send(request) }
        note(response)
        count(response.body)
        return response
    }

    func stream(_ request: TransportRequest) async throws -> TransportStream {
        var stream = try await noting { try await transport.stream(request) }
        note(stream)
        let read = stream.readBody
        stream.readBody = { [self] receive in
            try await noting {
                try await read { bytes in
                    // A comment in an event stream only keeps the connection alive, so its bytes are not counted.
                    if bytes.first != UInt8(ascii: ":") { count(bytes) }
                    try await receive(bytes)
                }
            }
        }
        return stream
    }

    private func count(_ bytes: [UInt8]) {
        observed.withLock { $0.count += bytes.count }
    }

    private func note(_ head: some TransportHead) {
        let type = head.headers.last { $0.name.lowercased() == "content-type" }?.value
        observed.withLock { $0.outcome = .response(status: head.status, type: type) }
    }

    private func noting<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch {
            if !Task.isCancelled { observed.withLock { $0.outcome = .failure(error) } }
            throw error
        }
    }
}

extension ObservedTransport.Outcome {
    /// The cause of a failure for which the client only knows that the server is not reachable.
    var cause: String {
        switch self {
        case .response(let status, let type):
            "it responded with status \(status) and \(type.map { "the type \($0)" } ?? "no content type"), which is no response of a server of screens"
        case .failure(let error as HTTPClientError): error.cause
        case .failure: "its response cannot be read"
        }
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
