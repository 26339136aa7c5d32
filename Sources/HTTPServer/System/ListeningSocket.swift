import Glibc

/// The socket on which all event loops accept connections. It is closed when the last reference to it is released.
final class ListeningSocket: Sendable {
    let descriptor: Int32
    let address: BoundAddress

    init(host: String, port: UInt16) throws(HTTPServer.StartError) {
        var code: Int32 = 0
        for candidate in try Self.candidates(host: host, port: port) {
            if let descriptor = Self.listen(candidate, code: &code) {
                self.descriptor = descriptor
                address = Self.address(of: descriptor)
                return
            }
        }
        throw .cannotListen(host: host, port: port, code: code)
    }

    init(_ passed: PassedSocket) {
        (descriptor, address) = (passed.descriptor, passed.address)
    }

    deinit {
        close(descriptor)
    }
}

extension ListeningSocket {
    fileprivate struct Candidate {
        var family: Int32
        var storage = sockaddr_storage()
        var length: socklen_t
    }

    /// Returns the addresses of a host. IPv4 addresses come first, because most clients try them first.
    private static func candidates(host: String, port: UInt16) throws(HTTPServer.StartError) -> [Candidate] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else { throw .hostNotFound(host: host, code: code) }
        defer { freeaddrinfo(list) }
        let all = sequence(first: list!) { $0.pointee.ai_next }.map { Candidate($0.pointee) }
        return all.filter { $0.family == AF_INET } + all.filter { $0.family != AF_INET }
    }

    private static func listen(_ candidate: Candidate, code: inout Int32) -> Int32? {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(candidate.family, type, 0)
        guard descriptor >= 0 else {
            code = errno
            return nil
        }
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        let isBound = candidate.withPointer { bind(descriptor, $0, $1) } == 0
        // The kernel lowers the backlog to its own limit.
        guard isBound, Glibc.listen(descriptor, 4096) == 0 else {
            code = errno
            close(descriptor)
            return nil
        }
        return descriptor
    }

    static func address(of descriptor: Int32) -> BoundAddress {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        var service = [CChar](repeating: 0, count: Int(NI_MAXSERV))
        withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = getsockname(descriptor, address, &length)
                _ = getnameinfo(
                    address, length, &host, socklen_t(host.count), &service, socklen_t(service.count),
                    NI_NUMERICHOST | NI_NUMERICSERV
                )
            }
        }
        return BoundAddress(host: text(host), port: UInt16(text(service)) ?? 0)
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension ListeningSocket.Candidate {
    fileprivate init(_ info: addrinfo) {
        self.init(family: info.ai_family, length: info.ai_addrlen)
        withUnsafeMutableBytes(of: &storage) { bytes in
            bytes.copyMemory(from: UnsafeRawBufferPointer(start: info.ai_addr, count: Int(info.ai_addrlen)))
        }
    }

    fileprivate func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}

/// The numeric address that a server listens on.
public struct BoundAddress: Sendable, Hashable, CustomStringConvertible {
    public var host: String
    public var port: UInt16

    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// The address as written in a URL: `127.0.0.1:8080`, `[::1]:8080`.
    public var description: String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
