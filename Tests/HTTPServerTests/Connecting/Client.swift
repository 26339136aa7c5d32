import Dispatch
import Glibc
import HTTPServer

/// Speaks bytes over a socket, because many cases are no valid requests.
///
/// `@unchecked Sendable`: everything mutable is touched on `queue` alone. Its calls block, so
/// they run there and not in the pool in which the server's tasks run.
final class Client: @unchecked Sendable {
    /// What a connection gave instead of a response.
    enum Failure: Error {
        case cannotConnect(code: Int32)
        case closed(after: String)
        case silent
    }

    private let queue = DispatchQueue(label: "client")
    private let socket: Int32
    private var received: [UInt8] = []

    init(_ address: BoundAddress) async throws {
        socket = try await Self.connect(address, queue)
    }

    deinit {
        close(socket)
    }

    func send(_ text: String) async throws {
        try await on(queue) { [self] in
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { bytes in
                    Glibc.send(self.socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                }
                if count < 0 { throw Failure.closed(after: "") }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Reads one response. `hasBody` is false for an answer to HEAD.
    func response(hasBody: Bool = true) async throws -> Reception {
        try await on(queue) { [self] in
            let head = try take(until: "\r\n\r\n")
            var reception = Reception(head: head)
            if hasBody, let length = reception["content-length"].flatMap({ Int($0) }) {
                while received.count < length { try receive() }
                reception.body = String(decoding: received.prefix(length), as: UTF8.self)
                received.removeFirst(length)
            }
            return reception
        }
    }

    /// Reads one chunk of a body; the last is empty.
    func chunk() async throws -> String {
        try await on(queue) { [self] in String(decoding: try takeChunk(), as: UTF8.self) }
    }

    /// Reads all chunks to the end of the body.
    func chunks() async throws -> [UInt8] {
        try await on(queue) { [self] in
            var body: [UInt8] = []
            while case let chunk = try takeChunk(), !chunk.isEmpty { body += chunk }
            return body
        }
    }

    /// Reads one response to a request that is sent first.
    func ask(_ text: String) async throws -> Reception {
        try await send(text)
        return try await response(hasBody: !text.hasPrefix("HEAD"))
    }

    /// Waits until the server closes; returns what it sent before.
    func untilClosed() async throws -> String {
        String(decoding: try await bytesUntilClosed(), as: UTF8.self)
    }

    func bytesUntilClosed() async throws -> [UInt8] {
        try await on(queue) { [self] in
            do {
                while true { try receive() }
            } catch Failure.closed {
                return received
            }
        }
    }

    /// Says that nothing more will be sent, and leaves without reading.
    func leave() async throws {
        try await on(queue) { [self] in
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
            shutdown(socket, Int32(SHUT_RDWR))
        }
    }

    private func takeChunk() throws -> [UInt8] {
        let count = Int(try take(until: "\r\n"), radix: 16)! + 2
        while received.count < count { try receive() }
        defer { received.removeFirst(count) }
        return Array(received[..<(count - 2)])
    }

    private func take(until end: String) throws -> String {
        let end = Array(end.utf8)
        var from = 0
        while true {
            while from + end.count <= received.count {
                if received[from..<from + end.count].elementsEqual(end) {
                    defer { received.removeFirst(from + end.count) }
                    return String(decoding: received[..<from], as: UTF8.self)
                }
                from += 1
            }
            try receive()
        }
    }

    private func receive() throws {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(socket, &buffer, buffer.count, 0)
        if count < 0 && errno == EAGAIN { throw Failure.silent }
        if count <= 0 { throw Failure.closed(after: String(decoding: received, as: UTF8.self)) }
        received += buffer[..<count]
    }
}

extension Client {
    private static func connect(_ address: BoundAddress, _ queue: DispatchQueue) async throws -> Int32 {
        try await on(queue) {
            var hints = addrinfo()
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
            hints.ai_flags = AI_NUMERICHOST
            var info: UnsafeMutablePointer<addrinfo>?
            getaddrinfo(address.host, String(address.port), &hints, &info)
            defer { freeaddrinfo(info) }
            let socket = Glibc.socket(info!.pointee.ai_family, Int32(SOCK_STREAM.rawValue), 0)
            // A server that says nothing shall fail a test, not stop it.
            var patience = timeval(tv_sec: 300, tv_usec: 0)
            setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
            guard Glibc.connect(socket, info!.pointee.ai_addr, info!.pointee.ai_addrlen) == 0 else {
                let code = errno
                close(socket)
                throw Failure.cannotConnect(code: code)
            }
            return socket
        }
    }
}

private func on<Value: Sendable>(
    _ queue: DispatchQueue, _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        queue.async { continuation.resume(with: Result(catching: body)) }
    }
}
