/// Any JSON value as its document has it: numbers keep their digits, objects keep their order, and texts compare by their
/// bytes.
///
/// Requests are read into it. The input of an action is written with literals: `["id": "7534-1", "weight": 10.766]`.
public enum JSONValue: Hashable, ContentValue {
    case null
    case bool(Bool)
    /// The digits of the number, such as `1.50` or `12345678901234567890`.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// The members in their order; no name occurs twice.
    case object([Member])

    /// A name and its value in an object.
    public struct Member: Hashable, Sendable {
        public let name: String
        public let value: JSONValue

        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The value of the member with that name; nil where there is none, or where this is no object.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name.hasBytes(of: name) }?.value
    }

    /// The kind of value, in JSON's words.
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSONValue {
    /// Returns the value of a whole number.
    public static func int(_ number: Int) -> JSONValue { .number(String(number)) }

    /// Returns the value of a number in its shortest decimal form; null for infinities and NaN, which JSON does not have.
    public static func double(_ number: Double) -> JSONValue {
        guard number.isFinite else { return .null }
        var writer = JSONWriter(capacity: 24)
        writer.write(number)
        return .number(String(decoding: writer.bytes, as: UTF8.self))
    }

    /// Returns an object with these fields.
    public static func object(_ fields: OrderedFields<JSONValue>) -> JSONValue {
        .object(fields.fields.map { Member($0.key, $0.value) })
    }

    /// Writes the value as it is: digits and the order of members do not change.
    public func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.writeNull()
        case .bool(let value): writer.write(value)
        case .number(let digits): writer.append(unescaped: digits)
        case .string(let text): writer.write(text)
        case .array(let elements): writer.writeArray(elements)
        case .object(let members):
            writer.writeObject { writer in
                for member in members { writer.field(member.name, member.value) }
            }
        }
    }
}

// Strings and names are equal if their bytes are (RFC 8259, section 8.3), so equality is not synthesized. Hashes may be, as
// texts with equal bytes have equal hashes.
extension JSONValue {
    public static func == (a: JSONValue, b: JSONValue) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.number(let a), .number(let b)), (.string(let a), .string(let b)): a.hasBytes(of: b)
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        default: false
        }
    }
}

extension JSONValue.Member {
    public static func == (a: JSONValue.Member, b: JSONValue.Member) -> Bool {
        a.name.hasBytes(of: b.name) && a.value == b.value
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringInterpolation,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int) { self = .int(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// Creates an object. A repeated key stands where it stood first, with its last value.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(OrderedFields(elements)) }
}
