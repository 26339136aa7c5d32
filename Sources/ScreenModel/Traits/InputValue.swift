/// Holds any value that the input of an action can have, as JSON knows them.
///
/// It is written with literals: `["id": "7534-1", "weight": 10.766]`.
public enum InputValue: Hashable, ContentValue {
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    case string(String)
    case array([InputValue])
    case object([String: InputValue])

    public func write(to writer: inout some ContentWriter) {
        switch self {
        case .null: writer.writeNull()
        case .bool(let value): writer.write(value)
        case .int(let value): writer.write(value)
        case .double(let value): writer.write(value)
        case .string(let value): writer.write(value)
        case .array(let values): writer.writeArray(values)
        case .object(let fields): writer.writeObject(fields)
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

    /// Where a key is repeated, its last value counts.
    public init(dictionaryLiteral elements: (String, InputValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}
