/// The fields of an object, in the order in which they are written: `["delivery": "7534-1", "kilograms": 10766]`.
///
/// The order is part of the value, as it is of the bytes. A key that is repeated stands where it stood first,
/// with its last value. There are few: each is looked for among all.
public struct OrderedFields<Value: ContentValue & Hashable>: ContentValue {
    // As a literal has them, so that they need not be copied: most are made for each cell.
    @usableFromInline var pairs: [(String, Value)] = []

    /// Creates fields in the order of a sequence.
    @inlinable
    public init(_ fields: some Sequence<(String, Value)>) {
        for (key, value) in fields { self[key] = value }
    }

    @inlinable public var isEmpty: Bool { pairs.isEmpty }

    /// The fields, each key once.
    public var fields: [(key: String, value: Value)] {
        pairs.map { (key: $0.0, value: $0.1) }
    }

    /// The value of a field; nil where there is none. A field that is new comes last.
    @inlinable
    public subscript(key: String) -> Value? {
        get { index(of: key).map { pairs[$0].1 } }
        set {
            switch (index(of: key), newValue) {
            case (let index?, let value?): pairs[index].1 = value
            case (let index?, nil): pairs.remove(at: index)
            case (nil, let value?): pairs.append((key, value))
            case (nil, nil): break
            }
        }
    }

    @inlinable
    func index(of key: String) -> Int? {
        pairs.firstIndex { $0.0.hasBytes(of: key) }
    }

    @inlinable
    public func write(to writer: inout JSONWriter) {
        writer.write(raw: "{")
        for (key, value) in pairs { writer.field(key, value) }
        writer.write(raw: "}")
    }
}

extension String {
    /// Keys on the wire are told apart by their bytes; texts that are composed of other characters may be equal for `==`.
    @inlinable
    func hasBytes(of other: String) -> Bool {
        self == other && utf8.elementsEqual(other.utf8)
    }
}

extension OrderedFields: Hashable {
    @inlinable
    public static func == (a: OrderedFields, b: OrderedFields) -> Bool {
        a.pairs.elementsEqual(b.pairs) { $0.0.hasBytes(of: $1.0) && $0.1 == $1.1 }
    }

    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(pairs.count)
        for (key, value) in pairs {
            hasher.combine(key)
            hasher.combine(value)
        }
    }
}

extension OrderedFields: ExpressibleByDictionaryLiteral {
    @inlinable
    public init(dictionaryLiteral elements: (String, Value)...) {
        let areKeysUnique = elements.indices.allSatisfy { index in
            !elements[..<index].contains { $0.0.hasBytes(of: elements[index].0) }
        }
        self.init(areKeysUnique ? [] : elements)
        if areKeysUnique { pairs = elements }
    }
}
