/// A record of the current request of a connection, for metrics and logs.
///
/// A server with records creates one for each connection, and passes it to the handler with each request (``Request/record``), so that a
/// request allocates no memory for its record. The handler stores in the record what the server does not know, such as the route.
public protocol RequestRecording: AnyObject, Sendable {
    /// Notifies the record that the response to the current request has ended: it is complete, or the connection has ended. This function is
    /// called once for each request that the handler has received. It must not block, because its thread serves many connections.
    func ended(_ response: EndedResponse)
}

/// A response that has ended, or the missing response to a request whose connection has ended.
public struct EndedResponse: Sendable {
    /// The status code; nil if the connection ended before there was a response.
    public let status: Int?
    /// A Boolean value that indicates whether the system accepted the complete response. It is false if the client disconnected or the
    /// server cut the connection.
    public let isComplete: Bool
    /// The number of bytes of the body, after content coding and without the framing of chunks. For a stream, these are the bytes that
    /// were passed to the connection. For any other response that is not complete, the number is 0, because it is not known.
    public let bodyBytes: Int
    /// The time from the arrival of the request line to the end of the response.
    public var duration: Duration { .nanoseconds(nanoseconds) }
    /// The same time in nanoseconds. A number is faster than a `Duration`.
    public let nanoseconds: Int64
    /// The note of the response (see ``Response/note``).
    public let note: (any AnyObject & Sendable)?

    public init(status: Int?, isComplete: Bool, bodyBytes: Int, nanoseconds: Int64, note: (any AnyObject & Sendable)?) {
        (self.status, self.isComplete, self.bodyBytes) = (status, isComplete, bodyBytes)
        (self.nanoseconds, self.note) = (nanoseconds, note)
    }
}

/// The record of a connection, with what the server knows about the current request. Only the thread of the event loop uses it.
final class ConnectionRecord {
    let record: any RequestRecording
    /// The time at which the loop noticed the request.
    var begun: Moment
    /// A Boolean value that indicates whether the handler has received the request.
    var isPassedOn = false
    /// The number of bytes of the complete body; 0 for a stream.
    private var preparedBytes = 0
    /// The number of bytes of a stream so far.
    var streamedBytes = 0
    private var note: (any AnyObject & Sendable)?

    init(_ record: any RequestRecording, now: Moment) {
        (self.record, begun) = (record, now)
    }

    /// Stores the properties of a response that is queued.
    func queue(_ prepared: PreparedResponse, toHead isHeadRequest: Bool) {
        let status = prepared.response.status
        preparedBytes = isHeadRequest || status == 204 || status == 304 ? 0 : prepared.body.bytes.count
        note = prepared.response.note
    }

    /// Reports the end of the request, and prepares for the next one.
    func end(status: Int?, isComplete: Bool, now: () -> Moment) {
        guard isPassedOn else { return }
        record.ended(
            EndedResponse(
                status: status, isComplete: isComplete, bodyBytes: streamedBytes + (isComplete ? preparedBytes : 0),
                nanoseconds: begun.nanoseconds(until: now()), note: note
            )
        )
        (isPassedOn, preparedBytes, streamedBytes, note) = (false, 0, 0, nil)
    }
}
