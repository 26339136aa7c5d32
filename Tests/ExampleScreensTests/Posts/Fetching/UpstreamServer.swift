import Dispatch
import Foundation
import Glibc
import Synchronization

/// Is an HTTP server on loopback that misbehaves as a test wants: it speaks bytes, not HTTP.
///
/// Each connection brings one request and is answered by what `answer` says about its target; then it
/// is closed. Calls that block run on threads of their own.
final class UpstreamServer: Sendable {
    enum Answer: Sendable {
        /// Sent as it stands.
        case bytes(String)
        /// A head for a body that then never ends.
        case endless(head: String)
        /// Nothing, until the client leaves.
        case silence
    }

    let port: UInt16
    private let listener: Int32
    private let answer: @Sendable (String) -> Answer
    private let noted = Noted<String>()
    private let arrivals = AsyncStream<String>.makeStream()
    private let departures = AsyncStream<Void>.makeStream()

    /// The targets that were asked for so far.
    var targets: [String] { noted.all }
    var url: URL { URL(string: "http://127.0.0.1:\(port)")! }

    init(_ answer: @escaping @Sendable (String) -> Answer) {
        (listener, port) = Self.listen()
        self.answer = answer
        Self.onThread { [self] in accept() }
    }

    /// Answers the first request with the first, and so on; the last answers all that follow.
    convenience init(_ answers: Answer...) {
        let rest = Mutex(answers[...])
        self.init { _ in rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[$0.startIndex] } }
    }

    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// Waits for a request.
    func arrival() async -> String? {
        await arrivals.stream.first { _ in true }
    }

    /// Waits until a client has closed a connection that was not answered to its end.
    func departure() async {
        _ = await departures.stream.first { _ in true }
    }

    /// A port of this machine on which nobody listens.
    static func closedPort() -> UInt16 {
        let (socket, port) = listen()
        close(socket)
        return port
    }
}

extension UpstreamServer {
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
        guard let target = receiveTarget(connection) else { return }
        noted.add(target)
        let answer = answer(target)
        arrivals.continuation.yield(target)
        switch answer {
        case .bytes(let text): _ = send(Array(text.utf8), connection)
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

    /// Reads a head and returns the target in its first line.
    private func receiveTarget(_ connection: Int32) -> String? {
        var head = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !head.hasSuffix("\r\n\r\n") {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            head += String(decoding: buffer[..<count], as: UTF8.self)
        }
        return String(head.split(separator: " ")[1])
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

extension UpstreamServer.Answer {
    /// A response with a body of the right length.
    static func response(_ status: Int = 200, _ fields: String..., body: String = "") -> Self {
        let lines = ["HTTP/1.1 \(status) Status", "Content-Length: \(body.utf8.count)", "Connection: close"] + fields
        return .bytes(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    /// The posts with these ids.
    static func posts(_ ids: some Sequence<Int>) -> Self {
        let posts = ids.map { #"{"userId":1,"id":\#($0),"title":"Title \#($0)","body":"Body \#($0)"}"# }
        return .response(200, "Content-Type: application/json", body: "[\(posts.joined(separator: ","))]")
    }
}
