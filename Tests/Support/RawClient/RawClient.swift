import Dispatch
import Glibc
public import HTTPServer

/// Is a client that speaks bytes, because many cases are no valid requests, and no URL shall be tidied up.
///
/// It keeps one connection, and takes from it what a test asks for: a response, a part of a stream, or
/// all the rest. `@unchecked Sendable`: `connection` is touched on `queue` alone. Its calls block, so they
/// run there and not in the pool in which tests and servers run.
public final class RawClient: @unchecked Sendable {
    /// What a connection gave instead of what was to be taken from it.
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

    /// - Parameter receiveBuffer: the bytes that the system takes for a client that does not read; its own choice if nil.
    /// - Parameter bytes: what is sent as soon as it is connected, however busy the pool is in which tests run.
    public init(_ address: BoundAddress, receiveBuffer: Int32? = nil, sending bytes: String = "") async throws {
        try await onQueue {
            try $0.connect(to: address, receiveBuffer: receiveBuffer)
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
    /// Sends them as they stand.
    public func send(_ bytes: [UInt8]) async throws {
        try await onQueue { try $0.send(bytes) }
    }

    /// Sends it, without waiting for what comes of it.
    public func send(_ request: Request, body: [UInt8] = []) async throws {
        try await send(request.bytes(with: body))
    }

    /// Sends a request and reads its response; nobody else's request comes between.
    public func ask(_ request: Request, body: [UInt8] = []) async throws -> RawResponse {
        try await onQueue { connection in
            try connection.send(request.bytes(with: body))
            return try connection.takeResponse(hasBody: request.method != "HEAD")
        }
    }

    /// Reads one response; of one that has no `Content-Length`, its head.
    ///
    /// - Parameter hasBody: false for one whose length tells of a body that is not sent, as to HEAD.
    public func response(hasBody: Bool = true) async throws -> RawResponse {
        try await onQueue { try $0.takeResponse(hasBody: hasBody) }
    }

    /// Reads one chunk of a body; the last is empty.
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

    /// Reads a body in chunks on to the next empty line, which is part of what it returns; nil at its end.
    public func event() async throws -> String? {
        try await onQueue { try $0.takeEvent() }
    }

    /// Reads an event, and returns whether it says only when to come back: after 1 to 5 seconds.
    public func isToldWhenToReturn() async throws -> Bool {
        guard let text = try await event()?.wholeMatch(of: /retry: (\d+)\n\n/)?.1, let milliseconds = Int(text) else { return false }
        return (1000...5000).contains(milliseconds)
    }

    /// Waits until the server closes; returns what it sent before.
    public func rest() async throws -> [UInt8] {
        try await onQueue { try $0.takeRest() }
    }

    /// Waits for the server to close in order, or to say something more.
    public func isClosed() async throws -> Bool {
        try await onQueue { $0.isClosed() }
    }

    /// Waits until something has come, and does not take it.
    public func stir() async throws {
        try await onQueue { try $0.stir() }
    }

    /// Sends them as they stand, and in the same go says that nothing more will be sent.
    public func finish(sending bytes: String) async throws {
        try await onQueue {
            try $0.send(Array(bytes.utf8))
            $0.finish()
        }
    }

    /// Says that nothing more will be sent, and goes on reading.
    public func finish() async throws {
        try await onQueue { $0.finish() }
    }

    /// Says that nothing more will be sent, and leaves without reading.
    public func leave() async throws {
        try await onQueue { $0.leave() }
    }
}
