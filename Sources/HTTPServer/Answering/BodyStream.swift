/// Gives a body in parts, when the connection can take more.
///
/// It is never given more than it can send: there is no queue between it and the socket, so
/// whoever reads slowly is asked for seldom, and can be given one large step instead of many.
public protocol BodyStream: AnyObject, Sendable {
    /// Gives what comes next. It is called on the thread that serves many connections, when all
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
