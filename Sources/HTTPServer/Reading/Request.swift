/// One request, as it came: nothing in it is decoded.
///
/// A handler receives it when its body is in memory, or when it is refused.
public struct Request: Sendable, Equatable {
    /// The method, in the case in which it came: `GET`.
    public var method: String
    /// The request target, still percent-encoded: `/screens/posts?limit=20`.
    public var target: String
    public var headers: Headers
    /// The body; empty if there was none.
    public var body: [UInt8]
    /// Why the server does not take it; nil for one to be served. Of a refused request there is what was read of its
    /// head, and no body: nothing may be done for it but to say why.
    public var refusal: Refusal?

    public init(
        method: String, target: String, headers: Headers = [:], body: [UInt8] = [], refusal: Refusal? = nil
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.refusal = refusal
    }

    /// The target up to its first `?`; of a whole URL, which clients of proxies send, its path
    /// alone (RFC 9112, section 3.2.2).
    public var path: Substring {
        let text = questionMark.map { Substring(target.utf8.prefix($0)) } ?? target[...]
        guard text.utf8.first != UInt8(ascii: "/"), let mark = text.firstRange(of: "://") else { return text }
        return text[mark.upperBound...].utf8.firstIndex(of: UInt8(ascii: "/")).map { text[$0...] } ?? "/"
    }

    /// The target behind its first `?`; nil if it has none.
    public var query: Substring? {
        questionMark.map { Substring(target.utf8.dropFirst($0 + 1)) }
    }

    private var questionMark: Int? {
        target.utf8.span.firstIndex(of: UInt8(ascii: "?"))
    }
}

// For requests, each of which is searched: an index of a string's view costs more to move than an offset.
extension Span<UInt8> {
    package func firstIndex(of byte: UInt8) -> Int? {
        indices.first { self[$0] == byte }
    }

    package func starts(with text: StaticString) -> Bool {
        guard count >= text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { bytes in bytes.indices.allSatisfy { self[$0] == bytes[$0] } }
    }
}
