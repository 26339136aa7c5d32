/// The fields of an object, in the order in which they are written: `["delivery": "7534-1", "kilograms": 10766]`.
///
/// Two values are equal only if their fields have the same order. Keys are equal if their UTF-8 bytes are equal. If a key is repeated, its
/// first position and its last value are kept. A lookup compares the keys one by one, so there should be few fields.
public struct OrderedFields<Value: ContentValue & Hashable>: ContentValue {
    // The first two fields are stored without an allocation, because rendering creates a value of this type for each cell, mostly with one
    // or two fields.
    @usableFromInline var first: (key: String, value: Value)?
    @usableFromInline var second: (key: String, value: Value)?
    @usableFromInline var others: [(key: String, value: Value)] = []

    /// Creates fields from keys and values.
    @inlinable
    public init(_ fields: some Sequence<(String, Value)>) {
        for (key, value) in fields { self[key] = value }
    }

    public static var shape: ValueShape { .dictionary(Value.self) }

    @inlinable public var isEmpty: Bool { first == nil }

    /// The keys and values of all fields, in the order in which they are written.
    public var fields: [(key: String, value: Value)] {
        [first, second].compactMap { $0 } + others
    }

    /// The value of the field with the given key, or `nil` if there is none. Assigning `nil` removes the field. A new field is added at the
    /// end.
    @inlinable
    public subscript(key: String) -> Value? {
        get {
            if let first, first.key.hasBytes(of: key) { return first.value }
            if let second, second.key.hasBytes(of: key) { return second.value }
            return others.first { $0.key.hasBytes(of: key) }?.value
        }
        set {
            if let newValue { set(key, newValue) } else { remove(key) }
        }
    }

    @inlinable
    mutating func set(_ key: String, _ value: Value) {
        if first?.key.hasBytes(of: key) ?? true {
            first = (key, value)
        } else if second?.key.hasBytes(of: key) ?? true {
            second = (key, value)
        } else if let index = others.firstIndex(where: { $0.key.hasBytes(of: key) }) {
            others[index].value = value
        } else {
            others.append((key, value))
        }
    }

    @usableFromInline
    mutating func remove(_ key: String) {
        let rest = fields.filter { !$0.key.hasBytes(of: key) }
        self = OrderedFields(rest.map { ($0.key, $0.value) })
    }

    @inlinable
    public func write(to writer: inout JSONWriter) {
        writer.write(raw: "{")
        if let first { writer.field(first.key, first.value) }
        if let second { writer.field(second.key, second.value) }
        for (key, value) in others { writer.field(key, value) }
        writer.write(raw: "}")
    }
}

extension String {
    /// Returns a Boolean value that indicates whether two strings have the same UTF-8 bytes. `==` is also true for strings that are only
    /// canonically equivalent.
    @inlinable
    func hasBytes(of other: String) -> Bool {
        // This code runs for all cells when they are rendered, and `elementsEqual` would take several times as long.
        let isSame = utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { others in
                bytes.count == others.count && bytes.indices.allSatisfy { bytes[$0] == others[$0] }
            }
        }
        return isSame.flatMap(\.self) ?? utf8.elementsEqual(other.utf8)
    }
}

extension OrderedFields: Hashable {
    @inlinable
    public static func == (a: OrderedFields, b: OrderedFields) -> Bool {
        isEqual(a.first, b.first) && isEqual(a.second, b.second) && a.others.elementsEqual(b.others) { isEqual($0, $1) }
    }

    @inlinable
    static func isEqual(_ a: (key: String, value: Value)?, _ b: (key: String, value: Value)?) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        return a.key.hasBytes(of: b.key) && a.value == b.value
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(fields.count)
        for (key, value) in fields {
            hasher.combine(key)
            hasher.combine(value)
        }
    }
}

extension OrderedFields: ExpressibleByDictionaryLiteral {
    @inlinable
    public init(dictionaryLiteral elements: (String, Value)...) {
        // With `for element in elements`, the compiler would allocate the array of each literal on the heap.
        for index in elements.indices { set(elements[index].0, elements[index].1) }
    }
}
