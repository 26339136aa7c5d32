import Dispatch
import Glibc
import HTTPServer

/// One request with its response, over a connection of its own.
enum Exchange {
    enum Failure: Error {
        case cannotConnect(code: Int32)
        case noResponse
    }

    // The calls block, so they run here and not in the pool in which the tests run.
    private static let queue = DispatchQueue(label: "exchange", attributes: .concurrent)

    static func ask(
        _ address: BoundAddress, _ method: String, _ target: String, _ body: String = ""
    ) async throws -> (status: Int, body: [UInt8]) {
        let head = "\(method) \(target) HTTP/1.1\r\nHost: test\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        return try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(with: Result { try exchange(address, Array((head + body).utf8)) })
            }
        }
    }

    private static func exchange(_ address: BoundAddress, _ request: [UInt8]) throws -> (status: Int, body: [UInt8]) {
        let socket = try connect(address)
        defer { close(socket) }
        send(socket, request, request.count, Int32(MSG_NOSIGNAL))
        var response: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let count = recv(socket, &buffer, buffer.count, 0), count > 0 { response += buffer[..<count] }
        guard let end = response.firstRange(of: Array("\r\n\r\n".utf8)) else { throw Failure.noResponse }
        let status = String(decoding: response.prefix(12).suffix(3), as: UTF8.self)
        return (Int(status) ?? 0, Array(response[end.upperBound...]))
    }

    static func connect(_ address: BoundAddress) throws -> Int32 {
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
}
