/// Holds one complete request, as it came: nothing in it is decoded.
///
/// A handler receives it once its head was judged acceptable and its body is in memory.
public struct Request: Sendable, Equatable {
    /// The method, in the case in which it came: `GET`.
    public var method: String
    /// The request target, still percent-encoded: `/screens/posts?limit=20`.
    public var target: String
    public var headers: Headers
    /// The body without its chunking; empty if there was none.
    public var body: [UInt8]

    public init(method: String, target: String, headers: Headers = [:], body: [UInt8] = []) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }

    /// The target up to its first `?`; of a whole URL, which clients of proxies send, its path
    /// alone (RFC 9112, section 3.2.2).
    public var path: Substring {
        let text = target.utf8.firstIndex(of: UInt8(ascii: "?")).map { target[..<$0] } ?? target[...]
        guard text.utf8.first != UInt8(ascii: "/"), let mark = text.firstRange(of: "://") else { return text }
        return text[mark.upperBound...].utf8.firstIndex(of: UInt8(ascii: "/")).map { text[$0...] } ?? "/"
    }

    /// The target behind its first `?`; nil if it has none.
    public var query: Substring? {
        target.utf8.firstIndex(of: UInt8(ascii: "?")).map { target[target.utf8.index(after: $0)...] }
    }
}
