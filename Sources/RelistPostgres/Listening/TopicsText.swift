import ScreenService

/// The text of the notification about a commit, which all replicas receive.
///
/// It is the position of the commit, such as `42`, followed by a line for each touched topic. In a topic, `%`, line feeds and U+0000 are
/// written as `%25`, `%0A` and `%00`. If the topics are too long for a notification, they are stored in the table `relist.announcement`,
/// and the text is `42+`.
struct TopicsText: Hashable {
    /// The maximum size of the topics in bytes. A whole notification must have fewer than 8,000 bytes (PostgreSQL 15, NOTIFY).
    static let byteLimit = 7900
    /// The suffix of the position if the topics are stored in the table `relist.announcement`.
    static let inTable = "+"
    /// The text of a notification without a position. It means that any data may have changed.
    static let everything = "*"

    let position: Position
    /// The topics that the commit touched; `nil` if they are stored in the table.
    let topics: Set<Topic>?

    /// Parses the text of a notification. Returns `nil` if the text does not begin with a position.
    init?(_ text: String) {
        // The text is split by bytes, because a line feed can be a part of a character.
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard var first = lines.first.map(Substring.init) else { return nil }
        let isInTable = first.hasSuffix(Self.inTable)
        if isInTable { first.removeLast() }
        guard let position = Position(String(first)) else { return nil }
        self.position = position
        topics = isInTable ? nil : Set(lines.dropFirst().map(Self.topic))
    }

    /// Returns topics as text, with one line for each topic. Each line begins with a line feed.
    static func lines(of topics: Set<Topic>) -> String {
        topics.map { "\n" + escaped($0.name) }.sorted().joined()
    }

    /// Returns the topics in a text that `lines(of:)` has created.
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
