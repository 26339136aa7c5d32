/// Sends the requests of a client.
///
/// `URLSessionTransport` is the default on Apple platforms, and `CurlTransport` is the default on Linux. A test can use its own
/// implementation that needs no network.
public protocol ClientTransport: Sendable {
    /// Sends a request and returns the complete response. A response with an error status is returned, too.
    ///
    /// The default implementation calls ``stream(_:)`` and reads the body. It throws an error after ten minutes, even if bytes of the
    /// response still arrive.
    ///
    /// - Throws: Any error if no complete response arrived. When the task is cancelled, the request is cancelled, too.
    func send(_ request: TransportRequest) async throws -> TransportResponse

    /// Sends a request and returns its response as soon as the head of the response has arrived.
    ///
    /// - Throws: Any error if no head arrived. When the task is cancelled, the request is cancelled, too. Otherwise `send(_:)` would not
    ///   end after ten minutes.
    func stream(_ request: TransportRequest) async throws -> TransportStream
}

extension ClientTransport {
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await send(request, within: .seconds(600))
    }

    /// Sends a request and returns the complete response. The timeout of the request bounds only the silence of the server, and `time`
    /// bounds the whole exchange.
    func send(_ request: TransportRequest, within time: Duration) async throws -> TransportResponse {
        try await withThrowingTaskGroup(of: TransportResponse.self) { group in
            group.addTask { try await stream(request).complete(limit: request.bodyLimit) }
            group.addTask {
                try await Task.sleep(for: time)
                throw IncompleteResponse.tooSlow
            }
            defer { group.cancelAll() }
            return try await group.next()!
        }
    }
}

/// The reason why a transport stopped loading a response.
enum IncompleteResponse: Error {
    case tooLarge, tooSlow
}

/// An HTTP request.
public struct TransportRequest: Sendable {
    public var method: String
    /// The absolute, percent-encoded URL.
    public var url: String
    public var headers: [(name: String, value: String)]
    /// The body, or `nil` for a request without a body.
    public var body: [UInt8]?
    /// The time after which a request fails if no bytes of its response arrive.
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

    /// The media type of the body in lower case, without parameters.
    var mediaType: String? { header("Content-Type").map { $0.prefix { !";, \t".contains($0) }.lowercased() } }
}

extension UInt32 {
    /// Reads a decimal number of a header or an event. A number that is too large becomes the maximum. Returns `nil` if the text has other
    /// characters than digits.
    init?(saturating digits: String) {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self = UInt32(digits) ?? .max
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

    /// Reads the body and returns the complete response. A body with more bytes than `limit` is not read to its end.
    func complete(limit: Int) async throws -> TransportResponse {
        var body: [UInt8] = []
        try await readBody { bytes in
            body += bytes
            guard body.count <= limit else { throw IncompleteResponse.tooLarge }
        }
        return TransportResponse(status: status, headers: headers, body: body)
    }
}
