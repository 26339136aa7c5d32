import ScreenModel

/// A container of the members of an object.
struct MemberContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let members: [JSONValue.Member]
    /// The index of each member by its name. The dictionary is empty if the object has few members.
    private let places: [ExactText: Int]
    private let path: CodingPath

    init(_ members: [JSONValue.Member], at path: CodingPath) {
        self.members = members
        self.path = path
        places = members.count <= 16 ? [:] : Dictionary(zip(members.lazy.map { ExactText($0.name) }, 0...)) { first, _ in first }
    }

    var codingPath: [any CodingKey] { path.keys }
    var allKeys: [Key] { members.compactMap { Key(stringValue: $0.name) } }

    func contains(_ key: Key) -> Bool { value(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try requiredValue(key) == .null }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try JSONValue.decode(type, from: try requiredValue(key), at: path, key)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let value = value(key), value != .null else { return nil }
        return try JSONValue.decode(type, from: value, at: path, key)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder(try requiredValue(key), key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(try requiredValue(key), key).unkeyedContainer()
    }

    /// Returns a decoder of the member `super`, or of null if the member is missing, as in `JSONDecoder`.
    func superDecoder() throws -> any Decoder {
        decoder(value(named: "super") ?? .null, JSONKey("super"))
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { decoder(value(key) ?? .null, key) }

    private func decoder(_ value: JSONValue, _ key: any CodingKey) -> JSONValueDecoder {
        JSONValueDecoder(value: value, path: path.appending(key))
    }

    private func value(_ key: Key) -> JSONValue? { value(named: key.stringValue) }

    private func value(named name: String) -> JSONValue? {
        if !places.isEmpty { return places[ExactText(name)].map { members[$0].value } }
        let count = name.utf8.count
        return members.first { $0.name.utf8.count == count && ExactText($0.name) == ExactText(name) }?.value
    }

    private func requiredValue(_ key: Key) throws -> JSONValue {
        if let value = value(key) { return value }
        let context = DecodingError.Context(codingPath: path.keys, debugDescription: "The member \(key.stringValue.quoted) is missing.")
        throw DecodingError.keyNotFound(key, context)
    }
}
