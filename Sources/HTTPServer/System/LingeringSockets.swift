import CMicroHTTPD
import Glibc

/// Sockets of closed connections that have not yet delivered all sent bytes to their clients.
///
/// If a socket is closed while received bytes are unread, or if bytes arrive after it was closed, the system resets the connection and
/// discards sent bytes that are not delivered (RFC 9112, section 9.6). libmicrohttpd may close a socket in this situation. So a duplicate
/// of the descriptor keeps the socket open until all sent bytes are delivered.
final class LingeringSockets {
    /// The maximum number of sockets. If there are more, the oldest is closed.
    private static let limit = 16

    private var sockets: [(copy: Int32, since: Moment)] = []

    deinit {
        for socket in sockets { close(socket.copy) }
    }

    var isEmpty: Bool { sockets.isEmpty }

    /// Keeps a socket open that libmicrohttpd is about to close. Does nothing if all sent bytes are delivered.
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

    /// Closes the sockets that have delivered all sent bytes, and the sockets that were kept for the duration `longest`.
    func sweep(now: Moment, longest: Duration) {
        sockets.removeAll { socket in
            guard httpd_unsent(socket.copy) == 0 || socket.since + longest <= now else { return false }
            close(socket.copy)
            return true
        }
    }
}
