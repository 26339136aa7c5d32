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

    /// The target up to its first `?`.
    public var path: Substring {
        target.utf8.firstIndex(of: UInt8(ascii: "?")).map { target[..<$0] } ?? target[...]
    }

    /// The target behind its first `?`; nil if it has none.
    public var query: Substring? {
        target.utf8.firstIndex(of: UInt8(ascii: "?")).map { target[target.utf8.index(after: $0)...] }
    }
}
