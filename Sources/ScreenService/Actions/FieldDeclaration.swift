public import ScreenModel

/// The description of a field for the list of screens, for forms and for problems.
public struct FieldDeclaration: Sendable {
    public let name: String
    public let type: ValueType
    public let source: Source
    public internal(set) var isRequired: Bool
    /// The purpose of the field's text, or `nil` if the text has no special purpose.
    public internal(set) var format: TextFormat?
    /// The labels of the choices, in the order of the choices, or an empty array to show the choices themselves.
    public internal(set) var titles: [Text] = []
    /// An example of a valid value, for descriptions, or `nil` if no example is declared.
    public internal(set) var example: JSONValue?
    /// The name that a form shows.
    public let title: Text

    /// The source of a field's value in the client.
    public enum Source: String, ContentValue {
        /// A form that the user fills in. If the cell contains an input for the field, the form initially shows this input.
        case user
        /// The input that the cell contains. The client sends this input unchanged.
        case cell
    }

    func writeFields(to content: inout JSONWriter, in locale: ScreenLocale) {
        content.field("name", name)
        content.field("title", title.in(locale))
        type.writeFields(to: &content, in: .json)
        if let format { content.field("format", format) }
        if !titles.isEmpty { content.field("titles", titles.map { $0.in(locale) }) }
        content.field("required", isRequired)
        content.field("source", source)
    }
}
