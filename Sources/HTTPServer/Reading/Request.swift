/// The head of one request, as it came: nothing in it is decoded.
///
/// A handler receives it before the body is read, and asks for the body with ``Reply/reading(countedFor:limit:_:)``.
public struct Request: Sendable, Equatable {
    /// The method, in the case in which it came: `GET`.
    public var method: String
    /// The request target, still percent-encoded: `/screens/posts?limit=20`.
    public var target: String
    public var headers: Headers
    /// Why the server does not take it; nil for one to be served. Of a refused request there is what was read of its
    /// head, and no body: nothing may be done for it but to say why.
    public var refusal: Refusal?
    /// The address of the connection's other end: of the client, or of the last proxy before this server. It is nil for a request
    /// that came over no connection.
    public var peer: NetworkAddress?

    public init(
        method: String, target: String, headers: Headers = [:], refusal: Refusal? = nil, peer: NetworkAddress? = nil
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.refusal = refusal
        self.peer = peer
    }

    /// The target up to its first `?`; of a whole URL, which clients of proxies send, its path
    /// alone (RFC 9112, section 3.2.2).
    public var path: Substring { splitTarget.path }

    /// The target behind its first `?`; nil if it has none.
    public var query: Substring? { splitTarget.query }

    /// The path and the query, for who needs both: the target is searched once.
    package var splitTarget: (path: Substring, query: Substring?) {
        // An index of a string's view costs more to move than an offset.
        let bytes = target.utf8.span
        guard let mark = bytes.indices.first(where: { bytes[$0] == UInt8(ascii: "?") }) else {
            return (Self.path(of: target[...]), nil)
        }
        let index = target.utf8.index(target.startIndex, offsetBy: mark)
        return (Self.path(of: target[..<index]), target[target.utf8.index(after: index)...])
    }

    /// Checks the host and the port that the request is for: those of a target that is a whole URL, else those of the first field `Host`
    /// (RFC 9112, section 3.2.2).
    ///
    /// - Returns: what `check` returns; false where the request names no host.
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
