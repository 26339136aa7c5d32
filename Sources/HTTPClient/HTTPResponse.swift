/// A complete response. Its status is 200 or greater.
public struct HTTPResponse: Hashable, Sendable {
    public let status: Int
    /// The headers. Bytes that are not UTF-8 are replaced.
    public let headers: HTTPHeaders
    /// The delay that the server requests before the next attempt (`Retry-After`); nil if it requests no delay.
    public let retryAfter: Duration?
    /// The decoded bytes of the body.
    public let body: [UInt8]
}

/// The status and the headers of a response.
struct ResponseHead: Sendable {
    let status: Int
    let headers: HTTPHeaders
    let retryAfter: Duration?
}
