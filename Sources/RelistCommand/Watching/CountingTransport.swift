import ScreenClient
import Synchronization

/// A transport that counts the bytes of the bodies that it receives.
final class CountingTransport: ClientTransport {
    private let transport: any ClientTransport
    private let count = Mutex(0)

    init(_ transport: any ClientTransport) {
        self.transport = transport
    }

    /// Returns the number of bytes that arrived since the previous call of this function.
    func takeCount() -> Int {
        count.withLock { count in
            defer { count = 0 }
            return count
        }
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let response = try await transport.send(request)
        count.withLock { $0 += response.body.count }
        return response
    }

    func stream(_ request: TransportRequest) async throws -> TransportStream {
        var stream = try await transport.stream(request)
        let read = stream.readBody
        stream.readBody = { [self] receive in
            try await read { bytes in
                // A comment in an event stream only keeps the connection alive, so its bytes are not counted.
                if bytes.first != UInt8(ascii: ":") { count.withLock { $0 += bytes.count } }
                try await receive(bytes)
            }
        }
        return stream
    }
}
