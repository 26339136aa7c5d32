import CMicroHTTPD
import Glibc

/// The presence of clients, from accept to close: the library does not look for it while an answer is awaited, and
/// misses an end that comes in one go with what it ends.
///
/// It is an epoll of its own within that of the daemon, whose wait it ends. A connection is in it only while
/// its loop keeps it.
final class Presence {
    enum Absence {
        /// It sends no more; it may still read. Also told where we have ended reading ourselves.
        case halfClosed
        case gone
    }

    let descriptor: Int32

    init() throws(HTTPServer.StartError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw .outOfResources(code: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Watches a connection until it is forgotten. One that cannot be watched is missed when it is written to, or at its
    /// deadline.
    func watch(_ connection: Connection) {
        var event = epoll_event()
        // By edges: an absence lasts, and is told once.
        event.events = EPOLLRDHUP.rawValue | EPOLLET.rawValue
        event.data.ptr = Unmanaged.passUnretained(connection).toOpaque()
        epoll_ctl(descriptor, EPOLL_CTL_ADD, connection.socket, &event)
    }

    func forget(_ connection: Connection) {
        epoll_ctl(descriptor, EPOLL_CTL_DEL, connection.socket, nil)
    }

    /// The clients that have left since it was asked last.
    func absences() -> [(Connection, Absence)] {
        var absences: [(Connection, Absence)] = []
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 64) { events in
            var found = events.count
            while found == events.count {
                found = Int(epoll_wait(descriptor, events.baseAddress, Int32(events.count), 0))
                for event in events.prefix(max(found, 0)) {
                    let isGone = event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0
                    let connection = Unmanaged<Connection>.fromOpaque(event.data.ptr).takeUnretainedValue()
                    absences.append((connection, isGone ? .gone : .halfClosed))
                }
            }
        }
        return absences
    }
}
