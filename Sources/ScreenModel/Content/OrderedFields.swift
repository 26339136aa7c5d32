/// The fields of an object, in the order in which they are written: `["delivery": "7534-1", "kilograms": 10766]`.
///
/// The order is part of the value, as it is of the bytes. A key that is repeated stands where it stood first,
/// with its last value.
public struct OrderedFields<Value: ContentValue & Hashable>: ContentValue {
    /// The fields, each key once.
    public private(set) var fields: [(key: String, value: Value)] = []

    @inlinable public var isEmpty: Bool { fields.isEmpty }

    /// Creates fields in the order of a sequence.
    public init(_ fields: some Sequence<(String, Value)>) {
        for (key, value) in fields { self[key] = value }
    }

    /// The value of a field; nil where there is none. A field that is new comes last.
    public subscript(key: String) -> Value? {
        get { index(of: key).map { fields[$0].value } }
        set {
            switch (index(of: key), newValue) {
            case (let index?, let value?): fields[index].value = value
            case (let index?, nil): fields.remove(at: index)
            case (nil, let value?): fields.append((key, value))
            case (nil, nil): break
            }
        }
    }

    /// By bytes, as keys on the wire are told apart.
    private func index(of key: String) -> Int? {
        fields.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
    }

    public func write(to writer: inout JSONWriter) {
        writer.writeObject { writer in
            for (key, value) in fields { writer.field(key, value) }
        }
    }
}

extension OrderedFields: Hashable {
    public static func == (a: OrderedFields, b: OrderedFields) -> Bool {
        a.fields.elementsEqual(b.fields) { $0.key.utf8.elementsEqual($1.key.utf8) && $0.value == $1.value }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(fields.count)
        for (key, value) in fields {
            for byte in key.utf8 { hasher.combine(byte) }
            hasher.combine(value)
        }
    }
}

extension OrderedFields: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, Value)...) {
        self.init(elements)
    }
}
