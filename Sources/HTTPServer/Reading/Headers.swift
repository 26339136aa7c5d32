/// Header fields in order. Names are compared without regard to case.
///
/// All names and values are in one array of bytes. A request therefore needs two allocations, regardless of the number of its
/// fields. Strings are created only for the fields that are read.
public struct Headers: Sendable, Equatable {
    /// The offsets of a field in `bytes`. The bytes of a field are its name, a zero byte, its value, and a zero byte.
    struct Field: Sendable, Equatable {
        var start: Int
        var valueStart: Int
        var end: Int
    }

    private(set) var bytes: [UInt8] = []
    private(set) var fields: [Field] = []

    public init() {}

    /// The value of the first field with this name.
    public subscript(name: String) -> String? {
        fields.first { names($0, name) }.map(value)
    }

    /// Returns the values of all fields with this name, in order.
    public func values(of name: String) -> [String] {
        fields.filter { names($0, name) }.map(value)
    }

    /// Returns the values of all fields with this name as one list (RFC 9110, section 5.3), or nil if there is no such field.
    public func list(of name: String) -> String? {
        var list: String?
        for field in fields where names(field, name) {
            list = list.map { "\($0), \(value(field))" } ?? value(field)
        }
        return list
    }

    /// Appends a field, even if there is one with the same name.
    public mutating func append(_ name: String, _ value: String) {
        append(name: name.utf8, value: value.utf8)
    }

    mutating func append(name: some Collection<UInt8>, value: some Collection<UInt8>) {
        let start = bytes.count
        bytes.append(contentsOf: name)
        bytes.append(0)
        let valueStart = bytes.count
        bytes.append(contentsOf: value)
        fields.append(Field(start: start, valueStart: valueStart, end: bytes.count))
        bytes.append(0)
    }

    /// Appends fields.
    public mutating func append(contentsOf others: Headers) {
        for (name, value) in others { append(name, value) }
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        fields.removeAll(keepingCapacity: true)
    }
}

extension Headers {
    func name(_ field: Field) -> String {
        String(decoding: bytes[field.start..<field.valueStart - 1], as: UTF8.self)
    }

    func value(_ field: Field) -> String {
        String(decoding: bytes[field.valueStart..<field.end], as: UTF8.self)
    }

    func hasValue(_ field: Field, _ check: (Span<UInt8>) -> Bool) -> Bool {
        check(bytes.span.extracting(field.valueStart..<field.end))
    }

    /// Checks the bytes of the first value with this name. Returns false if there is no such field.
    func hasFirstValue(of name: String, _ check: (Span<UInt8>) -> Bool) -> Bool {
        fields.first { names($0, name) }.map { hasValue($0, check) } ?? false
    }

    func names(_ field: Field, _ name: String) -> Bool {
        guard field.valueStart - 1 - field.start == name.utf8.count else { return false }
        var name = name
        return name.withUTF8 { name in
            bytes.withUnsafeBufferPointer { bytes in
                name.indices.allSatisfy { index in
                    let byte = bytes[field.start + index]
                    return byte == name[index] || byte.lowercased == name[index].lowercased
                }
            }
        }
    }
}

extension Headers: Sequence {
    /// Returns the fields in order, as strings.
    public func makeIterator() -> AnyIterator<(name: String, value: String)> {
        var rest = fields.makeIterator()
        return AnyIterator { rest.next().map { (name($0), value($0)) } }
    }
}

extension Headers: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name, value) }
    }
}

extension UInt8 {
    var lowercased: UInt8 {
        self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self
    }
}
