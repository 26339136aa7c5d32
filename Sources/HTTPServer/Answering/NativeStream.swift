import CMicroHTTPD
import Synchronization

/// Passes the parts of a stream to libmicrohttpd, and suspends the connection while the stream has no bytes to send.
///
/// libmicrohttpd asks the stream for bytes. If the stream has no bytes, the stream suspends the connection until the stream is
/// woken or a heartbeat is due. A suspended connection uses only memory.
///
/// `@unchecked Sendable`: `inbox` and `wakeState` are Sendable. Everything else is accessed only on the thread of the event loop.
final class NativeStream: StreamWaking, @unchecked Sendable {
    /// The bit of `wakeState` that is set while a wake message to the loop is pending. While the bit is set, further calls of
    /// `wake()` send no message.
    private static let woken: UInt8 = 1
    private static let over: UInt8 = 2

    /// The maximum number of bytes copied in one step. Larger steps need more memory for each connection.
    private static let stepBytes = 4096

    private let inbox: Inbox
    /// The event loop of the connection. It owns the connection, so it outlives this stream.
    private unowned let loop: EventLoop
    private let handle: OpaquePointer
    private var body: (any BodyStream)?
    let heartbeat: StreamingResponse.Heartbeat?

    private var part: [UInt8] = []
    private var position = 0
    /// The time when bytes were last passed to libmicrohttpd.
    private var lastGiven: Moment
    /// The index of this stream in the loop's list of streams; nil if the stream is not in the list.
    var index: Int?
    // The following flags fit into the machine word that contains the last byte of `index`. This saves memory, since there can
    // be ten thousand streams.
    private let wakeState = Atomic<UInt8>(0)
    private var isSuspended = false
    private var isCut = false
    private var needsHeartbeat = false
    /// A Boolean value that indicates whether the client has stopped sending. The client may also have closed the connection.
    private var isHalfClosed: Bool

    init(_ response: StreamingResponse, on connection: Connection, of loop: EventLoop) {
        self.loop = loop
        inbox = loop.inbox
        handle = connection.handle
        heartbeat = response.heartbeat
        isHalfClosed = connection.isHalfClosed
        lastGiven = loop.now
        body = response.makeBody(StreamWaker(self))
    }

    /// Wakes the stream, from any thread.
    func wake() {
        let before = wakeState.bitwiseOr(Self.woken, ordering: .acquiringAndReleasing).oldValue
        if before == 0 { inbox.post(.wake(self)) }
    }
}

// MARK: - On the loop's thread

extension NativeStream {
    /// Resumes the stream after a wake. After this call, the next call of `wake()` sends a message again.
    func acceptWake() {
        wakeState.bitwiseAnd(~Self.woken, ordering: .acquiringAndReleasing)
        resume()
    }

    /// The interval between heartbeats; nil if the stream has no heartbeat. If the client has stopped sending, the interval is at most one
    /// second, because the server must send bytes to find out whether this client has closed the connection.
    var heartbeatInterval: Duration? {
        heartbeat.map { isHalfClosed ? min($0.interval, .seconds(1)) : $0.interval }
    }

    /// The time of the next heartbeat if nothing is sent before that time; nil if the stream has no heartbeat.
    var heartbeatDue: Moment? {
        heartbeatInterval.map { lastGiven + $0 }
    }

    /// Sends a heartbeat if the stream still has nothing to send.
    func sendHeartbeat() {
        needsHeartbeat = needsHeartbeat || isSuspended
        resume()
    }

    /// Sends a heartbeat as soon as nothing else is left to send. The loop calls this function when the client has stopped sending.
    /// The heartbeat shows whether the client has closed the connection or still reads.
    func probe() {
        isHalfClosed = true
        needsHeartbeat = true
        resume()
    }

    /// Makes libmicrohttpd end the response as failed.
    func cut() {
        isCut = true
        resume()
    }

    /// Notifies the body that the stream is over, and releases the body. Later calls do nothing.
    func end() {
        wakeState.bitwiseOr(Self.over, ordering: .relaxed)
        loop.streams.remove(self)
        isSuspended = false
        part = []
        let body = body
        self.body = nil
        body?.ended()
    }

    /// Resumes the connection if it is suspended. If the connection were resumed twice after one suspension, the next suspension would be
    /// cancelled.
    private func resume() {
        guard isSuspended else { return }
        isSuspended = false
        MHD_resume_connection(handle)
    }
}

// MARK: - Reading

extension NativeStream {
    /// Fills the buffer with the next bytes of the stream. Returns the number of bytes written, 0 if the connection was suspended,
    /// or a code of libmicrohttpd that ends the response.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let body, !isCut else { return httpd_end_with_error }
        if position < part.count { return copy(to: buffer) }
        switch body.next() {
        case .part(let bytes) where !bytes.isEmpty: return give(bytes, to: buffer)
        case .part, .pause: return pause(buffer)
        case .end: return httpd_end_of_stream
        }
    }

    private func pause(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        if needsHeartbeat, let heartbeat, !heartbeat.bytes.isEmpty { return give(heartbeat.bytes, to: buffer) }
        needsHeartbeat = false
        isSuspended = true
        MHD_suspend_connection(handle)
        return 0
    }

    private func give(_ bytes: [UInt8], to buffer: UnsafeMutableRawBufferPointer) -> Int {
        needsHeartbeat = false
        part = bytes
        position = 0
        return copy(to: buffer)
    }

    private func copy(to buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(part.count - position, buffer.count, Self.stepBytes)
        part.withUnsafeBytes { bytes in
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[position..<position + count]))
        }
        position += count
        if position == part.count { (part, position) = ([], 0) }
        lastGiven = loop.now
        return count
    }
}
