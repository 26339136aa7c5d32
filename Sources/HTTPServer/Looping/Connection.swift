import CMicroHTTPD
import Glibc

/// A connection of libmicrohttpd and the state of its current request.
///
/// One object serves all requests of a connection. So a request allocates memory only for the values that the handler receives.
///
/// A connection is half closed if the server will receive no more bytes. Either the client has shut down its sending half, or the server
/// has shut down its receiving half. Requests that were already received are still answered.
///
/// `@unchecked Sendable`: only the thread of its event loop reads or writes it. A task that computes a response only passes a reference
/// to the connection back to the inbox of the loop.
final class Connection: @unchecked Sendable {
    enum Stage {
        /// The connection was accepted, and nothing was received yet.
        case opening
        case idle
        /// The connection is half closed. It closes after the requests that were already received.
        case retired
        /// The request line was received.
        case head
        /// The head of a request without a body was received.
        case bodiless
        case body
        /// The body is being discarded. The reply is sent after the end of the body.
        indirect case discarding(Reply)
        /// The connection was resumed with a reply that decides whether the body is read.
        indirect case resumedAtHead(Reply)
        case suspended(Task<Void, Never>, endsWithClient: Bool)
        /// The connection was resumed with a response.
        case answered(Answer)
        case sending
        case streaming(NativeStream)
        /// The server has shut down the socket, but libmicrohttpd has not closed the connection yet.
        case cut
    }

    let handle: OpaquePointer
    let socket: Int32
    let peer: NetworkAddress?
    /// The reason to reject the first request of the connection, because the connection exceeds a limit of connections; nil if it does not.
    let excess: Refusal?
    // These flags share one machine word. This saves memory, because there can be ten thousand connections.
    var isHalfClosed = false
    var speaksHTTP10 = false
    var isHeadRequest = false
    var stage = Stage.opening
    /// The time from which the maximum duration of the current `step` is measured.
    var since: Moment
    var index = 0

    var target = ""
    var headers = Headers()
    /// The body of the current request, from the end of the head until the response.
    var body: IncomingBody?
    /// A function that calls all observers of the response. It is called when the response is complete or has failed.
    var replyEnded: (@Sendable (Reply.Ending) -> Void)?
    /// The status code of the response; nil until the response is queued.
    var status: Int?
    /// The record of the requests; nil if the server has no records.
    let record: ConnectionRecord?

    init(
        _ handle: OpaquePointer, from peer: NetworkAddress?, excess: Refusal?, record: (any RequestRecording)?, now: Moment
    ) {
        self.handle = handle
        self.peer = peer
        self.excess = excess
        socket = httpd_socket(handle)
        since = now
        self.record = record.map { ConnectionRecord($0, now: now) }
    }
}

extension Connection {
    var isOverLimit: Bool { excess != nil }

    /// The step of the request during which the server waits for the client; nil while the client waits for the server.
    var step: Timeouts.Step? {
        switch stage {
        case .opening: .opening
        case .idle: .idle
        case .head, .retired: .head
        case .bodiless, .body, .discarding: .body
        case .resumedAtHead, .suspended, .answered, .sending, .streaming, .cut: nil
        }
    }

    var isCut: Bool {
        if case .cut = stage { true } else { false }
    }

    var isBetweenRequests: Bool {
        switch stage {
        case .opening, .idle: true
        default: false
        }
    }

    /// Makes libmicrohttpd close this connection, which must be between two requests. Only the receiving half is shut down, because a
    /// request in the socket must still be answered. An incomplete request line keeps the connection open until a deadline.
    func retire(now: Moment) {
        stage = .retired
        since = now
        endReading()
    }

    /// Shuts down the receiving half of the socket. The next read of libmicrohttpd then reports the end of the input.
    func endReading() {
        isHalfClosed = true
        shutdown(socket, Int32(SHUT_RD))
    }

    /// Repeats `endReading()` for a half-closed connection, because libmicrohttpd forgets the end of the input when it reads bytes.
    func endReadingAgain() {
        if isHalfClosed { endReading() }
    }

    /// Makes libmicrohttpd ask for the response of this resumed connection before it reads from the connection. If libmicrohttpd read the
    /// end of the input first, it would treat the client as disconnected.
    ///
    /// In each turn, libmicrohttpd processes some connections before it reads: the connections whose timeout differs from the default,
    /// and the connection with the default timeout that was idle longest. Therefore this function changes the timeout.
    func prioritizeResponse(idleSeconds: UInt32) {
        httpd_set_timeout(handle, idleSeconds + 1)
    }

    func endPriority(idleSeconds: UInt32) {
        httpd_set_timeout(handle, idleSeconds)
    }

    /// Makes libmicrohttpd close the connection, in any stage.
    func cut() {
        switch stage {
        case .suspended(let task, _):
            task.cancel()
            MHD_resume_connection(handle)
        case .streaming(let stream):
            stream.cut()
        default:
            break
        }
        stage = .cut
        // The short timeout closes the connection even if libmicrohttpd does not check the socket.
        httpd_set_timeout(handle, 1)
        shutdown(socket, Int32(SHUT_RDWR))
    }

    func observe(with ended: (@Sendable (Reply.Ending) -> Void)?) {
        guard let ended else { return }
        guard let earlier = replyEnded else { return replyEnded = ended }
        replyEnded = { ending in
            ended(ending)
            earlier(ending)
        }
    }

    func endReply(isComplete: Bool, now: () -> Moment) {
        if let replyEnded {
            self.replyEnded = nil
            replyEnded(Reply.Ending(status: status, isComplete: isComplete))
        }
        record?.end(status: status, isComplete: isComplete, now: now)
        status = nil
    }

    func reset(now: Moment, isDraining: Bool) {
        body = nil
        if case .cut = stage { return }
        stage = .idle
        since = now
        headers.removeAll()
        if isHalfClosed || isDraining { retire(now: now) }
    }
}
