import ScreenService

/// What a commit sends to all replicas: its position, and the topics that it touched.
///
/// `42`, then for each topic a line with its name, in which `%`, line feeds and U+0000 stand as `%25`, `%0A` and `%00`.
/// `42+` where they do not fit: they are in the table then.
struct TopicsText: Hashable {
    /// A notification has fewer than 8,000 bytes (PostgreSQL 15, NOTIFY), of which a position takes some.
    static let byteLimit = 7900
    /// How `pg_notify` is told that the topics are in the table.
    static let inTable = "+"
    /// That anything may have changed, at no position.
    static let everything = "*"

    let position: Position
    /// Nil where they are in the table.
    let topics: Set<Topic>?

    /// - Returns: nil where it is none.
    init?(_ text: String) {
        // By bytes, as characters may be made of several of which one is a line feed.
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard var first = lines.first.map(Substring.init) else { return nil }
        let isInTable = first.hasSuffix(Self.inTable)
        if isInTable { first.removeLast() }
        guard let position = Position(String(first)) else { return nil }
        self.position = position
        topics = isInTable ? nil : Set(lines.dropFirst().map(Self.topic))
    }

    /// The lines of topics, each with a line feed before it.
    static func lines(of topics: Set<Topic>) -> String {
        topics.map { "\n" + escaped($0.name) }.sorted().joined()
    }

    /// The topics of such lines.
    static func topics(in lines: String) -> Set<Topic> {
        Set(lines.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropFirst().map(topic))
    }

    private static func escaped(_ name: String) -> String {
        name.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "%": text += "%25"
            case "\n": text += "%0A"
            case "\0": text += "%00"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    private static func topic(_ line: Substring.UTF8View) -> Topic {
        guard line.contains(UInt8(ascii: "%")) else { return Topic(String(Substring(line))) }
        var (name, rest): ([UInt8], Substring.UTF8View) = ([], line)
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                name.append(byte)
                continue
            }
            name.append(UInt8(Substring(rest.prefix(2)), radix: 16) ?? byte)
            rest = rest.dropFirst(2)
        }
        return Topic(String(decoding: name, as: UTF8.self))
    }
}
