/// A response whose body is sent in parts and may last for hours.
///
/// The body is sent in chunks. For a client of HTTP/1.0, the end of the connection marks the end of the body.
///
/// No body is sent if the request is HEAD, or if the status is 204 or 304. In this case, the stream is created and ends immediately, and
/// the connection closes.
public struct StreamingResponse: Sendable {
    /// The status code, 200 to 999.
    public var status: Int
    /// The header fields. A field with a line break or a zero byte in its name or value is omitted and logged.
    public var headers: Headers
    /// The duration after which a heartbeat is sent if no other bytes were sent; nil for no heartbeats. A heartbeat may be late by a
    /// sixteenth of this duration, but by at most one second.
    ///
    /// A heartbeat keeps proxies from closing the connection, and detects clients that have disconnected. Without heartbeats, a disconnect is
    /// detected only when the next part is sent. If a client shuts down its sending half, a heartbeat is sent immediately, and then at least
    /// one heartbeat per second. These heartbeats end the stream if the client has closed the connection. A client that has disappeared is
    /// detected after two intervals.
    public var heartbeatInterval: Duration?
    /// A function that creates the body when the response is sent. It must not block. It is not called after a disconnect.
    public var makeBody: @Sendable (StreamWaker) -> any BodyStream
    /// An object that describes the response to the record of the request, as in ``Response/note``.
    public var note: (any AnyObject & Sendable)?

    public init(
        status: Int = 200,
        headers: Headers = [:],
        heartbeatInterval: Duration? = nil,
        note: (any AnyObject & Sendable)? = nil,
        makeBody: @escaping @Sendable (StreamWaker) -> any BodyStream
    ) {
        self.status = status
        self.headers = headers
        self.heartbeatInterval = heartbeatInterval
        self.note = note
        self.makeBody = makeBody
    }
}

/// A response body in parts.
///
/// The server requests the next part only after it has passed the previous part to the socket. So a slow client receives a few large
/// parts instead of many small parts.
public protocol BodyStream: AnyObject, Sendable {
    /// Returns the next part. This function must not block, because its thread serves many connections.
    func next() -> StreamPart

    /// Returns the bytes of the next heartbeat, or nil for no heartbeat. In an event stream, they are a comment, such as `:\n\n`, which clients
    /// ignore. This function must not block.
    func heartbeat() -> PreparedBody?

    /// Notifies the stream that it is over. A stream is over when it has returned `end`, when the client has disconnected, when the server
    /// stops, or when the response must not have a body. This function is called once, on the thread that calls `next()`. Afterwards,
    /// `next()` is not called again.
    func ended()
}

extension BodyStream {
    public func heartbeat() -> PreparedBody? { nil }
}

/// A part of a stream.
public enum StreamPart: Sendable, Equatable {
    /// The next bytes of the body. Empty bytes have the effect of `pause`.
    case part(PreparedBody)
    /// There are no bytes to send now. The next part is requested after the stream has called its waker.
    case pause
    /// The body is complete.
    case end
}

/// A value with which a stream notifies its connection that the stream has bytes to send.
public struct StreamWaker: Sendable {
    private let connection: any StreamWaking

    package init(_ connection: any StreamWaking) {
        self.connection = connection
    }

    /// Resumes the stream if it has paused. This function may be called on any thread, any number of times, and after the stream has ended.
    /// If many streams of an event loop are resumed at the same time, the loop is interrupted only once.
    public func wake() {
        connection.wake()
    }
}

/// A connection that sends a stream. In tests, another type sends streams without a socket.
package protocol StreamWaking: AnyObject, Sendable {
    func wake()
}
