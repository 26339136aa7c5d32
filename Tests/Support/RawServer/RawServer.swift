public import Foundation
import Glibc
import Synchronization

/// Is an HTTP server on loopback that misbehaves as a test wants: it speaks bytes, not HTTP.
///
/// Each connection brings one request and is answered by what `answer` says about its target; then it
/// is closed. Calls that block run on threads of their own, `answer` too.
public final class RawServer: Sendable {
    public enum Answer: Sendable {
        /// Sent as they stand.
        case bytes([UInt8])
        /// A head for a body that then never ends.
        case endless(head: String)
        /// Nothing, until the client leaves.
        case silence
    }

    public let port: UInt16
    private let listener: Int32
    private let answer: @Sendable (String) -> Answer
    private let noted = Mutex<[String]>([])
    private let arrivals = AsyncStream<String>.makeStream()
    private let departures = AsyncStream<Void>.makeStream()

    /// The heads of all requests so far, without the empty line.
    public var heads: [String] { noted.withLock { $0 } }
    /// The targets that were asked for so far.
    public var targets: [String] { heads.map { String($0.split(separator: " ")[1]) } }
    public var url: URL { URL(string: "http://127.0.0.1:\(port)")! }

    public init(_ answer: @escaping @Sendable (String) -> Answer) {
        (listener, port) = Self.listen()
        self.answer = answer
        Self.onThread { [self] in accept() }
    }

    /// Answers the first request with the first, and so on; the last answers all that follow.
    public convenience init(_ answers: Answer...) {
        let rest = Mutex(answers[...])
        self.init { _ in rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[$0.startIndex] } }
    }

    public func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// Waits for a request.
    public func arrival() async -> String? {
        await arrivals.stream.first { _ in true }
    }

    /// Waits until a client has closed a connection that was not answered to its end.
    public func departure() async {
        _ = await departures.stream.first { _ in true }
    }

    /// A port of this machine on which nobody listens.
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
            precondition(bind(socket, address, length) == 0 && Glibc.listen(socket, 64) == 0)
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

    private func serve(_ connection: Int32) {
        defer { close(connection) }
        guard let head = receiveHead(connection) else { return }
        noted.withLock { $0.append(head) }
        let target = String(head.split(separator: " ")[1])
        arrivals.continuation.yield(target)
        switch answer(target) {
        case .bytes(let bytes): _ = send(bytes, connection)
        case .endless(let head):
            var isTaken = send(Array(head.utf8), connection)
            while isTaken { isTaken = send([UInt8](repeating: 0x20, count: 65536), connection) }
            departures.continuation.yield()
        case .silence:
            var byte: UInt8 = 0
            while recv(connection, &byte, 1, 0) > 0 {}
            departures.continuation.yield()
        }
        // What was not read would turn the end into a reset, and take the answer with it.
        shutdown(connection, Int32(SHUT_WR))
    }

    private func receiveHead(_ connection: Int32) -> String? {
        var head = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !head.hasSuffix("\r\n\r\n") {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            head += String(decoding: buffer[..<count], as: UTF8.self)
        }
        return String(head.dropLast())
    }

    private func send(_ bytes: [UInt8], _ connection: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

extension RawServer.Answer {
    /// Sent as it stands.
    public static func text(_ text: String) -> Self {
        .bytes(Array(text.utf8))
    }

    /// A response with a body of the right length.
    public static func response(_ status: Int = 200, _ fields: String..., body: String = "") -> Self {
        let lines = ["HTTP/1.1 \(status) Status", "Content-Length: \(body.utf8.count)", "Connection: close"] + fields
        return .text(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }
}
