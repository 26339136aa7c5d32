public import ScreenModel

extension JSONValue {
    /// Decodes a value of the given type, without parsing the document again.
    ///
    /// The rules are those of `JSONDecoder`, except that numbers are read from their digits:
    /// - An integer type accepts each whole number in its range, in any notation: `9007199254740993`, `2.0`, `1e3`.
    /// - `Double` and `Float` are read as the nearest number. A number that is too large is an error.
    /// - `Decimal` keeps up to 38 digits of a number.
    /// - `UUID` and `URL` are read from strings.
    /// - `Date` is read from a string with a date, a time and a time zone (RFC 3339), such as `2018-07-12T10:30:00Z`. It is not read from
    ///   a number, because the unit of the number would be unknown. A day without a time, such as `2018-07-12`, must be decoded as a
    ///   `String` or as a type of your own.
    /// - `JSONValue` accepts any value, and keeps the digits of numbers. The digits are also kept in the inputs of ``ScreenAction`` and
    ///   ``OfferedAction``.
    /// - All other types decode themselves. `Data` is read from an array of numbers.
    ///
    /// - Throws: `DecodingError` with the coding path, or an error that the type throws.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try Self.decode(type, from: self, at: CodingPath())
    }
}

/// The keys on the way from a value to a part of it. They are a linked list, so that a path can be extended without copying it.
struct CodingPath {
    private final class Link {
        let previous: Link?
        let key: any CodingKey

        init(previous: Link?, key: any CodingKey) {
            self.previous = previous
            self.key = key
        }
    }

    private var last: Link?

    func appending(_ key: any CodingKey) -> CodingPath {
        CodingPath(last: Link(previous: last, key: key))
    }

    var keys: [any CodingKey] {
        var keys: [any CodingKey] = []
        var link = last
        while let current = link {
            keys.append(current.key)
            link = current.previous
        }
        return keys.reversed()
    }
}

/// A key that is the index of an element, or the name of a member.
struct JSONKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init(index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init(index: intValue) }
}

/// A decoder of one value.
struct JSONValueDecoder: Decoder {
    let value: JSONValue
    let path: CodingPath

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value else { throw value.mismatch([String: JSONValue].self, "an object", at: path) }
        return KeyedDecodingContainer(MemberContainer<Key>(members, at: path))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw value.mismatch([JSONValue].self, "an array", at: path) }
        return ElementContainer(elements, at: path)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

// One generic method meets the requirements for all types. The compiler specializes it for each type.
extension JSONValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value == .null }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONValue.decode(type, from: value, at: path)
    }
}
