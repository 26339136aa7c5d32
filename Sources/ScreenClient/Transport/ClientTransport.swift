/// Sends the requests of a client.
///
/// `URLSessionTransport` is the default on Apple platforms, and `CurlTransport` is the default on Linux. A test can use its own
/// implementation that needs no network.
public protocol ClientTransport: Sendable {
    /// Sends a request and returns the complete response. A response with an error status is returned, too.
    ///
    /// - Throws: Any error if no complete response arrived. When the task is cancelled, the request is cancelled, too.
    func send(_ request: TransportRequest) async throws -> TransportResponse

    /// Sends a request and returns its response as soon as the head of the response has arrived.
    func stream(_ request: TransportRequest) async throws -> TransportStream
}

/// An HTTP request.
public struct TransportRequest: Sendable {
    public var method: String
    /// The absolute, percent-encoded URL.
    public var url: String
    public var headers: [(name: String, value: String)]
    /// The body, or `nil` for a request without a body.
    public var body: [UInt8]?
    /// The time after which a request fails if its response is not complete. A stream fails if no bytes arrive for this time.
    /// `URLSessionTransport` applies the rule for streams to all requests.
    public var timeout: Duration
    /// The maximum size in bytes of the response's body. A request with a larger response fails. Streams have no maximum size.
    public var bodyLimit: Int

    public init(
        method: String, url: String, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil, timeout: Duration = .seconds(30),
        bodyLimit: Int = 64 << 20
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.bodyLimit = bodyLimit
    }
}

/// The head of an HTTP response.
public protocol TransportHead {
    var status: Int { get }
    var headers: [(name: String, value: String)] { get }
}

extension TransportHead {
    /// Returns the values of a header field, joined by commas, or `nil` if the head does not have the field. The name is not
    /// case-sensitive.
    func header(_ name: String) -> String? {
        let name = name.lowercased()
        let values = headers.filter { $0.name.lowercased() == name }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}

/// An HTTP response with its complete body.
public struct TransportResponse: TransportHead, Sendable {
    public var status: Int
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]

    public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// An HTTP response whose body is still arriving.
public struct TransportStream: TransportHead, Sendable {
    public var status: Int
    public var headers: [(name: String, value: String)]
    /// Passes the pieces of the body to `receive` as they arrive, and returns at the end of the body. The next piece is read after
    /// `receive` has returned. If the task is cancelled or `receive` throws an error, the connection is closed. `readBody` may be called at
    /// most once.
    public var readBody: @Sendable (_ receive: ([UInt8]) async throws -> Void) async throws -> Void

    public init(
        status: Int, headers: [(name: String, value: String)] = [],
        readBody: @escaping @Sendable (_ receive: ([UInt8]) async throws -> Void) async throws -> Void
    ) {
        self.status = status
        self.headers = headers
        self.readBody = readBody
    }
}
