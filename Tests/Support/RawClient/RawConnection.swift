import ContentDecoding
import Glibc
import HTTPServer

/// A socket with the bytes that were received but not returned yet. The methods block the thread.
struct RawConnection {
    private(set) var socket: Int32 = -1
    private var received: [UInt8] = []
    /// The decoded bytes that follow the last returned event in a chunked body.
    var streamed: [UInt8] = []
    /// The decoder of the body that is read.
    var decoder: ContentDecoder?

    mutating func connect(to address: BoundAddress, from source: String?, receiveBuffer: Int32?) throws {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICHOST
        var found: UnsafeMutablePointer<addrinfo>?
        getaddrinfo(address.host, String(address.port), &hints, &found)
        guard let info = found else { throw RawClient.Failure.unknownHost(address.host) }
        defer { freeaddrinfo(info) }
        socket = Glibc.socket(info.pointee.ai_family, Int32(SOCK_STREAM.rawValue), 0)
        if let receiveBuffer { set(SO_RCVBUF, receiveBuffer) }
        if let source {
            var local = sockaddr_in()
            local.sin_family = sa_family_t(AF_INET)
            inet_pton(AF_INET, source, &local.sin_addr)
            let size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let bound = withUnsafeBytes(of: &local) { bind(socket, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), size) }
            guard bound == 0 else { throw RawClient.Failure.cannotConnect(code: errno) }
        }
        // If a server does not respond, the test fails after this time. Without this timeout, the test would block forever.
        set(SO_RCVTIMEO, timeval(tv_sec: 300, tv_usec: 0))
        guard Glibc.connect(socket, info.pointee.ai_addr, info.pointee.ai_addrlen) == 0 else {
            throw RawClient.Failure.cannotConnect(code: errno)
        }
    }

    private func set<Value>(_ option: Int32, _ value: Value) {
        withUnsafePointer(to: value) { _ = setsockopt(socket, SOL_SOCKET, option, $0, socklen_t(MemoryLayout<Value>.size)) }
    }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0 { throw closed }
            rest = rest.dropFirst(count)
        }
    }

    func finish() {
        shutdown(socket, Int32(SHUT_WR))
    }

    func leave() {
        set(SO_LINGER, linger(l_onoff: 1, l_linger: 0))
        shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Returns true if the server closed the connection without a reset.
    func isClosed() -> Bool {
        var byte: UInt8 = 0
        return received.isEmpty && recv(socket, &byte, 1, 0) == 0
    }
}

extension RawConnection {
    mutating func take(_ count: Int) throws -> [UInt8] {
        while received.count < count { try receiveMore() }
        return received.removePrefix(count)
    }

    /// Removes and returns the text before `end`, and removes `end` too.
    mutating func take(until end: String) throws -> String {
        while true {
            if let range = received.firstRange(of: Array(end.utf8)) {
                return String(decoding: received.removePrefix(range.upperBound).prefix(range.lowerBound), as: UTF8.self)
            }
            try receiveMore()
        }
    }

    mutating func takeRest() throws -> [UInt8] {
        while try receive() {}
        return received.removePrefix(received.count)
    }

    mutating func waitForBytes() throws {
        if received.isEmpty && streamed.isEmpty { try receiveMore() }
    }

    private mutating func receiveMore() throws {
        guard try receive() else { throw closed }
    }

    /// Waits until bytes are received. Returns false at the end of the stream.
    private mutating func receive() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(socket, &buffer, buffer.count, 0)
        if count < 0 && errno == EAGAIN { throw RawClient.Failure.silent }
        received += buffer.prefix(max(count, 0))
        return count > 0
    }

    private var closed: RawClient.Failure { .closed(after: String(decoding: received, as: UTF8.self)) }
}

extension [UInt8] {
    mutating func removePrefix(_ count: Int) -> [UInt8] {
        defer { removeFirst(count) }
        return Array(prefix(count))
    }
}
