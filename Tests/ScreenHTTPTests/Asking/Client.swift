import Dispatch
import Glibc
import HTTPServer

/// Sends requests over one connection, byte for byte as they are given: no URL is tidied up.
///
/// `@unchecked Sendable`: everything mutable is touched on `queue` alone. Its calls block, so
/// they run there and not in the pool in which the server's tasks run.
final class Client: @unchecked Sendable {
    enum Failure: Error {
        case cannotConnect(code: Int32)
        case closed
        case silent
        case noChunk
    }

    private let queue = DispatchQueue(label: "client")
    private let socket: Int32
    private var received: [UInt8] = []
    /// What came of a body in chunks and was not asked for yet.
    private var streamed: [UInt8] = []

    /// - Parameter receiveBuffer: the bytes that the system takes for a client that does not read; its own choice if nil.
    init(_ address: BoundAddress, receiveBuffer: Int32? = nil) async throws {
        socket = try await Self.on(queue) { try Self.connect(to: address, receiveBuffer) }
    }

    deinit {
        close(socket)
    }

    func ask(_ request: Request) async throws -> Received {
        try await ask(request.bytes, hasBody: request.method != "HEAD")
    }

    /// - Parameter hasBody: false for an answer to HEAD.
    func ask(_ bytes: [UInt8], hasBody: Bool = true) async throws -> Received {
        try await Self.on(queue) { [self] in
            try send(bytes)
            return try read(hasBody: hasBody)
        }
    }

    /// Sends a request and reads the head of its answer. If it streams, ``event()`` reads on.
    func begin(_ request: Request) async throws -> Received {
        try await Self.on(queue) { [self] in
            try send(request.bytes)
            let head = Received(head: try takeHead())
            return head.headers["Transfer-Encoding"] == "chunked" ? head : try withBody(head)
        }
    }

    /// Reads the body on, in chunks, to the next empty line, which is part of what it returns; nil at its end.
    func event() async throws -> String? {
        try await Self.on(queue) { [self] in
            while true {
                if let end = streamed.firstRange(of: Array("\n\n".utf8))?.upperBound {
                    defer { streamed.removeFirst(end) }
                    return String(decoding: streamed[..<end], as: UTF8.self)
                }
                let chunk = try takeChunk()
                if chunk.isEmpty { return streamed.isEmpty ? nil : String(decoding: streamed, as: UTF8.self) }
                streamed += chunk
            }
        }
    }

    /// Waits until the server closes; returns what it sent before.
    func rest() async throws -> [UInt8] {
        try await Self.on(queue) { [self] in
            do {
                while true { try receive() }
            } catch Failure.closed {
                return received
            }
        }
    }

    private func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0 { throw Failure.closed }
            rest = rest.dropFirst(count)
        }
    }

    private func read(hasBody: Bool) throws -> Received {
        let head = Received(head: try takeHead())
        return hasBody && head.status != 304 ? try withBody(head) : head
    }

    private func withBody(_ head: Received) throws -> Received {
        var answer = head
        let length = answer.headers["Content-Length"].flatMap { Int($0) } ?? 0
        while received.count < length { try receive() }
        answer.body = Array(received.prefix(length))
        received.removeFirst(length)
        return answer
    }

    private func takeHead() throws -> String {
        try take(until: "\r\n\r\n")
    }

    private func takeChunk() throws -> [UInt8] {
        guard let length = Int(try take(until: "\r\n"), radix: 16) else { throw Failure.noChunk }
        while received.count < length + 2 { try receive() }
        defer { received.removeFirst(length + 2) }
        return Array(received[..<length])
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
        if count < 0 && errno == EAGAIN { throw Failure.silent }
        if count <= 0 { throw Failure.closed }
        received += buffer[..<count]
    }
}

extension Client {
    private static func connect(to address: BoundAddress, _ receiveBuffer: Int32?) throws -> Int32 {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var receiveBuffer {
            setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        // A server that says nothing shall fail a test, not stop it.
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = address.port.bigEndian
        inet_pton(AF_INET, address.host, &name.sin_addr)
        let code = withUnsafePointer(to: &name) { name in
            name.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 ? 0 : errno
            }
        }
        guard code == 0 else {
            close(socket)
            throw Failure.cannotConnect(code: code)
        }
        return socket
    }

    private static func on<Value: Sendable>(
        _ queue: DispatchQueue, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: body)) }
        }
    }
}

extension Request {
    /// The request as it goes over a connection.
    var bytes: [UInt8] {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: test\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if method == "POST" || !body.isEmpty { head += "Content-Length: \(body.count)\r\n" }
        return Array("\(head)\r\n".utf8) + body
    }
}
