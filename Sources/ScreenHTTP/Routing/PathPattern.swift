import HTTPServer

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
    /// - Parameter path: as it came, percent-encoded.
    func arguments(in path: Substring) throws(Problem) -> PathArguments? {
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
private struct PathSegments {
    private let path: Substring.UTF8View
    /// The offset at which the next segment begins; behind the end where there is none.
    private var start: Int
    private let count: Int
    private(set) var wasLastEmpty = true

    /// What stands before the first slash is none.
    init(_ path: Substring) {
        self.path = path.utf8
        let bytes = self.path.span
        count = bytes.count
        start = (bytes.firstIndex(of: UInt8(ascii: "/")) ?? count) + 1
    }

    var isAtEnd: Bool { start > count }

    /// Goes past the next segment; false, or at another, where it is no such text.
    ///
    /// - Throws: that it cannot be decoded.
    mutating func isNext(_ text: String) throws(Problem) -> Bool {
        guard let range = nextRange() else { return false }
        if path.span.extracting(range).isEqual(to: text.utf8.span) { return true }
        return isEncoded(range) ? try decoded(range).utf8.elementsEqual(text.utf8) : false
    }

    /// - Throws: that it cannot be decoded.
    mutating func next() throws(Problem) -> String? {
        guard let range = nextRange() else { return nil }
        return isEncoded(range) ? try decoded(range) : String(text(range))
    }

    private mutating func nextRange() -> Range<Int>? {
        guard start <= count else { return nil }
        let rest = path.span.extracting(start...)
        let range = start..<start + (rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.count)
        start = range.upperBound + 1
        wasLastEmpty = range.isEmpty
        return range
    }

    private func isEncoded(_ range: Range<Int>) -> Bool {
        path.span.extracting(range).firstIndex(of: UInt8(ascii: "%")) != nil
    }

    private func text(_ range: Range<Int>) -> Substring {
        Substring(path.dropFirst(range.lowerBound).prefix(range.count))
    }

    private func decoded(_ range: Range<Int>) throws(Problem) -> String {
        guard let decoded = PercentEncoding.decode(text(range)) else {
            throw Problem(kind: .invalidTarget, detail: "The path is not percent-encoded UTF-8.")
        }
        return decoded
    }
}

extension Span<UInt8> {
    fileprivate func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }
}
