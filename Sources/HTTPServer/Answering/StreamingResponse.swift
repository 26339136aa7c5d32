/// An answer whose body comes in parts and may last for hours.
///
/// It is sent in chunks, or to a client of HTTP/1.0 until the connection closes. HEAD, 204 and
/// 304 send no body: theirs is made, is over at once, and the connection closes.
public struct StreamingResponse: Sendable {
    /// The bytes that are sent while there is nothing else to send. They keep proxies from closing the connection, and find
    /// clients that have left. A client that says that it sends no more is sent a heartbeat at once, and then each
    /// second: the stream ends once the client has closed, and goes on while it still reads. A client that vanished is found after two intervals.
    public struct Heartbeat: Sendable, Equatable {
        /// For event streams a comment, `:\n\n`.
        public var bytes: [UInt8]
        /// How long it has to be silent before; a sixteenth more may pass, a second at most.
        public var interval: Duration

        public init(bytes: [UInt8], interval: Duration) {
            self.bytes = bytes
            self.interval = interval
        }
    }

    /// The status code, 200 to 999.
    public var status: Int
    /// A field with a line break or a zero byte in its name or value is left out, and logged.
    public var headers: Headers
    /// Without one, a client that leaves is noticed when the next part is sent.
    public var heartbeat: Heartbeat?
    /// Makes the body when the answer is sent, on the thread that serves many connections. It is
    /// not called if the client has left by then.
    public var makeBody: @Sendable (StreamWaker) -> any BodyStream

    public init(
        status: Int = 200,
        headers: Headers = [:],
        heartbeat: Heartbeat? = nil,
        makeBody: @escaping @Sendable (StreamWaker) -> any BodyStream
    ) {
        self.status = status
        self.headers = headers
        self.heartbeat = heartbeat
        self.makeBody = makeBody
    }
}

/// A body in parts, each made when the connection can take more.
///
/// It is never given more than it can send: there is no queue between it and the socket, so
/// whoever reads slowly is asked for seldom, and can be given one large step instead of many.
public protocol BodyStream: AnyObject, Sendable {
    /// Returns what comes next. It is called on the thread that serves many connections, when all
    /// that was given before has been handed to the socket, so it must not block.
    func next() -> StreamPart

    /// The stream is over, for whatever reason: its end, a client that left, a server that stops,
    /// a request whose answer has no body (HEAD). It is called once, on the same thread, and
    /// `next()` is not called again.
    func ended()
}

/// What a stream gives when it is asked.
public enum StreamPart: Sendable, Equatable {
    /// Bytes of any number, sent from where they lie. None is the same as `pause`.
    case part([UInt8])
    /// There is nothing now: ask again when the stream's waker was called.
    case pause
    /// The body is complete.
    case end
}

/// The bell of a stream: it tells the connection that there is something new to ask for.
public struct StreamWaker: Sendable {
    let stream: NativeStream

    /// Has the stream asked again if it has paused; otherwise it is going to be asked anyway. It
    /// may be called from any thread, as often as one likes and after the end: it costs a lock at
    /// most, and many streams that are woken together interrupt their loop once.
    public func wake() {
        stream.wake()
    }
}
