import Dispatch
import Glibc
import HTTPServer

/// A connection to a server, for one request after another, or for a stream.
///
/// `@unchecked Sendable`: everything mutable is touched on `queue` alone. Its calls block, so they run
/// there and not in the pool in which the tests run.
final class Line: @unchecked Sendable {
    enum Failure: Error {
        case closed
        case noAnswer
    }

    struct Answer: Sendable {
        let status: Int
        let headers: Headers
        let body: [UInt8]
    }

    private let queue = DispatchQueue(label: "line")
    private let socket: Int32
    private var received: [UInt8] = []
    private var streamed: [UInt8] = []

    init(_ address: BoundAddress) async throws {
        socket = try await Self.on(queue) { try Exchange.connect(address) }
    }

    deinit {
        close(socket)
    }

    func ask(_ method: String, _ target: String, _ headers: Headers = [:], _ body: String = "") async throws -> Answer {
        try await begin(method, target, headers, body)
        return try await answer()
    }

    /// Sends a request; ``answer()`` reads what comes of it.
    func begin(_ method: String, _ target: String, _ headers: Headers = [:], _ body: String = "") async throws {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: test\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        let bytes = Array("\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
        try await Self.on(queue) { [self] in
            guard send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { throw Failure.closed }
        }
    }

    /// Reads an answer; of one that streams, its head.
    func answer() async throws -> Answer {
        try await Self.on(queue) { [self] in
            let lines = try take(until: "\r\n\r\n").split(separator: "\r\n")
            var headers: Headers = [:]
            for line in lines.dropFirst() {
                let parts = line.split(separator: ":", maxSplits: 1)
                headers.append(String(parts[0]), String(parts[1].drop { $0 == " " }))
            }
            let words = lines.first?.split(separator: " ") ?? []
            guard words.count > 1, let status = Int(words[1]) else { throw Failure.noAnswer }
            let length = headers["Content-Length"].flatMap { Int($0) } ?? 0
            while received.count < length { try receive() }
            defer { received.removeFirst(length) }
            return Answer(status: status, headers: headers, body: Array(received[..<length]))
        }
    }

    /// Reads a stream on to the next empty line, which is part of what it returns; nil at its end.
    func event() async throws -> String? {
        try await Self.on(queue) { [self] in
            while true {
                if let end = streamed.firstRange(of: Array("\n\n".utf8))?.upperBound {
                    defer { streamed.removeFirst(end) }
                    return String(decoding: streamed[..<end], as: UTF8.self)
                }
                guard try takeChunk() else { return nil }
            }
        }
    }

    /// Waits for the server to close it, or to say something more.
    func isClosed() async throws -> Bool {
        try await Self.on(queue) { [self] in
            if !received.isEmpty { return false }
            var byte: UInt8 = 0
            return recv(socket, &byte, 1, 0) == 0
        }
    }

    /// Waits until something of the stream has come, and does not read it.
    func stir() async throws {
        try await Self.on(queue) { [self] in
            if received.isEmpty && streamed.isEmpty { try receive() }
        }
    }

    private func takeChunk() throws -> Bool {
        guard let length = Int(try take(until: "\r\n"), radix: 16) else { throw Failure.noAnswer }
        while received.count < length + 2 { try receive() }
        streamed += received[..<length]
        received.removeFirst(length + 2)
        return length > 0
    }

    private func take(until end: String) throws -> String {
        while true {
            if let range = received.firstRange(of: Array(end.utf8)) {
                defer { received.removeFirst(range.upperBound) }
                return String(decoding: received[..<range.lowerBound], as: UTF8.self)
            }
            try receive()
        }
    }

    private func receive() throws {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count > 0 else { throw Failure.closed }
        received += buffer[..<count]
    }

    private static func on<Value: Sendable>(
        _ queue: DispatchQueue, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: body)) }
        }
    }
}
