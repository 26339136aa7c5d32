import CMicroHTTPD
import Glibc

/// Detects clients that close their connections.
///
/// libmicrohttpd does not watch a socket while a response is pending. It also misses the end of the input if it arrives together with the
/// last request. The monitor is an epoll instance. It is registered in the epoll instance of the daemon, so that a disconnect ends the wait
/// of the daemon. Each connection of the loop is registered in the monitor.
final class DisconnectMonitor {
    let descriptor: Int32

    init() throws(HTTPServer.StartError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw .outOfResources(code: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Registers a connection. If the registration fails, a disconnect is detected only when the server sends bytes, or when a
    /// deadline passes.
    func watch(_ connection: Connection) {
        var event = epoll_event()
        // The event is edge-triggered, so that a disconnect is reported only once. Otherwise it would be reported at each check, because a
        // disconnect is permanent.
        event.events = EPOLLRDHUP.rawValue | EPOLLET.rawValue
        event.data.ptr = Unmanaged.passUnretained(connection).toOpaque()
        epoll_ctl(descriptor, EPOLL_CTL_ADD, connection.socket, &event)
    }

    func forget(_ connection: Connection) {
        epoll_ctl(descriptor, EPOLL_CTL_DEL, connection.socket, nil)
    }

    /// Returns the connections that were closed or half closed since the last call.
    ///
    /// `isGone` is true if the connection is closed in both directions or has failed. It is false if the connection is half
    /// closed: the client sends no more bytes, but may still read. A connection is also returned as half closed after this
    /// server has shut down its own receiving half.
    func disconnects() -> [(Connection, isGone: Bool)] {
        var disconnects: [(Connection, isGone: Bool)] = []
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 64) { events in
            var found = events.count
            while found == events.count {
                found = Int(epoll_wait(descriptor, events.baseAddress, Int32(events.count), 0))
                for event in events.prefix(max(found, 0)) {
                    let isGone = event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0
                    let connection = Unmanaged<Connection>.fromOpaque(event.data.ptr).takeUnretainedValue()
                    disconnects.append((connection, isGone))
                }
            }
        }
        return disconnects
    }
}
