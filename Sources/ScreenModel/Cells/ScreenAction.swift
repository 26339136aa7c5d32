/// An action of the screen, with the input that the client sends for it. On the wire it is the `action` of a cell: `{"name","input"?}`.
public struct ScreenAction: Hashable, Content {
    /// The name of an action that the screen declares.
    public var name: String

    /// The fields of the input. Omitted on the wire if empty.
    public var input: OrderedFields<JSONValue>

    @inlinable
    public init(_ name: String, input: OrderedFields<JSONValue> = [:]) {
        self.name = name
        self.input = input
    }

    @inlinable
    public static func fields(_ field: inout some FieldVisitor<Self>) {
        field("name", \.name)
        field("input") { $0.input.isEmpty ? nil : $0.input }
    }
}

/// An action that a cell offers in addition to its selection, for example in a context menu. On the wire it is one of the cell's `actions`:
/// `{"name","title","input"?,"disabled"?,"destructive"?}`.
public struct OfferedAction: Hashable, Content {
    /// The name of an action that the screen declares.
    public var name: String

    /// The title, in the language of the screen.
    public var title: String

    /// The fields of the input. Omitted on the wire if empty.
    public var input: OrderedFields<JSONValue>

    /// A Boolean value that indicates whether the action is shown but cannot be chosen. Omitted on the wire if false.
    public var isDisabled: Bool

    /// A Boolean value that indicates whether the client should ask for confirmation, because the action removes something. Omitted on the
    /// wire if false.
    public var isDestructive: Bool

    @inlinable
    public init(
        _ name: String, title: String, input: OrderedFields<JSONValue> = [:], isDisabled: Bool = false,
        isDestructive: Bool = false
    ) {
        self.name = name
        self.title = title
        self.input = input
        self.isDisabled = isDisabled
        self.isDestructive = isDestructive
    }

    @inlinable
    public static func fields(_ field: inout some FieldVisitor<Self>) {
        field("name", \.name)
        field("title", \.title)
        field("input") { $0.input.isEmpty ? nil : $0.input }
        field("disabled") { $0.isDisabled ? true : nil }
        field("destructive") { $0.isDestructive ? true : nil }
    }
}

/// A link to a screen, with parameters. On the wire it is the `link` of a cell: `{"screen","parameters"?}`.
public struct ScreenLink: Hashable, Content {
    /// The name of the linked screen.
    public var screen: String

    /// The parameters. Omitted on the wire if empty.
    public var parameters: OrderedFields<String>

    @inlinable
    public init(_ screen: String, parameters: OrderedFields<String> = [:]) {
        self.screen = screen
        self.parameters = parameters
    }

    @inlinable
    public static func fields(_ field: inout some FieldVisitor<Self>) {
        field("screen", \.screen)
        field("parameters") { $0.parameters.isEmpty ? nil : $0.parameters }
    }
}
