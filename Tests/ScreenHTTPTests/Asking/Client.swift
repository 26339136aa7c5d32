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
    }

    private let queue = DispatchQueue(label: "client")
    private let socket: Int32
    private var received: [UInt8] = []

    init(_ address: BoundAddress) async throws {
        socket = try await Self.on(queue) { try Self.connect(to: address) }
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

    private func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0 { throw Failure.closed }
            rest = rest.dropFirst(count)
        }
    }

    private func read(hasBody: Bool) throws -> Received {
        var answer = Received(head: try takeHead())
        guard hasBody, answer.status != 304 else { return answer }
        let length = answer.headers["Content-Length"].flatMap { Int($0) } ?? 0
        while received.count < length { try receive() }
        answer.body = Array(received.prefix(length))
        received.removeFirst(length)
        return answer
    }

    private func takeHead() throws -> String {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let start = (0..<max(received.count - 3, 0)).first(where: { received[$0..<$0 + 4].elementsEqual(end) }) {
                defer { received.removeFirst(start + end.count) }
                return String(decoding: received[..<start], as: UTF8.self)
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
    private static func connect(to address: BoundAddress) throws -> Int32 {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
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
