/// Offers an action on a cell beside the one of selecting it.
///
/// On the wire it is one of the cell's `actions`: `{"name","title","input"?,"disabled"?}`.
public struct OfferedAction: Hashable, Content {
    /// Names one of the actions that the screen knows.
    public var name: String

    /// Is shown to the user, in the language of the screen.
    public var title: String

    /// Holds the fields of the input; left out of the wire when empty.
    public var input: [String: InputValue]

    /// Shows the action without letting it be chosen; left out of the wire when false.
    public var isDisabled: Bool

    @inlinable
    public init(
        _ name: String, title: String, input: [String: InputValue] = [:], isDisabled: Bool = false
    ) {
        self.name = name
        self.title = title
        self.input = input
        self.isDisabled = isDisabled
    }

    @inlinable
    public func writeFields(to content: inout some ContentWriter) {
        content.field("name", name)
        content.field("title", title)
        content.field("input", input.isEmpty ? nil : input)
        content.field("disabled", isDisabled ? true : nil)
    }
}
