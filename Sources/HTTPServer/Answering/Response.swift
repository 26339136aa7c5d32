/// A response: status, header fields and body.
///
/// The server adds `Content-Length`, `Date` and `Connection` when it sends the response. It sends the body without copying it.
/// It sends no body if the request is HEAD, or if the status is 204 or 304.
public struct Response: Sendable, Equatable {
    /// The status code, 200 to 999.
    public var status: Int
    /// The header fields. A field with a line break or a zero byte in its name or value is omitted and logged.
    public var headers: Headers
    public var body: [UInt8]
    /// An object that describes the response to the record of the request (``EndedResponse/note``). It is neither sent nor compared.
    public var note: (any AnyObject & Sendable)?

    public init(status: Int = 200, headers: Headers = [:], body: [UInt8] = [], note: (any AnyObject & Sendable)? = nil) {
        self.status = status
        self.headers = headers
        self.body = body
        self.note = note
    }

    public static func == (a: Response, b: Response) -> Bool {
        a.status == b.status && a.headers == b.headers && a.body == b.body
    }
}
