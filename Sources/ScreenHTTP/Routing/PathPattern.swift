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
        var last = "" as Substring
        for part in parts {
            if case .file = part {
                while let segment = try segments.next() { arguments.file.append(String(segment)) }
                return arguments
            }
            guard let segment = try segments.next() else { return nil }
            switch part {
            case .text(let text): guard segment.utf8.elementsEqual(text.utf8) else { return nil }
            case .screen: arguments.screen = String(segment)
            case .action: arguments.action = String(segment)
            case .file: break
            }
            last = segment
        }
        return segments.isAtEnd && !last.isEmpty ? arguments : nil
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
    private var rest: Substring.UTF8View?

    /// What stands before the first slash is none.
    init(_ path: Substring) {
        let start = path.utf8.firstIndex(of: UInt8(ascii: "/"))
        rest = start.map { path.utf8[path.utf8.index(after: $0)...] }
    }

    var isAtEnd: Bool { rest == nil }

    /// - Throws: that it cannot be decoded.
    mutating func next() throws(Problem) -> Substring? {
        guard let rest else { return nil }
        let end = rest.firstIndex(of: UInt8(ascii: "/"))
        self.rest = end.map { rest[rest.index(after: $0)...] }
        let segment = Substring(rest[..<(end ?? rest.endIndex)])
        if !segment.utf8.contains(UInt8(ascii: "%")) { return segment }
        guard let decoded = PercentEncoding.decode(segment) else {
            throw Problem(kind: .invalidTarget, detail: "The path is not percent-encoded UTF-8.")
        }
        return decoded[...]
    }
}
