import CMicroHTTPD
import Glibc

/// A connection, and how far its current request has come.
///
/// It lasts from accept to close and serves one request after the other, so that a request
/// allocates nothing of its own but what the handler receives.
///
/// `@unchecked Sendable`: only the thread of its event loop reads or writes it. A task that
/// computes an answer merely carries it back to the loop's inbox.
final class Connection: @unchecked Sendable {
    enum Stage {
        /// Accepted; nothing has come yet.
        case opening
        /// Between two requests.
        case idle
        /// Reads no further than what has come; a request among that is answered.
        case retired
        /// The request line is here.
        case head
        /// The request has no body. The library is about to ask for the answer.
        case bodiless
        /// The body is gathered for the handler that asked for it.
        case body
        /// A body that the handler did not ask for is discarded; the reply follows its end.
        indirect case discarding(Reply)
        /// Resumed after the head. The library is about to call again, and the reply then decides whether the body is read.
        indirect case resumedAtHead(Reply)
        case suspended(Task<Void, Never>, endsWithClient: Bool)
        /// Resumed; the library is about to ask for the answer.
        case answered(Answer)
        case sending
        /// A body is being sent in parts.
        case streaming(NativeStream)
        /// Shut down by us; the library is about to notice.
        case cut
    }

    let handle: OpaquePointer
    let socket: Int32
    /// The address of the other end, read once for all requests.
    let peer: NetworkAddress?
    /// One connection too many: its first request is its last.
    let isOverLimit: Bool
    // In one word with those before: with ten thousand followers each word counts.
    /// Nothing comes but what has come: its client sends no more, or we have ended reading.
    var isHalfClosed = false
    var speaksHTTP10 = false
    var asksForHead = false
    var stage = Stage.opening
    /// When the step began that `step` names.
    var since: Moment
    /// Where it lies in its loop's list.
    var index = 0

    var target = ""
    var headers = Headers()
    /// The body, from the end of the head until there is an answer; nil for a request without one.
    var body: IncomingBody?
    /// What is called when the answer has ended.
    var replyEnded: (@Sendable (Reply.Ending) -> Void)?
    /// The status that is sent; nil before.
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
    /// What the client has to do next; nil while it is our turn.
    var step: Patience.Step? {
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

    /// Makes the library close it between two requests. A request that is on its way here may have arrived, so only
    /// reading ends: what was read is performed, and who asked shall hear of it. Half a line that was read keeps it open,
    /// so it has a deadline.
    func retire(now: Moment) {
        stage = .retired
        since = now
        endReading()
    }

    /// Makes the library look for the end, which it misses where that came with what it read last.
    func endReading() {
        isHalfClosed = true
        shutdown(socket, Int32(SHUT_RD))
    }

    /// Makes it look once more where it has read since it was told.
    func endReadingAgain() {
        if isHalfClosed { endReading() }
    }

    /// Has the library ask for the answer before it reads, when it is resumed: it takes an end that it reads first for a
    /// client that has left. In each turn it asks all connections whose timeout is not that of the others, of the rest
    /// only the one that was idle longest, and then it reads.
    func beginAsking(idleSeconds: UInt32) {
        httpd_set_timeout(handle, idleSeconds + 1)
    }

    func endAsking(idleSeconds: UInt32) {
        httpd_set_timeout(handle, idleSeconds)
    }

    /// Makes the library close it, whatever goes on. A suspended one must be resumed first, or nothing happens.
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
        // In case that the library does not look at the socket.
        httpd_set_timeout(handle, 1)
        shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Has what is called when the answer has ended be this, too.
    func observe(with ended: (@Sendable (Reply.Ending) -> Void)?) {
        guard let ended else { return }
        guard let earlier = replyEnded else { return replyEnded = ended }
        replyEnded = { ending in
            ended(ending)
            earlier(ending)
        }
    }

    /// Tells who observes the answer to the request that is over, once.
    func endReply(isComplete: Bool) {
        if let replyEnded {
            self.replyEnded = nil
            replyEnded(Reply.Ending(status: status, isComplete: isComplete))
        }
        status = nil
    }

    /// Forgets a request that is over, and keeps the memory of its headers.
    func reset(now: Moment, isDraining: Bool) {
        body = nil
        if case .cut = stage { return }
        stage = .idle
        since = now
        headers.removeAll()
        if isHalfClosed || isDraining { retire(now: now) }
    }
}
