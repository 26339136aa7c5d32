import Dispatch
import Glibc
public import HTTPServer

/// A client that sends and receives bytes. It can send requests that are invalid or that a library would change.
///
/// The client uses one connection. A test reads a response, a part of a stream, or everything until the end. `@unchecked Sendable`:
/// `connection` is only accessed on `queue`. Calls of the connection block their thread, so they do not run in the thread pool of
/// tests and servers.
public final class RawClient: @unchecked Sendable {
    /// An error of a connection.
    public enum Failure: Error {
        case unknownHost(String)
        case cannotConnect(code: Int32)
        case closed(after: String)
        case silent
        case noResponse(head: String)
        case noChunk(line: String)
    }

    private let queue = DispatchQueue(label: "client")
    private var connection = RawConnection()

    /// - Parameters:
    ///   - source: the address to connect from, such as 127.0.0.2; nil for the default of the system.
    ///   - receiveBuffer: the receive buffer in bytes; nil for the default of the system.
    ///   - bytes: bytes that are sent as soon as the client is connected, even if the thread pool of the tests is busy.
    public init(
        _ address: BoundAddress, from source: String? = nil, receiveBuffer: Int32? = nil, sending bytes: String = ""
    ) async throws {
        try await onQueue {
            try $0.connect(to: address, from: source, receiveBuffer: receiveBuffer)
            try $0.send(Array(bytes.utf8))
        }
    }

    deinit {
        close(connection.socket)
    }

    private func onQueue<Value: Sendable>(
        _ body: @escaping @Sendable (inout RawConnection) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in continuation.resume(with: Result { try body(&connection) }) }
        }
    }
}

extension RawClient {
    public func send(_ bytes: [UInt8]) async throws {
        try await onQueue { try $0.send(bytes) }
    }

    /// Sends a request without waiting for the response.
    public func send(_ request: Request, body: [UInt8] = []) async throws {
        try await send(request.bytes(with: body))
    }

    /// Sends a request and reads the response. No other task can use the connection in between.
    public func ask(_ request: Request, body: [UInt8] = []) async throws -> RawResponse {
        try await onQueue { connection in
            try connection.send(request.bytes(with: body))
            return try connection.takeResponse(hasBody: request.method != "HEAD")
        }
    }

    /// Reads one response. If the response has no `Content-Length`, only its head is read.
    ///
    /// - Parameter hasBody: false for a response whose body is not sent, such as one to HEAD.
    public func response(hasBody: Bool = true) async throws -> RawResponse {
        try await onQueue { try $0.takeResponse(hasBody: hasBody) }
    }

    /// Reads one chunk of a body. The last chunk is empty.
    public func chunk() async throws -> String {
        try await onQueue { String(decoding: try $0.takeChunk(), as: UTF8.self) }
    }

    /// Reads all chunks to the end of the body.
    public func chunks() async throws -> [UInt8] {
        try await onQueue { connection in
            var body: [UInt8] = []
            while case let chunk = try connection.takeChunk(), !chunk.isEmpty { body += chunk }
            return body
        }
    }

    /// Reads an event from a body in chunks, and returns it with its empty line. Returns nil at the end of the body.
    public func event() async throws -> String? {
        try await onQueue { try $0.takeEvent() }
    }

    /// Reads the next event that has a document. Skips events that report the freshness of a version. Returns nil at the end.
    public func documentEvent() async throws -> String? {
        while let event = try await event() {
            if event.hasPrefix("event: snapshot\n") || event.hasPrefix("event: changeset\n") { return event }
        }
        return nil
    }

    /// Reads an event. Returns true if the event contains nothing but a reconnection time of 1 to 5 seconds.
    public func receivesReconnectionTime() async throws -> Bool {
        guard let text = try await event()?.wholeMatch(of: /retry: (\d+)\n\n/)?.1, let milliseconds = Int(text) else { return false }
        return (1000...5000).contains(milliseconds)
    }

    /// Waits until the server closes the connection. Returns everything that the server sent before.
    public func rest() async throws -> [UInt8] {
        try await onQueue { try $0.takeRest() }
    }

    /// Waits until the server sends something or closes the connection. Returns true if the connection was closed without a reset.
    public func isClosed() async throws -> Bool {
        try await onQueue { $0.isClosed() }
    }

    /// Waits until bytes are received, and leaves them unread.
    public func waitForBytes() async throws {
        try await onQueue { try $0.waitForBytes() }
    }

    /// Sends bytes, and shuts down the sending half of the connection at the same time.
    public func finish(sending bytes: String) async throws {
        try await onQueue {
            try $0.send(Array(bytes.utf8))
            $0.finish()
        }
    }

    /// Shuts down the sending half of the connection.
    public func finish() async throws {
        try await onQueue { $0.finish() }
    }

    /// Closes the connection with a reset.
    public func leave() async throws {
        try await onQueue { $0.leave() }
    }
}
