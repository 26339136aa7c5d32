/// The head of a request, without any decoding.
///
/// A handler receives the head before the body is read. To read the body, it returns ``Reply/reading(countedFor:limit:_:)``.
public struct Request: Sendable, Equatable {
    /// The method, such as `GET`. Upper and lower case are kept as the client sent them.
    public var method: String
    /// The percent-encoded request target, such as `/screens/posts?limit=20`.
    public var target: String
    public var headers: Headers
    /// The reason why the server rejects the request; nil for a valid request. The handler must not perform a rejected request. The
    /// body of such a request is not available, and its headers may be incomplete.
    public var refusal: Refusal?
    /// The address of the connected client, or of the last proxy before this server; nil for a request without a connection.
    public var peer: NetworkAddress?
    /// The record of the request; nil if the server has no records. It is not compared.
    public var record: (any RequestRecording)?

    public init(
        method: String, target: String, headers: Headers = [:], refusal: Refusal? = nil, peer: NetworkAddress? = nil,
        record: (any RequestRecording)? = nil
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.refusal = refusal
        self.peer = peer
        self.record = record
    }

    public static func == (a: Request, b: Request) -> Bool {
        a.method == b.method && a.target == b.target && a.headers == b.headers && a.refusal == b.refusal && a.peer == b.peer
    }

    /// The path of the target, without the query. Clients of proxies send a whole URL as the target (RFC 9112, section 3.2.2);
    /// its scheme and host are not part of the path.
    public var path: Substring { splitTarget.path }

    /// The part of the target after the first `?`; nil if the target has no `?`.
    public var query: Substring? { splitTarget.query }

    /// The path and the query. The target is searched only once for both.
    package var splitTarget: (path: Substring, query: Substring?) {
        // The search uses offsets in a span of bytes, because it costs more to advance a string index.
        let bytes = target.utf8.span
        guard let mark = bytes.indices.first(where: { bytes[$0] == UInt8(ascii: "?") }) else {
            return (Self.path(of: target[...]), nil)
        }
        let index = target.utf8.index(target.startIndex, offsetBy: mark)
        return (Self.path(of: target[..<index]), target[target.utf8.index(after: index)...])
    }

    /// Checks the host and the port of the request. They are taken from a target that is a whole URL, or else from the first `Host` field
    /// (RFC 9112, section 3.2.2). Returns false if the request names no host.
    package func namesHost(_ check: (Span<UInt8>) -> Bool) -> Bool {
        if let authority = targetAuthority.map(Array.init) { return check(authority.span) }
        return headers.hasFirstValue(of: "Host", check)
    }

    /// The authority of a target that is a whole URL; nil for any other target.
    private var targetAuthority: Substring.UTF8View? {
        if target.utf8.first == UInt8(ascii: "/") { return nil }
        let text = Substring(target.utf8.prefix { $0 != UInt8(ascii: "?") })
        guard let mark = text.firstRange(of: "://") else { return nil }
        return text[mark.upperBound...].utf8.prefix { $0 != UInt8(ascii: "/") }
    }

    private static func path(of text: Substring) -> Substring {
        if text.utf8.first == UInt8(ascii: "/") { return text }
        guard let mark = text.firstRange(of: "://") else { return text }
        return text[mark.upperBound...].utf8.firstIndex(of: UInt8(ascii: "/")).map { text[$0...] } ?? "/"
    }
}
