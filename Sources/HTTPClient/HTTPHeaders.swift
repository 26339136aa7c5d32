/// The headers of a request or a response, in order. Names are compared without regard to case.
public struct HTTPHeaders: Hashable, Sendable {
    public struct Field: Hashable, Sendable {
        public let name: String
        public let value: String
    }

    public private(set) var fields: [Field] = []

    public init() {}

    /// The value of the first field with this name, or nil if there is none. A new value replaces all fields with this name. Assigning nil
    /// removes these fields.
    public subscript(name: String) -> String? {
        get { fields.first { Self.areEqual($0.name, name) }?.value }
        set {
            fields.removeAll { Self.areEqual($0.name, name) }
            if let newValue { append(name, newValue) }
        }
    }

    /// Returns the values of all fields with this name, in order.
    public func values(of name: String) -> [String] {
        fields.filter { Self.areEqual($0.name, name) }.map(\.value)
    }

    /// Appends a field, even if there is one with the same name.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    private static func areEqual(_ one: String, _ other: String) -> Bool {
        one.utf8.elementsEqual(other.utf8) { lowercased($0) == lowercased($1) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name, value) }
    }
}
