/// An action of the screen and the input to send with it.
///
/// On the wire it is the `action` of a cell: `{"name","input"?}`.
public struct ScreenAction: Hashable, Content {
    /// The name of one of the actions that the screen knows.
    public var name: String

    /// The fields of the input, in the order in which they are written; left out of the wire when empty.
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

/// An action that a cell offers beside the one of selecting it.
///
/// On the wire it is one of the cell's `actions`: `{"name","title","input"?,"disabled"?,"destructive"?}`.
public struct OfferedAction: Hashable, Content {
    /// The name of one of the actions that the screen knows.
    public var name: String

    /// What the user reads, in the language of the screen.
    public var title: String

    /// The fields of the input, in the order in which they are written; left out of the wire when empty.
    public var input: OrderedFields<JSONValue>

    /// Whether the action is shown but cannot be chosen; left out of the wire when false.
    public var isDisabled: Bool

    /// Whether it takes away what the user may want back, so that a client asks before; left out of the wire when false.
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

/// The way to a screen, with parameters.
///
/// On the wire it is the `link` of a cell: `{"screen","parameters"?}`.
public struct ScreenLink: Hashable, Content {
    /// The name of the screen, as in its address.
    public var screen: String

    /// The parameters, in the order in which they are written; left out of the wire when empty.
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
