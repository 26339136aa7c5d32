public import ScreenModel

/// Says what one field of an action's input is: for the list of screens, for forms, and for the
/// answers to input that has another form.
public struct FieldDeclaration: Sendable {
    public let name: String
    public let kind: Kind
    public let source: Source
    public internal(set) var isRequired: Bool
    /// What a form calls it.
    public let title: @Sendable (ScreenLocale) -> String

    /// What values it takes.
    public enum Kind: Hashable, Sendable {
        /// A text of at most so many characters.
        case text(limit: Int)
        case integer(ClosedRange<Int>)
        case number(ClosedRange<Double>)
        case boolean
        /// A day such as `2018-07-12`.
        case date
        /// One of these words.
        case choice([String])
    }

    /// Where a client takes its value from.
    public enum Source: String, ContentValue {
        /// A form asks for it; the input that a cell states is what the form begins with.
        case user
        /// A cell states it in its input, and it is sent as it stands there.
        case cell
    }
}

extension FieldDeclaration.Kind {
    /// What a value looks like, to follow "must be".
    var shape: String {
        switch self {
        case .text(let limit): "a text of at most \(limit) characters, none of them U+0000"
        case .integer(let bounds): "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)"
        case .number(let bounds): "a number from \(bounds.lowerBound) to \(bounds.upperBound)"
        case .boolean: "true or false"
        case .date: "a date such as \"2018-07-12\""
        case .choice(let words): "one of " + words.map { "\"\($0)\"" }.joined(separator: ", ")
        }
    }

    fileprivate var name: String {
        switch self {
        case .text: "text"
        case .integer: "integer"
        case .number: "number"
        case .boolean: "boolean"
        case .date: "date"
        case .choice: "choice"
        }
    }
}

extension FieldDeclaration {
    /// Writes it for a list of screens, in a language.
    func writeFields(to content: inout JSONWriter, in locale: ScreenLocale) {
        content.field("name", name)
        content.field("title", title(locale))
        content.field("type", kind.name)
        content.field("shape", kind.shape)
        switch kind {
        case .text(let limit): content.field("limit", limit)
        case .integer(let bounds): Self.write(bounds, to: &content)
        case .number(let bounds): Self.write(bounds, to: &content)
        case .choice(let words): content.field("choices", words)
        case .boolean, .date: break
        }
        content.field("required", isRequired)
        content.field("source", source)
    }

    private static func write(_ bounds: ClosedRange<some ContentValue>, to content: inout JSONWriter) {
        content.field("minimum", bounds.lowerBound)
        content.field("maximum", bounds.upperBound)
    }
}
