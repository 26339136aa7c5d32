/// One answer: status, header fields and body.
///
/// `Content-Length`, `Date` and `Connection` are added when it is sent. The body is sent from
/// where it lies, without a copy. HEAD, 204 and 304 send no body.
public struct Response: Sendable, Equatable {
    /// The status code, 200 to 999.
    public var status: Int
    /// A field with a line break or a zero byte in its name or value is left out, and logged.
    public var headers: Headers
    public var body: [UInt8]

    public init(status: Int = 200, headers: Headers = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
