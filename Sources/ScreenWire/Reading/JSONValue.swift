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

extension JSONValue {
    /// The whole number that a number is, exactly, however it is written: `2.0` and `1e3` too, since some
    /// origins know only such numbers. Nil where it is none, or none that fits.
    public var wholeNumber: Int? {
        guard case .number(let text) = self else { return nil }
        return Int(text) ?? Self.wholeNumber(in: text)
    }

    /// Moves the point within the digits. As a `Double`, `0.99999999999999999999` would be 1.
    private static func wholeNumber(in text: String) -> Int? {
        let parts = text.utf8.split(omittingEmptySubsequences: false) { $0 | 0x20 == UInt8(ascii: "e") }
        let whole = parts[0].prefix { $0 != UInt8(ascii: ".") }
        // With the sign in front.
        var digits = Array(whole) + parts[0].dropFirst(whole.count + 1)
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        if digits.isEmpty || digits == [UInt8(ascii: "-")] { return 0 }
        // To make up for an exponent that is longer takes gigabytes of zeros.
        guard let exponent = parts.count == 1 ? 0 : Int32(Substring(parts[1])) else { return nil }
        let zeros = Int(exponent) + whole.count - digits.count
        guard (0..<mostDigits).contains(zeros) else { return nil }
        digits += repeatElement(UInt8(ascii: "0"), count: zeros)
        return Int(String(decoding: digits, as: UTF8.self))
    }

    private static let mostDigits = String(Int.max).utf8.count
}

/// A text as a key: two are equal if their bytes are, as it is with all that comes over the wire.
///
/// Strings are equal already when they read the same, such as `é` as one scalar and as two.
package struct ExactText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (a: ExactText, b: ExactText) -> Bool {
        var b = b.text
        return b.withUTF8 { a.hasBytes($0) }
    }

    /// Whether these are its bytes.
    package func hasBytes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.utf8.count == bytes.count else { return false }
        // With each request: as elements of two sequences they would cost many times as much.
        var text = text
        return text.withUTF8 { text in text.indices.allSatisfy { text[$0] == bytes[$0] } }
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // No byte of UTF-8: where one text ends and the next begins is part of what is hashed.
        hasher.combine(0xFF as UInt8)
    }
}
