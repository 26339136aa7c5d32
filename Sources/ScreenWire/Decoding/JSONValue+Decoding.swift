public import ScreenModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSONValue {
    /// Decodes a value of any type.
    ///
    /// - Parameters:
    ///   - path: The place of the object or array that contains the value, or of the value itself if `key` is `nil`.
    ///   - key: The key of the value in that object or array.
    @inline(__always)
    static func decode<Value: Decodable>(
        _ type: Value.Type, from value: JSONValue, at path: CodingPath, _ key: (any CodingKey)? = nil
    ) throws -> Value {
        func place() -> CodingPath { key.map(path.appending) ?? path }
        if type == String.self {
            guard case .string(let text) = value else { throw value.mismatch(type, "a string", at: place()) }
            return text as! Value
        }
        if type == Bool.self {
            guard case .bool(let bool) = value else { throw value.mismatch(type, "a boolean", at: place()) }
            return bool as! Value
        }
        if type == Int.self { return try value.whole(Int.self, at: place) as! Value }
        if type == Double.self { return try value.floating(Double.self, at: place) as! Value }
        if type == Int64.self { return try value.whole(Int64.self, at: place) as! Value }
        if type == UInt64.self { return try value.whole(UInt64.self, at: place) as! Value }
        if type == UInt.self { return try value.whole(UInt.self, at: place) as! Value }
        if type == Int32.self { return try value.whole(Int32.self, at: place) as! Value }
        if type == UInt32.self { return try value.whole(UInt32.self, at: place) as! Value }
        if type == Int16.self { return try value.whole(Int16.self, at: place) as! Value }
        if type == UInt16.self { return try value.whole(UInt16.self, at: place) as! Value }
        if type == Int8.self { return try value.whole(Int8.self, at: place) as! Value }
        if type == UInt8.self { return try value.whole(UInt8.self, at: place) as! Value }
        if type == Float.self { return try value.floating(Float.self, at: place) as! Value }
        if let decoded = try value.decodeOfFoundation(type, at: place) { return decoded }
        // Without this case, `Int128` and `UInt128` would decode themselves through a container, which would call this function again
        // without end.
        if #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) {
            if type == Int128.self { return try value.whole(Int128.self, at: place) as! Value }
            if type == UInt128.self { return try value.whole(UInt128.self, at: place) as! Value }
        }
        return try Value(from: JSONValueDecoder(value: value, path: place()))
    }
}

extension JSONValue {
    fileprivate func whole<Integer: FixedWidthInteger>(_ type: Integer.Type, at place: () -> CodingPath) throws -> Integer {
        guard case .number(let digits) = self else { throw mismatch(type, "a number", at: place()) }
        if let number = Integer(digits) ?? wholeNumber(type) { return number }
        throw corrupted("\(digits) is no whole number from \(Integer.min) to \(Integer.max).", at: place())
    }

    fileprivate func floating<Number: BinaryFloatingPoint & LosslessStringConvertible>(
        _ type: Number.Type, at place: () -> CodingPath
    ) throws -> Number {
        guard case .number(let digits) = self else { throw mismatch(type, "a number", at: place()) }
        if let number = Number(digits), number.isFinite { return number }
        throw corrupted("\(digits) is too large for \(type).", at: place())
    }

    /// Decodes a `Date`, `UUID`, `URL` or `Decimal` from one string or number. Returns `nil` for any other type.
    fileprivate func decodeOfFoundation<Value>(_ type: Value.Type, at place: () -> CodingPath) throws -> Value? {
        if type == Date.self { return try parsed(type, "a date and time as in RFC 3339", at: place) { Date(rfc3339: $0) as! Value? } }
        if type == UUID.self { return try parsed(type, "a UUID", at: place) { UUID(uuidString: $0) as! Value? } }
        if type == URL.self { return try parsed(type, "a URL", at: place) { URL(string: $0) as! Value? } }
        if type == Decimal.self {
            guard case .number(let digits) = self else { throw mismatch(type, "a number", at: place()) }
            if let number = Decimal(string: digits), number.isFinite { return (number as! Value) }
            throw corrupted("\(digits) is too large for Decimal.", at: place())
        }
        return nil
    }

    private func parsed<Value>(
        _ type: Value.Type, _ form: String, at place: () -> CodingPath, _ parse: (String) -> Value?
    ) throws -> Value {
        guard case .string(let text) = self else { throw mismatch(type, "a string", at: place()) }
        if let value = parse(text) { return value }
        throw corrupted("\(text.quoted) is not \(form).", at: place())
    }

    func mismatch(_ type: Any.Type, _ expected: String, at path: CodingPath) -> DecodingError {
        let context = DecodingError.Context(codingPath: path.keys, debugDescription: "The value is \(kind), not \(expected).")
        return self == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    private func corrupted(_ description: String, at path: CodingPath) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: path.keys, debugDescription: description))
    }
}

extension Date {
    fileprivate init?(rfc3339 text: String) {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.utf8.contains(UInt8(ascii: ".")))
        guard let date = try? style.parse(text) else { return nil }
        self = date
    }
}

// If the decoder is a `JSONValueDecoder`, the types below use its value unchanged. So the numbers in the input of an action keep their
// digits.
extension JSONValue: Decodable {
    /// Decodes any value. Only ``JSONValue/decode(_:)`` preserves the digits of numbers and the order of members. Other decoders do not.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? JSONValueDecoder {
            self = decoder.value
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .int(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self).map { Member($0.key, $0.value) })
        }
    }

    static func decode<Value>(
        _ form: String, from decoder: any Decoder, _ make: (JSONValue) -> Value?
    ) throws -> Value {
        let value = try JSONValue(from: decoder)
        if let made = make(value) { return made }
        throw DecodingError.typeMismatch(
            Value.self, DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "The value is not \(form)."))
    }
}

extension Size: Decodable {
    public init(from decoder: any Decoder) throws {
        self = try JSONValue.decode("a size", from: decoder, Size.init)
    }
}

extension ScreenAction: Decodable {
    public init(from decoder: any Decoder) throws {
        self = try JSONValue.decode("an action", from: decoder, ScreenAction.init)
    }
}

extension OfferedAction: Decodable {
    public init(from decoder: any Decoder) throws {
        self = try JSONValue.decode("an action with a title", from: decoder, OfferedAction.init)
    }
}

extension ScreenLink: Decodable {
    public init(from decoder: any Decoder) throws {
        self = try JSONValue.decode("a link", from: decoder, ScreenLink.init)
    }
}
