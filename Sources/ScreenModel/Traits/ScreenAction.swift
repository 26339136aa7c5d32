/// Names an action of the screen and the input to send with it.
///
/// On the wire it is the `action` of a cell: `{"name","input"?}`.
public struct ScreenAction: Hashable, Content {
    /// Names one of the actions that the screen knows.
    public var name: String

    /// Holds the fields of the input; left out of the wire when empty.
    public var input: [String: InputValue]

    @inlinable
    public init(_ name: String, input: [String: InputValue] = [:]) {
        self.name = name
        self.input = input
    }

    @inlinable
    public func writeFields(to content: inout some ContentWriter) {
        content.field("name", name)
        content.field("input", input.isEmpty ? nil : input)
    }
}
