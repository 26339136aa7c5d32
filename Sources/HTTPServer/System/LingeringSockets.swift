import CMicroHTTPD
import Glibc

/// Sockets of closed connections that have not yet delivered all sent bytes to their clients.
///
/// If a socket is closed while received bytes are unread, or if bytes arrive after it was closed, the system resets the
/// connection. After a reset, bytes that were sent but not delivered are lost (RFC 9112, section 9.6).
///
/// libmicrohttpd may close a socket in this situation. So this object keeps a duplicate of the descriptor, which keeps the
/// socket open until all sent bytes are delivered.
final class LingeringSockets {
    /// The maximum number of sockets. If there are more, the oldest is closed.
    private static let limit = 16

    private var sockets: [(copy: Int32, since: Moment)] = []

    deinit {
        for socket in sockets { close(socket.copy) }
    }

    var isEmpty: Bool { sockets.isEmpty }

    /// Keeps a socket open with a duplicate of its descriptor, because libmicrohttpd is about to close the descriptor. Does nothing if all
    /// sent bytes are delivered.
    ///
    /// - Parameter longest: the time after which a socket is closed in any case.
    func keep(_ socket: Int32, now: Moment, longest: Duration) {
        guard httpd_unsent(socket) > 0 else { return }
        if sockets.count == Self.limit { sweep(now: now, longest: longest) }
        let copy = httpd_copy(socket)
        guard copy >= 0 else { return }
        // Without this call, the client would not receive a FIN until the duplicate is closed.
        shutdown(copy, Int32(SHUT_WR))
        if sockets.count == Self.limit { close(sockets.removeFirst().copy) }
        sockets.append((copy, now))
    }

    /// Closes the sockets that have delivered all sent bytes, and the sockets that were kept for too long.
    func sweep(now: Moment, longest: Duration) {
        sockets.removeAll { socket in
            guard httpd_unsent(socket.copy) == 0 || socket.since + longest <= now else { return false }
            close(socket.copy)
            return true
        }
    }
}
