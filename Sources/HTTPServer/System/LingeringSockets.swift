import CMicroHTTPD
import Glibc

/// The sockets of connections that were closed before their clients had taken all that was sent.
///
/// What comes for a socket that is closed, or lies unread in it, has the system cut the connection off, and what it has not
/// sent by then is lost (RFC 9112, section 9.6). The library closes so; a copy of the descriptor keeps the
/// socket until all is sent.
final class LingeringSockets {
    /// How many there are at most; then those that are here longest go.
    private static let limit = 16

    private var sockets: [(copy: Int32, since: Moment)] = []

    deinit {
        for socket in sockets { close(socket.copy) }
    }

    var isEmpty: Bool { sockets.isEmpty }

    /// Keeps a socket that is about to be closed, where something of what was sent has not arrived.
    ///
    /// - Parameter longest: how long one is kept at most.
    func keep(_ socket: Int32, now: Moment, longest: Duration) {
        guard httpd_unsent(socket) > 0 else { return }
        if sockets.count == Self.limit { sweep(now: now, longest: longest) }
        let copy = httpd_copy(socket)
        guard copy >= 0 else { return }
        // The client is to see the end behind what is sent, not when the copy goes.
        shutdown(copy, Int32(SHUT_WR))
        if sockets.count == Self.limit { close(sockets.removeFirst().copy) }
        sockets.append((copy, now))
    }

    /// Lets go of those of which all has arrived, or that are here for too long.
    func sweep(now: Moment, longest: Duration) {
        sockets.removeAll { socket in
            guard httpd_unsent(socket.copy) == 0 || socket.since + longest <= now else { return false }
            close(socket.copy)
            return true
        }
    }
}
