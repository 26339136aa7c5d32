/// A JSON value, exactly as in its document: numbers keep their digits, and objects keep the order of their members.
///
/// Numbers and strings are equal if their bytes are equal. Values can be written as literals: `["id": "7534-1", "weight": 10.766]`.
public enum JSONValue: Hashable, ContentValue {
    case null
    case bool(Bool)
    /// The text of a number, such as `1.50` or `12345678901234567890`. Text that is not a JSON number is written as null.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// The members of an object, in order. Names must be unique.
    case object([Member])

    /// A member of an object: a name and a value.
    public struct Member: Hashable, Sendable {
        public let name: String
        public let value: JSONValue

        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The value of the member with the given name, or `nil` if this JSON value has no such member.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name.hasBytes(of: name) }?.value
    }

    /// The name of the JSON type with its article, such as `an array`.
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
    /// Returns an integer as a JSON number.
    public static func int(_ number: Int) -> JSONValue { .number(String(number)) }

    /// Returns the shortest JSON number that is read as `number`. Returns null for infinities and NaN, which JSON does not have.
    public static func double(_ number: Double) -> JSONValue {
        guard number.isFinite else { return .null }
        var writer = JSONWriter(capacity: 24)
        writer.write(number)
        return .number(String(decoding: writer.bytes, as: UTF8.self))
    }

    /// Returns an object with the given fields.
    public static func object(_ fields: OrderedFields<JSONValue>) -> JSONValue {
        .object(fields.fields.map { Member($0.key, $0.value) })
    }

    public func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.writeNull()
        case .bool(let value): writer.write(value)
        case .number(let digits): writer.write(number: digits)
        case .string(let text): writer.write(text)
        case .array(let elements): writer.writeArray(elements)
        case .object(let members):
            writer.writeObject { writer in
                for member in members { writer.field(member.name, member.value) }
            }
        }
    }
}

// Strings and names are equal if their bytes are equal (RFC 8259, section 8.3). The hash is synthesized, because strings with equal bytes
// have equal hashes.
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

    /// Creates an object. If a key is repeated, its first position and its last value are kept.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(OrderedFields(elements)) }
}
