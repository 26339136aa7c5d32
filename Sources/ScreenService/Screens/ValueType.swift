public import ScreenModel

/// What a text is for, so that a client has the right control for it without looking at names.
public enum TextFormat: String, CaseIterable, ContentValue {
    /// What a list is searched for, letter by letter.
    case search
    /// Nobody is to read it over a shoulder.
    case password
    case email
}

/// A type of the values that clients send, in a query string or in an action's input.
public enum ValueType: Hashable, Sendable {
    /// A text of at most so many characters, which are Unicode scalars (JSON Schema's `maxLength`, RFC 8259): what a reader
    /// takes for one may be any number of them. Where not every text will do, `shape` says what one looks like, to
    /// follow "must be": `a colour such as #c0ffee`.
    case text(limit: Int, shape: String? = nil)
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    case boolean
    /// A day such as `2018-07-12`.
    case date
    /// One of these words.
    case choice([String])

    /// Where a value is written.
    public enum Notation: Sendable {
        case query, json
    }

    /// What a value looks like, to follow "must be".
    public func shape(in notation: Notation) -> String {
        switch self {
        case .text(_, let shape?): shape
        case .text(let limit, nil):
            "a text of at most \(limit) characters\(notation == .json ? ", none of them U+0000" : "")"
        case .integer(let bounds): "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)"
        case .number(let bounds): "a number from \(bounds.lowerBound) to \(bounds.upperBound)"
        case .boolean: "true or false"
        case .date: "a date such as \(Self.write("2018-07-12", in: notation))"
        case .choice(let words): "one of " + words.map { Self.write($0, in: notation) }.joined(separator: ", ")
        }
    }

    private static func write(_ word: String, in notation: Notation) -> String {
        notation == .json ? "\"\(word)\"" : word
    }

    private var name: String {
        switch self {
        case .text: "text"
        case .integer: "integer"
        case .number: "number"
        case .boolean: "boolean"
        case .date: "date"
        case .choice: "choice"
        }
    }

    /// Writes it for a list of screens: for programs its type with what bounds it, for people its shape.
    func writeFields(to content: inout JSONWriter, in notation: Notation) {
        content.field("type", name)
        content.field("shape", shape(in: notation))
        switch self {
        case .text(let limit, _): content.field("limit", limit)
        case .integer(let bounds): Self.write(bounds, to: &content)
        case .number(let bounds): Self.write(bounds, to: &content)
        case .choice(let words): content.field("choices", words)
        case .boolean, .date: break
        }
    }

    private static func write(_ bounds: ClosedRange<some ContentValue>, to content: inout JSONWriter) {
        content.field("minimum", bounds.lowerBound)
        content.field("maximum", bounds.upperBound)
    }
}
