/// Any JSON value, as it stood in its document: numbers keep their digits, objects their order, and
/// texts compare by their bytes.
///
/// What clients send is read into it.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The number as it was written, such as `1.50` or `12345678901234567890`.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// The members in their order; no name occurs twice.
    case object([Member])

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
        return members.first { ExactText($0.name) == ExactText(name) }?.value
    }

    /// What kind of value it is, in JSON's words.
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
