import CMicroHTTPD
import Glibc

/// A connection and the state of its current request.
///
/// One object serves all requests of a connection. So a request allocates memory only for the values that the handler receives.
///
/// `@unchecked Sendable`: only the thread of its event loop reads or writes it. A task that computes a response only passes a
/// reference to the connection back to the inbox of the loop.
final class Connection: @unchecked Sendable {
    enum Stage {
        /// The connection was accepted, and nothing was received yet.
        case opening
        /// The connection is between two requests.
        case idle
        /// Nothing more is read from the socket. A request that was already received is still answered.
        case retired
        /// The request line was received.
        case head
        /// The request has no body. In its next call, libmicrohttpd asks for the response.
        case bodiless
        /// The body is being received for the handler.
        case body
        /// The body is being discarded, because the handler does not need it. The reply is sent after the end of the body.
        indirect case discarding(Reply)
        /// The connection was resumed after the head. In the next call of libmicrohttpd, the reply decides whether the body is
        /// read.
        indirect case resumedAtHead(Reply)
        case suspended(Task<Void, Never>, endsWithClient: Bool)
        /// The connection was resumed with a response. In its next call, libmicrohttpd asks for the response.
        case answered(Answer)
        case sending
        /// The response is being sent as a stream.
        case streaming(NativeStream)
        /// The server has shut down the socket, but libmicrohttpd has not closed the connection yet.
        case cut
    }

    let handle: OpaquePointer
    let socket: Int32
    /// The address of the client. It is read once, when the connection is accepted.
    let peer: NetworkAddress?
    /// A Boolean value that indicates whether the connection exceeds the limit of connections. The first request of such a
    /// connection is rejected, and the connection is closed.
    let isOverLimit: Bool
    // The following flags share one machine word. This saves memory, since there can be ten thousand connections.
    /// A Boolean value that indicates whether the server will receive no more bytes. Either the client has shut down its
    /// sending half, or the server has shut down its receiving half.
    var isHalfClosed = false
    var speaksHTTP10 = false
    var isHeadRequest = false
    var stage = Stage.opening
    /// The time from which the maximum duration of the current `step` is measured.
    var since: Moment
    /// The index of this connection in the loop's list of connections.
    var index = 0

    var target = ""
    var headers = Headers()
    /// The body of the current request. It is stored from the end of the head until the response; nil if the request has no
    /// body.
    var body: IncomingBody?
    /// The observers of the response. They are called when the response is complete or has failed.
    var replyEnded: (@Sendable (Reply.Ending) -> Void)?
    /// The status code of the response; nil until the response is queued.
    var status: Int?

    init(_ handle: OpaquePointer, isOverLimit: Bool, now: Moment) {
        self.handle = handle
        self.isOverLimit = isOverLimit
        socket = httpd_socket(handle)
        peer = httpd_peer(handle).flatMap(NetworkAddress.init)
        since = now
    }
}

extension Connection {
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

    /// Makes libmicrohttpd close this connection, which must be between two requests.
    ///
    /// This function shuts down only the receiving half, because the socket may already contain a request. A complete request in the
    /// socket is still performed and answered. An incomplete request line keeps the connection open until a deadline.
    func retire(now: Moment) {
        stage = .retired
        since = now
        endReading()
    }

    /// Shuts down the receiving half of the socket. The next read of libmicrohttpd then reports the end of the input, even if libmicrohttpd
    /// did not notice that the client has stopped sending.
    func endReading() {
        isHalfClosed = true
        shutdown(socket, Int32(SHUT_RD))
    }

    /// Shuts down the receiving half again if the connection is half closed. This is necessary after libmicrohttpd has read further bytes,
    /// because libmicrohttpd then no longer knows that the input has ended.
    func endReadingAgain() {
        if isHalfClosed { endReading() }
    }

    /// Makes libmicrohttpd ask for the response before it reads from the resumed connection again. If libmicrohttpd read the end of the
    /// input first, it would treat the client as disconnected.
    ///
    /// In each turn, libmicrohttpd processes some connections before it reads. These are all connections whose timeout differs from the
    /// default, and the connection with the default timeout that was idle longest. Therefore this function changes the timeout.
    func prioritizeResponse(idleSeconds: UInt32) {
        httpd_set_timeout(handle, idleSeconds + 1)
    }

    func endPriority(idleSeconds: UInt32) {
        httpd_set_timeout(handle, idleSeconds)
    }

    /// Makes libmicrohttpd close the connection in any stage. A suspended connection is resumed first.
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

    /// Adds an observer of the response.
    func observe(with ended: (@Sendable (Reply.Ending) -> Void)?) {
        guard let ended else { return }
        guard let earlier = replyEnded else { return replyEnded = ended }
        replyEnded = { ending in
            ended(ending)
            earlier(ending)
        }
    }

    /// Notifies the observers that the response is complete or has failed. Later calls do nothing.
    func endReply(isComplete: Bool) {
        if let replyEnded {
            self.replyEnded = nil
            replyEnded(Reply.Ending(status: status, isComplete: isComplete))
        }
        status = nil
    }

    /// Discards the state of a request that has ended. The memory of its headers is kept for the next request.
    func reset(now: Moment, isDraining: Bool) {
        body = nil
        if case .cut = stage { return }
        stage = .idle
        since = now
        headers.removeAll()
        if isHalfClosed || isDraining { retire(now: now) }
    }
}
