/// An action of the screen and the input to send with it.
///
/// On the wire it is the `action` of a cell: `{"name","input"?}`.
public struct ScreenAction: Hashable, Content {
    /// The name of one of the actions that the screen knows.
    public var name: String

    /// The fields of the input, in the order in which they are written; left out of the wire when empty.
    public var input: OrderedFields<InputValue>

    @inlinable
    public init(_ name: String, input: OrderedFields<InputValue> = [:]) {
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
    public var input: OrderedFields<InputValue>

    /// Whether the action is shown but cannot be chosen; left out of the wire when false.
    public var isDisabled: Bool

    /// Whether it takes away what the user may want back, so that a client asks before; left out of the wire when false.
    public var isDestructive: Bool

    @inlinable
    public init(
        _ name: String, title: String, input: OrderedFields<InputValue> = [:], isDisabled: Bool = false,
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

/// A value that the input of an action can have, as JSON knows them.
///
/// It is written with literals: `["id": "7534-1", "weight": 10.766]`.
public enum InputValue: Hashable, ContentValue {
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    case string(String)
    case array([InputValue])
    indirect case object(OrderedFields<InputValue>)

    public func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.writeNull()
        case .bool(let value): writer.write(value)
        case .int(let value): writer.write(value)
        case .double(let value): writer.write(value)
        case .string(let value): writer.write(value)
        case .array(let values): values.write(to: &writer)
        case .object(let fields): fields.write(to: &writer)
        }
    }
}

extension InputValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringInterpolation,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int) { self = .int(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: InputValue...) { self = .array(elements) }

    public init(dictionaryLiteral elements: (String, InputValue)...) {
        self = .object(OrderedFields(elements))
    }
}
