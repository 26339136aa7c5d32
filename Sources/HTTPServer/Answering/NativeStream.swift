import CMicroHTTPD
import Synchronization

/// A stream that libmicrohttpd sends.
///
/// libmicrohttpd asks the stream for bytes. If the stream has no bytes, it suspends the connection until `wake()` is called or a
/// heartbeat is due. A suspended connection uses only memory.
///
/// `@unchecked Sendable`: `inbox` and `wakeState` are Sendable. Everything else is accessed only on the thread of the event loop.
final class NativeStream: StreamWaking, @unchecked Sendable {
    /// The bit of `wakeState` that is set while a wake message to the loop is pending.
    private static let woken: UInt8 = 1
    private static let over: UInt8 = 2

    /// The maximum number of bytes copied in one step. Larger steps need more memory for each connection.
    private static let stepBytes = 4096

    private let inbox: Inbox
    /// The event loop of the connection. The loop owns the connection, so the loop outlives this stream.
    private unowned let loop: EventLoop
    private let handle: OpaquePointer
    /// The record of the connection; nil if the server has no records.
    private let record: ConnectionRecord?
    private var body: (any BodyStream)?
    /// The interval between heartbeats, as the response states it.
    private let interval: Duration?

    private var part: PreparedBody?
    private var position = 0
    private var lastSent: Moment
    /// The index of this stream in `OpenStreams`; nil if `OpenStreams` does not contain this stream.
    var index: Int?
    // These flags share a machine word with a part of `index`. This saves memory, because there can be ten thousand streams.
    private let wakeState = Atomic<UInt8>(0)
    private var isSuspended = false
    private var isCut = false
    private var needsHeartbeat = false
    private var isHalfClosed: Bool

    init(_ response: StreamingResponse, on connection: Connection, of loop: EventLoop) {
        self.loop = loop
        inbox = loop.inbox
        handle = connection.handle
        record = connection.record
        interval = response.heartbeatInterval
        isHalfClosed = connection.isHalfClosed
        lastSent = loop.now
        body = response.makeBody(StreamWaker(self))
        loop.shared.metrics.countStreams(1)
    }

    /// Wakes the stream, from any thread.
    func wake() {
        let before = wakeState.bitwiseOr(Self.woken, ordering: .acquiringAndReleasing).oldValue
        if before == 0 { inbox.post(.wake(self)) }
    }
}

// MARK: - On the loop's thread

extension NativeStream {
    func acceptWake() {
        wakeState.bitwiseAnd(~Self.woken, ordering: .acquiringAndReleasing)
        resume()
    }

    /// The interval between heartbeats. If the client has shut down its sending half, the interval is at most one second, because only
    /// bytes that the server sends reveal whether such a client has closed the connection.
    var heartbeatInterval: Duration? {
        interval.map { isHalfClosed ? min($0, .seconds(1)) : $0 }
    }

    var heartbeatDue: Moment? {
        heartbeatInterval.map { lastSent + $0 }
    }

    /// Sends a heartbeat, unless the stream has bytes to send.
    func sendHeartbeat() {
        needsHeartbeat = needsHeartbeat || isSuspended
        resume()
    }

    /// Sends a heartbeat after all other bytes. The heartbeat reveals whether a client that has shut down its sending half still reads.
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
        part = nil
        guard let body = self.body.take() else { return }
        loop.shared.metrics.countStreams(-1)
        body.ended()
    }

    /// Resumes the connection if it is suspended. A second call of `MHD_resume_connection` would cancel the next suspension.
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
        if let part { return copy(part, to: buffer) }
        switch body.next() {
        case .part(let part) where !part.bytes.isEmpty: return give(part, to: buffer)
        case .part, .pause: return pause(body, buffer)
        case .end: return httpd_end_of_stream
        }
    }

    private func pause(_ body: any BodyStream, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        if needsHeartbeat, interval != nil, let heartbeat = body.heartbeat(), !heartbeat.bytes.isEmpty {
            return give(heartbeat, to: buffer)
        }
        needsHeartbeat = false
        isSuspended = true
        MHD_suspend_connection(handle)
        return 0
    }

    private func give(_ part: PreparedBody, to buffer: UnsafeMutableRawBufferPointer) -> Int {
        needsHeartbeat = false
        self.part = part
        position = 0
        return copy(part, to: buffer)
    }

    private func copy(_ part: PreparedBody, to buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(part.bytes.count - position, buffer.count, Self.stepBytes)
        part.bytes.withUnsafeBytes { bytes in
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[position..<position + count]))
        }
        position += count
        record?.streamedBytes += count
        if position == part.bytes.count { self.part = nil }
        lastSent = loop.now
        return count
    }
}
