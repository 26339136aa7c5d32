public import ScreenModel

/// The purpose of a text, so that a client can choose a suitable control.
public enum TextFormat: String, CaseIterable, ContentValue {
    /// A search text, which filters the screen while the user types.
    case search
    /// A password, which is not shown.
    case password
    /// An email address.
    case email
}

/// The type of a value that clients send, as a query parameter or in the input of an action.
public enum ValueType: Hashable, Sendable {
    /// A text of at most `limit` Unicode scalars, as in JSON Schema's `maxLength`.
    ///
    /// `shape` describes the valid texts. It completes the sentence "The value must be …", for example with `a colour such as #c0ffee`.
    case text(limit: Int, shape: String? = nil)
    /// A whole number within bounds.
    case integer(ClosedRange<Int>)
    /// A number within bounds.
    case number(ClosedRange<Double>)
    /// True or false.
    case boolean
    /// A day such as `2018-07-12`.
    case date
    /// A word that the given array contains.
    case choice([String])

    /// The notation in which a client sends a value: as text in the query string, or as JSON.
    public enum Notation: Sendable {
        case query, json
    }

    /// Returns a description of the valid values. It completes the sentence "The value must be …".
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

    /// Writes the fields that describe the type in the list of screens. The fields include ``shape(in:)``, which is for people. The other
    /// fields are for programs.
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
