public import Foundation

/// An HTTP request with its complete body.
public struct HTTPRequest: Hashable, Sendable {
    /// The method, such as `GET`. Methods are case-sensitive.
    public var method: String
    /// A URL with the scheme `http` or `https`.
    public var url: URL
    /// The headers. `Host`, `User-Agent`, `Accept` and `Accept-Encoding` are added if they are missing. The length of the body is always
    /// added.
    public var headers: HTTPHeaders
    /// The bytes of the body; empty if the request has none.
    public var body: [UInt8]

    public init(_ method: String = "GET", _ url: URL, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// A reason why a request cannot be sent.
    public enum Fault: Hashable, Sendable {
        /// The URL is invalid, has no host, or has a scheme other than `http` and `https`.
        case url
        /// The method is not a token (RFC 9110, section 5.6.2), or it is `CONNECT`.
        case method
        /// The header with this name is invalid. Its name is not a token, its value contains a control character, or only the client may
        /// set it (`Content-Length`, `Transfer-Encoding`).
        case header(String)
        /// The request has a body, although its method is `HEAD` or `TRACE`.
        case body
    }
}

extension HTTPRequest {
    /// The first fault of the request, or nil if it has none. A request with a fault cannot be sent. The URL is not checked here.
    var fault: Fault? {
        guard Self.isToken(method), method != "CONNECT" else { return .method }
        if let field = headers.fields.first(where: { !Self.isValid($0) }) { return .header(field.name) }
        return ["HEAD", "TRACE"].contains(method) && !body.isEmpty ? .body : nil
    }

    /// A Boolean value that indicates whether the method is idempotent. Sending a request with an idempotent method twice has the same
    /// effect as sending it once (RFC 9110, section 9.2.2).
    var isIdempotent: Bool { ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(method) }

    /// A Boolean value that indicates whether the request has a body. The body of a `POST`, `PUT` or `PATCH` may be empty.
    var hasBody: Bool { !body.isEmpty || ["POST", "PUT", "PATCH"].contains(method) }

    private static func isValid(_ field: HTTPHeaders.Field) -> Bool {
        guard isToken(field.name), !["content-length", "transfer-encoding"].contains(field.name.lowercased()) else { return false }
        return field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }

    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
