import CMicroHTTPD
import Glibc

/// The program that supervises this process, such as systemd. It can pass a listening socket, and it receives notifications.
///
/// The protocol is the one of sd_listen_fds(3) and sd_notify(3). It is implemented here, because the second page recommends that over
/// linking libsystemd for this purpose.
public struct ServiceManager: Sendable {
    /// The path of the socket that receives notifications, or its abstract name after an `@`; `nil` if no notifications are expected.
    private let notifySocket: String?
    /// The time without a notification after which the service manager ends this process; `nil` if there is no such time.
    public let watchdogInterval: Duration?
    /// The listening socket to serve; `nil` if none was passed.
    public let socket: PassedSocket?

    /// - Parameter variable: returns the value of an environment variable.
    /// - Throws: an error if the passed descriptors are not one listening TCP socket.
    public init(variable: (String) -> String?) throws(HTTPServer.StartError) {
        notifySocket = variable("NOTIFY_SOCKET")
        // WATCHDOG_PID may be missing. If it is another process, the variables were inherited and are not meant for this process.
        let isWatched = variable("WATCHDOG_PID").map(Self.isThisProcess) ?? true
        watchdogInterval = isWatched ? variable("WATCHDOG_USEC").flatMap(Int64.init).map { .microseconds($0) } : nil
        let count = variable("LISTEN_PID").map(Self.isThisProcess) == true ? variable("LISTEN_FDS").flatMap(Int.init) ?? 0 : 0
        guard count <= 1 else { throw .severalSockets(count: count) }
        socket = count == 1 ? try PassedSocket(descriptor: PassedSocket.firstDescriptor) : nil
    }

    private init() {
        (notifySocket, watchdogInterval, socket) = (nil, nil, nil)
    }

    /// The service manager of a process that has none. It passes no socket and receives no notifications.
    public static let absent = ServiceManager()

    /// Reads the environment variables of the service manager, and removes them, so that processes that this process starts do not take
    /// them for their own. Call this function once, before the process has other threads that read the environment.
    public static func take() throws(HTTPServer.StartError) -> ServiceManager {
        defer { for name in names { unsetenv(name) } }
        return try ServiceManager { name in getenv(name).map { String(cString: $0) } }
    }

    private static let names = [
        "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES",
    ]

    private static func isThisProcess(_ id: String) -> Bool { id == String(getpid()) }
}

extension ServiceManager {
    /// Sends assignments such as `READY=1`. Returns false if notifications are expected and this one cannot be sent.
    @discardableResult
    public func notify(_ assignments: String...) -> Bool {
        guard let notifySocket else { return true }
        let message = assignments.joined(separator: "\n")
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // A service manager that does not read its socket must not block this process.
        var limit = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        return Self.withAddress(notifySocket) { address, length in
            sendto(descriptor, message, message.utf8.count, Int32(MSG_NOSIGNAL), address, length) == message.utf8.count
        } ?? false
    }

    /// Calls `body` with the address of a Unix socket. Returns `nil` if the name of the socket is too long.
    static func withAddress<Result>(_ name: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout.offset(of: \sockaddr_un.sun_path)! + bytes.count)
        return withUnsafePointer(to: address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}

/// A listening socket that the service manager has opened and keeps open (socket activation). Connections wait in it while a server
/// restarts.
public struct PassedSocket: Sendable {
    let descriptor: Int32
    public let address: BoundAddress

    /// The first descriptor that a service manager passes.
    static let firstDescriptor: Int32 = 3

    init(descriptor: Int32) throws(HTTPServer.StartError) {
        let protocolNumber = Self.option(SO_PROTOCOL, of: descriptor)
        guard protocolNumber == Int32(IPPROTO_TCP), Self.option(SO_ACCEPTCONN, of: descriptor) == 1 else { throw .notListening }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        // Several event loops accept connections, so a connection may be gone when a loop accepts it.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        self.descriptor = descriptor
        address = ListeningSocket.address(of: descriptor)
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }
}
