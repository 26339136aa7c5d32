// Strings and names are equal if their bytes are (RFC 8259, section 8.3); so no equality is synthesized.
extension JSONValue {
    public static func == (a: JSONValue, b: JSONValue) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.number(let a), .number(let b)): ExactText(a) == ExactText(b)
        case (.string(let a), .string(let b)): ExactText(a) == ExactText(b)
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        switch self {
        case .null: break
        case .bool(let value): hasher.combine(value)
        case .number(let text), .string(let text): hasher.combine(ExactText(text))
        case .array(let elements): hasher.combine(elements)
        case .object(let members): hasher.combine(members)
        }
    }
}

extension JSONValue.Member {
    public static func == (a: JSONValue.Member, b: JSONValue.Member) -> Bool {
        ExactText(a.name) == ExactText(b.name) && a.value == b.value
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(name))
        hasher.combine(value)
    }
}
