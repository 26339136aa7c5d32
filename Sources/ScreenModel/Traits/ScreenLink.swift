/// Leads to a screen, with parameters.
///
/// On the wire it is the `link` of a cell: `{"screen","parameters"?}`.
public struct ScreenLink: Hashable, Content {
    /// Names the screen as its address does.
    public var screen: String

    /// Holds the parameters by name; left out of the wire when empty.
    public var parameters: [String: String]

    @inlinable
    public init(_ screen: String, parameters: [String: String] = [:]) {
        self.screen = screen
        self.parameters = parameters
    }

    @inlinable
    public func writeFields(to content: inout some ContentWriter) {
        content.field("screen", screen)
        content.field("parameters", parameters.isEmpty ? nil : parameters)
    }
}
