import CMicroHTTPD
import Glibc

/// The presence of clients whose connections wait for an answer: the library reads nothing meanwhile.
///
/// It is an epoll of its own within that of the daemon, whose wait it ends. A connection is in it only while
/// its loop keeps it.
final class Presence {
    enum Absence {
        /// It sends no more; it may still read.
        case halfClosed
        case gone
    }

    let descriptor: Int32
    private var count = 0

    init() throws(HTTPServer.StartError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw .outOfResources(code: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Watches a connection until it is forgotten, and tells of it once. One that cannot be watched is not missed
    /// before its answer is sent.
    func watch(_ connection: Connection) {
        var event = epoll_event()
        event.events = EPOLLRDHUP.rawValue | EPOLLONESHOT.rawValue
        event.data.ptr = Unmanaged.passUnretained(connection).toOpaque()
        connection.isWatched = epoll_ctl(descriptor, EPOLL_CTL_ADD, connection.socket, &event) == 0
        if connection.isWatched { count += 1 }
    }

    func forget(_ connection: Connection) {
        guard connection.isWatched else { return }
        connection.isWatched = false
        count -= 1
        epoll_ctl(descriptor, EPOLL_CTL_DEL, connection.socket, nil)
    }

    /// The clients that have left since it was asked last.
    func absences() -> [(Connection, Absence)] {
        guard count > 0 else { return [] }
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
