public import Foundation
import Glibc
import Synchronization

/// An HTTP server on loopback that sends any bytes, for tests of clients.
///
/// The server chooses its answer by the target of a request. It closes the connection after the answer, unless the answer is `kept`.
/// Blocking calls, including `answer`, run on separate threads.
public final class RawServer: Sendable {
    public enum Answer: Sendable {
        /// Sends these bytes.
        case bytes([UInt8])
        /// Sends these bytes, and reads another request from the connection.
        case kept([UInt8])
        /// Runs a function that sends the response.
        case script(@Sendable (RawServer.Connection) -> Void)
        /// Sends a head, and then a body that never ends.
        case endless(head: String)
        /// Sends nothing until the client disconnects.
        case silence
    }

    public let port: UInt16
    private let listener: Int32
    private let answer: @Sendable (String) -> Answer
    private let noted = Mutex((heads: [String](), bodies: [[UInt8]](), connections: 0))
    private let arrivals = AsyncStream<String>.makeStream()
    private let departures = AsyncStream<Void>.makeStream()

    /// The heads of all requests so far, without the empty line.
    public var heads: [String] { noted.withLock { $0.heads } }
    /// The bodies of all requests so far.
    public var bodies: [[UInt8]] { noted.withLock { $0.bodies } }
    /// The number of connections so far.
    public var connectionCount: Int { noted.withLock { $0.connections } }
    /// The targets of all requests so far.
    public var targets: [String] { heads.map { String($0.split(separator: " ")[1]) } }
    public var url: URL { URL(string: "http://127.0.0.1:\(port)")! }

    public init(_ answer: @escaping @Sendable (String) -> Answer) {
        (listener, port) = Self.listen()
        self.answer = answer
        Self.onThread { [self] in accept() }
    }

    /// Creates a server that sends these answers in order, one for each request. The last answer is repeated.
    public convenience init(_ answers: Answer...) {
        let rest = Mutex(answers[...])
        self.init { _ in rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[$0.startIndex] } }
    }

    public func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// Waits until a request arrives, and returns its target.
    public func arrival() async -> String? {
        await arrivals.stream.first { _ in true }
    }

    /// Returns when a client has closed its connection although the server has not sent the complete response.
    public func departure() async {
        _ = await departures.stream.first { _ in true }
    }

    /// Returns a port of this machine that is not in use.
    public static func closedPort() -> UInt16 {
        let (socket, port) = listen()
        close(socket)
        return port
    }
}

extension RawServer {
    private static func onThread(_ body: @escaping @Sendable () -> Void) {
        Thread(block: body).start()
    }

    private static func listen() -> (socket: Int32, port: UInt16) {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutableBytes(of: &address) { bytes in
            let address = bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self)
            precondition(bind(socket, address, length) == 0 && Glibc.listen(socket, 1024) == 0)
            getsockname(socket, address, &length)
        }
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    private func accept() {
        while case let connection = Glibc.accept(listener, nil, nil), connection >= 0 {
            Self.onThread { [self] in serve(connection) }
        }
        close(listener)
    }

    private func serve(_ socket: Int32) {
        defer { close(socket) }
        noted.withLock { $0.connections += 1 }
        let connection = Connection(socket: socket, isLeft: { [departures] in departures.continuation.yield() })
        while let (head, body) = receiveRequest(socket) {
            noted.withLock { noted in
                noted.heads.append(head)
                noted.bodies.append(body)
            }
            let target = String(head.split(separator: " ")[1])
            arrivals.continuation.yield(target)
            switch answer(target) {
            case .bytes(let bytes): connection.send(bytes)
            case .kept(let bytes):
                connection.send(bytes)
                continue
            case .script(let run): run(connection)
            case .endless(let head):
                connection.send(Array(head.utf8))
                connection.sendUntilDeparture([UInt8](repeating: 0x20, count: 65536))
            case .silence: connection.waitForDeparture()
            }
            break
        }
        // If the socket has unread bytes, closing it resets the connection, and the client may lose the response. So the sending half is
        // shut down first.
        shutdown(socket, Int32(SHUT_WR))
    }

    /// Reads the head of a request, and the body, whose length the head states.
    private func receiveRequest(_ socket: Int32) -> (head: String, body: [UInt8])? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        func receive() -> Bool {
            let count = recv(socket, &buffer, buffer.count, 0)
            if count > 0 { bytes += buffer[..<count] }
            return count > 0
        }
        while true {
            if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
                let field = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
                let count = field.flatMap { Int($0.dropFirst(15).drop { $0 == " " }) } ?? 0
                while bytes.count < end.upperBound + count { if !receive() { return nil } }
                return (head, Array(bytes[end.upperBound...]))
            }
            if !receive() { return nil }
        }
    }
}

extension RawServer {
    /// A connection on which a script sends a response.
    public struct Connection: Sendable {
        fileprivate let socket: Int32
        fileprivate let isLeft: @Sendable () -> Void

        /// Sends bytes. Returns `false` if the client has closed the connection.
        @discardableResult
        public func send(_ bytes: [UInt8]) -> Bool {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }

        @discardableResult
        public func send(_ text: String) -> Bool {
            send(Array(text.utf8))
        }

        /// Sends the same bytes repeatedly until the client closes the connection. Then `departure()` returns.
        public func sendUntilDeparture(_ bytes: [UInt8]) {
            while send(bytes) {}
            isLeft()
        }

        /// Waits until the client closes the connection. Then `departure()` returns.
        public func waitForDeparture() {
            var byte: UInt8 = 0
            while recv(socket, &byte, 1, 0) > 0 {}
            isLeft()
        }
    }
}

extension RawServer.Answer {
    /// Sends this text.
    public static func text(_ text: String) -> Self {
        .bytes(Array(text.utf8))
    }

    /// Sends a response with the correct content length.
    public static func response(_ status: Int = 200, _ fields: String..., body: String = "") -> Self {
        let lines = ["HTTP/1.1 \(status) Status", "Content-Length: \(body.utf8.count)", "Connection: close"] + fields
        return .text(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }
}
