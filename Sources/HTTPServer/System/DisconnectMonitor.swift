import CMicroHTTPD
import Glibc

/// Detects clients that close or half close their connections.
///
/// libmicrohttpd misses such an event in two cases: while a response is pending, because it does not watch the socket then, and if the
/// end of the input arrives together with the last bytes of a request.
///
/// The monitor is an epoll instance, in which each connection of the loop is registered. The monitor is registered in the epoll instance
/// of the daemon, so that a disconnect ends the wait of the daemon.
final class DisconnectMonitor {
    let descriptor: Int32

    init() throws(HTTPServer.StartError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw .outOfResources(code: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Registers a connection. If the registration fails, a disconnect is detected only by a deadline or when bytes are sent.
    func watch(_ connection: Connection) {
        var event = epoll_event()
        // The event is edge-triggered, so that a disconnect is reported only once and not by each later check.
        event.events = EPOLLRDHUP.rawValue | EPOLLET.rawValue
        event.data.ptr = Unmanaged.passUnretained(connection).toOpaque()
        epoll_ctl(descriptor, EPOLL_CTL_ADD, connection.socket, &event)
    }

    func forget(_ connection: Connection) {
        epoll_ctl(descriptor, EPOLL_CTL_DEL, connection.socket, nil)
    }

    /// Returns the connections that were closed or half closed since the last call. If `isGone` is false, the client may still read.
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
