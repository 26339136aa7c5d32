import HTTPServer
import ScreenWire

/// The form of a path: its segments, some of which are open.
struct PathPattern: Sendable {
    enum Part: Hashable, Sendable, ExpressibleByStringLiteral {
        case text(String)
        case screen, action
        /// All that follows, for the names of a file and of the folders that it lies in.
        case file

        init(stringLiteral text: String) {
            self = .text(text)
        }
    }

    let parts: [Part]

    init(_ parts: Part...) {
        self.parts = parts
    }

    /// As OpenAPI writes it: `/screens/{screen}`.
    var template: String {
        parts.map { part in
            switch part {
            case .text(let text): "/\(text)"
            case .screen: "/{screen}"
            case .action: "/{action}"
            case .file: "/{file}"
            }
        }.joined()
    }

    /// What a path has in the open places; nil if it has another form. The last segment of a path is never empty, but
    /// that of a file.
    ///
    /// - Parameter path: the bytes of one as it came, percent-encoded.
    func arguments(in path: UnsafeBufferPointer<UInt8>) throws(Problem) -> PathArguments? {
        var segments = PathSegments(path)
        var arguments = PathArguments()
        for part in parts {
            switch part {
            case .file:
                while let segment = try segments.next() { arguments.file.append(segment) }
                return arguments
            case .text(let text): guard try segments.isNext(text) else { return nil }
            case .screen:
                guard let segment = try segments.next() else { return nil }
                arguments.screen = segment
            case .action:
                guard let segment = try segments.next() else { return nil }
                arguments.action = segment
            }
        }
        return segments.isAtEnd && !segments.wasLastEmpty ? arguments : nil
    }
}

/// What a path has in the open places of its pattern.
struct PathArguments: Hashable, Sendable {
    var screen = ""
    var action = ""
    var file: [String] = []
}

/// The segments of a path, decoded one after the other: most paths are known by the first two.
///
/// On bytes: each request is looked for in several patterns, and substrings are dear to pass on.
private struct PathSegments {
    private let path: UnsafeBufferPointer<UInt8>
    /// The offset at which the next segment begins; behind the end where there is none.
    private var start: Int
    private(set) var wasLastEmpty = true

    /// What stands before the first slash is none.
    init(_ path: UnsafeBufferPointer<UInt8>) {
        self.path = path
        start = (path.firstIndex(of: UInt8(ascii: "/")) ?? path.count) + 1
    }

    var isAtEnd: Bool { start > path.count }

    /// Goes past the next segment; false, or at another, where it is no such text.
    ///
    /// - Throws: that it cannot be decoded.
    mutating func isNext(_ text: String) throws(Problem) -> Bool {
        guard let segment = nextSegment() else { return false }
        if Self.isEncoded(segment) { return ExactText(try Self.decoded(segment)) == ExactText(text) }
        return ExactText(text).hasBytes(segment)
    }

    /// - Throws: that it cannot be decoded.
    mutating func next() throws(Problem) -> String? {
        guard let segment = nextSegment() else { return nil }
        return Self.isEncoded(segment) ? try Self.decoded(segment) : String(decoding: segment, as: UTF8.self)
    }

    private mutating func nextSegment() -> UnsafeBufferPointer<UInt8>? {
        guard start <= path.count else { return nil }
        var end = start
        while end < path.count, path[end] != UInt8(ascii: "/") { end += 1 }
        defer { start = end + 1 }
        wasLastEmpty = start == end
        return UnsafeBufferPointer(rebasing: path[start..<end])
    }

    private static func isEncoded(_ segment: UnsafeBufferPointer<UInt8>) -> Bool {
        segment.contains(UInt8(ascii: "%"))
    }

    private static func decoded(_ segment: UnsafeBufferPointer<UInt8>) throws(Problem) -> String {
        guard let decoded = PercentEncoding.decode(Substring(decoding: segment, as: UTF8.self)) else {
            throw Problem(kind: .invalidTarget, detail: "The path is not percent-encoded UTF-8.")
        }
        return decoded
    }
}
