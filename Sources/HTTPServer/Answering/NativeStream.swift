import CMicroHTTPD
import Synchronization

/// The way of one body's parts to the library; its connection waits while there are none.
///
/// The library asks it for bytes. If there are none, it suspends the connection, which then
/// costs nothing but its memory until somebody wakes the stream or a heartbeat is due.
///
/// `@unchecked Sendable`: only the thread of its event loop touches anything but `inbox` and
/// `attention`, which are Sendable.
final class NativeStream: @unchecked Sendable {
    /// A wake is on its way to the loop, which will look once for all that come meanwhile.
    private static let woken: UInt8 = 1
    private static let over: UInt8 = 2

    /// What is copied at a time. A connection's memory is as large as its largest step has made it.
    private static let stepBytes = 4096

    private let inbox: Inbox<EventLoop.Message>
    /// It owns the connection, so it outlives the stream.
    private unowned let loop: EventLoop
    private let handle: OpaquePointer
    private var body: (any BodyStream)?
    let heartbeat: StreamingResponse.Heartbeat?

    private var part: [UInt8] = []
    private var position = 0
    /// When bytes were last given to the library.
    private var lastGiven: Moment
    /// Where it lies in its loop's list; nil if it is not there.
    var index: Int?
    // In one word with the end of the index: with ten thousand followers each word counts.
    private let attention = Atomic<UInt8>(0)
    private var isSuspended = false
    private var isCut = false
    private var owesHeartbeat = false
    /// A Boolean value that indicates whether the client sends no more, and may have closed.
    private var isHalfClosed: Bool

    init(_ response: StreamingResponse, on connection: Connection, of loop: EventLoop) {
        self.loop = loop
        inbox = loop.inbox
        handle = connection.handle
        heartbeat = response.heartbeat
        isHalfClosed = connection.isHalfClosed
        lastGiven = loop.now
        body = response.makeBody(StreamWaker(stream: self))
    }

    /// From any thread.
    func wake() {
        let before = attention.bitwiseOr(Self.woken, ordering: .acquiringAndReleasing).oldValue
        if before == 0 { inbox.post(.wake(self)) }
    }
}

// MARK: - On the loop's thread

extension NativeStream {
    /// Goes on after a wake. Whoever wakes it from here on is heard again.
    func acceptWake() {
        attention.bitwiseAnd(~Self.woken, ordering: .acquiringAndReleasing)
        resume()
    }

    /// The interval of heartbeats. To a client that sends no more it is a second at most: only something that is sent to the
    /// client shows whether it has closed.
    var heartbeatInterval: Duration? {
        heartbeat.map { isHalfClosed ? min($0.interval, .seconds(1)) : $0.interval }
    }

    /// When a heartbeat is due, unless something is given before.
    var heartbeatDue: Moment? {
        heartbeatInterval.map { lastGiven + $0 }
    }

    /// Sends one if the stream still has nothing to give.
    func sendHeartbeat() {
        owesHeartbeat = owesHeartbeat || isSuspended
        resume()
    }

    /// Sends a heartbeat as soon as nothing else is left to send. A client that sends no more may have closed, which shows when
    /// something is sent to it, or may go on reading.
    func probe() {
        isHalfClosed = true
        owesHeartbeat = true
        resume()
    }

    /// Makes the library end the response as failed.
    func cut() {
        isCut = true
        resume()
    }

    /// Lets go of the body, once.
    func end() {
        attention.bitwiseOr(Self.over, ordering: .relaxed)
        loop.forget(self)
        isSuspended = false
        part = []
        let body = body
        self.body = nil
        body?.ended()
    }

    /// One resume for one suspend: any other would undo the suspend that follows it.
    private func resume() {
        guard isSuspended else { return }
        isSuspended = false
        MHD_resume_connection(handle)
    }
}

// MARK: - Reading

extension NativeStream {
    /// Returns how many bytes it has put into the buffer, 0 if the connection was suspended.
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
        if owesHeartbeat, let heartbeat, !heartbeat.bytes.isEmpty { return give(heartbeat.bytes, to: buffer) }
        owesHeartbeat = false
        isSuspended = true
        MHD_suspend_connection(handle)
        return 0
    }

    private func give(_ bytes: [UInt8], to buffer: UnsafeMutableRawBufferPointer) -> Int {
        owesHeartbeat = false
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
