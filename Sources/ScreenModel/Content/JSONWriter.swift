/// The writer that makes JSON of content, without a space, keys in the order in which they come.
///
/// It is where every byte of a document comes from, so equal values give equal bytes. It appends to
/// one buffer and keeps no other state: whether a comma is due follows from the last byte. It is one
/// type and no protocol, so that the compiler specialises the writing of each cell for it.
public struct JSONWriter: Sendable {
    /// The JSON that was written so far, in UTF-8.
    public var bytes: [UInt8]

    /// - Parameter capacity: how many bytes to make room for.
    public init(capacity: Int = 256) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    @inlinable
    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Writes the absence of a value where one has to stand.
    public mutating func writeNull() {
        write(raw: "null")
    }

    public mutating func write(_ value: Bool) {
        write(raw: value ? "true" : "false")
    }

    public mutating func write(_ value: Int) {
        if value >= 0 && value < 10 {
            bytes.append(UInt8(ascii: "0") + UInt8(value))
        } else {
            bytes.append(contentsOf: String(value).utf8)
        }
    }

    /// Writes the shortest decimal that reads as the same number. What JSON has no number for
    /// (infinities and NaN) becomes null.
    public mutating func write(_ value: Double) {
        if let whole = Int(exactly: value), whole.magnitude < 1 << 53 {
            write(whole)
        } else if value.isFinite {
            bytes.append(contentsOf: value.description.utf8)
        } else {
            writeNull()
        }
    }

    public mutating func write(_ value: String) {
        bytes.append(UInt8(ascii: "\""))
        var value = value
        value.withUTF8 { append(escaping: $0) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a list of the elements in their order.
    @inlinable
    public mutating func writeArray<Element: ContentValue>(_ elements: some Sequence<Element>) {
        write(raw: "[")
        for element in elements {
            separate()
            element.write(to: &self)
        }
        write(raw: "]")
    }

    /// Writes an object with the fields that a closure writes.
    @inlinable
    public mutating func writeObject(_ writeFields: (inout JSONWriter) -> Void) {
        write(raw: "{")
        writeFields(&self)
        write(raw: "}")
    }

    /// Begins a field of an object; its value is to be written next.
    public mutating func key(_ key: String) {
        separate()
        write(key)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes a field of an object.
    @inlinable
    public mutating func field(_ key: String, _ value: some ContentValue) {
        self.key(key)
        value.write(to: &self)
    }

    /// Writes a field of an object, and leaves it out when the value is nil.
    @inlinable
    public mutating func field<Value: ContentValue>(_ key: String, _ value: Value?) {
        guard let value else { return }
        self.key(key)
        value.write(to: &self)
    }
}

extension JSONWriter {
    /// Writes JSON that is known when the program is written.
    public mutating func write(raw json: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: json.utf8Start, count: json.utf8CodeUnitCount))
    }

    /// Writes JSON that is rendered already.
    public mutating func write(raw json: ArraySlice<UInt8>) {
        bytes.append(contentsOf: json)
    }

    /// Begins the next member of an object or element of an array.
    public mutating func separate() {
        guard let last = bytes.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") else { return }
        bytes.append(UInt8(ascii: ","))
    }

    /// Escapes what RFC 8259, section 7, says must be escaped, and nothing else.
    private mutating func append(escaping text: UnsafeBufferPointer<UInt8>) {
        guard text.contains(where: Self.mustEscape) else {
            bytes.append(contentsOf: text)
            return
        }
        for byte in text {
            if Self.mustEscape(byte) { append(escape: byte) } else { bytes.append(byte) }
        }
    }

    @inline(__always)
    private static func mustEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func append(escape byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): write(raw: #"\""#)
        case UInt8(ascii: "\\"): write(raw: #"\\"#)
        case 0x08: write(raw: #"\b"#)
        case 0x09: write(raw: #"\t"#)
        case 0x0A: write(raw: #"\n"#)
        case 0x0C: write(raw: #"\f"#)
        case 0x0D: write(raw: #"\r"#)
        default:
            write(raw: #"\u00"#)
            bytes.append(Self.hexDigit(byte >> 4))
            bytes.append(Self.hexDigit(byte & 0xF))
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
