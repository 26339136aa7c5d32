import ScreenModel

/// A container of the elements of an array.
struct ElementContainer: UnkeyedDecodingContainer {
    private let elements: [JSONValue]
    private let path: CodingPath
    private(set) var currentIndex = 0

    init(_ elements: [JSONValue], at path: CodingPath) {
        self.elements = elements
        self.path = path
    }

    var codingPath: [any CodingKey] { path.keys }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    mutating func decodeNil() throws -> Bool {
        guard try current(JSONValue?.self) == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try JSONValue.decode(type, from: try current(type), at: path, JSONKey(index: currentIndex))
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let container = try decoder(KeyedDecodingContainer<Key>.self).container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try decoder((any UnkeyedDecodingContainer).self).unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try decoder((any Decoder).self)
        currentIndex += 1
        return decoder
    }

    private func decoder(_ type: Any.Type) throws -> JSONValueDecoder {
        JSONValueDecoder(value: try current(type), path: path.appending(JSONKey(index: currentIndex)))
    }

    private func current(_ type: Any.Type) throws -> JSONValue {
        if !isAtEnd { return elements[currentIndex] }
        let context = DecodingError.Context(
            codingPath: path.appending(JSONKey(index: currentIndex)).keys,
            debugDescription: "The array has only \(elements.count) elements."
        )
        throw DecodingError.valueNotFound(type, context)
    }
}
