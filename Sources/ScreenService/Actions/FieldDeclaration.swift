public import ScreenModel

/// A field of an action's input, as the list of screens, forms, and answers to input of another form need it.
public struct FieldDeclaration: Sendable {
    public let name: String
    public let type: ValueType
    public let source: Source
    public internal(set) var isRequired: Bool
    /// What its texts are for; nil where they are for nothing special.
    public internal(set) var format: TextFormat?
    /// A value that it may have, for descriptions; nil where none is said.
    public internal(set) var example: JSONValue?
    /// The name that a form shows.
    public let title: Text

    /// Where a client takes a value from.
    public enum Source: String, ContentValue {
        /// A form asks for it; the input that a cell states is what the form begins with.
        case user
        /// A cell states it in its input, and it is sent as it stands there.
        case cell
    }

    /// Writes it for a list of screens, in a language.
    func writeFields(to content: inout JSONWriter, in locale: ScreenLocale) {
        content.field("name", name)
        content.field("title", title.in(locale))
        type.writeFields(to: &content, in: .json)
        if let format { content.field("format", format) }
        content.field("required", isRequired)
        content.field("source", source)
    }
}
