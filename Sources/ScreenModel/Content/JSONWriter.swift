/// A writer that appends JSON to a buffer, without white space.
///
/// The last byte of the buffer shows whether a comma is due, so there is no other state. The writer is a concrete type, so that the
/// compiler specializes the code that writes cells.
public struct JSONWriter: Sendable {
    /// The JSON written so far, in UTF-8.
    public var bytes: [UInt8]

    /// The names of actions that cells and views do not offer, because the caller may not perform them.
    @usableFromInline package var withheldActions: [String] = []

    /// Creates an empty writer, and reserves memory for `capacity` bytes.
    public init(capacity: Int = 256) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    @inlinable
    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Writes `null`.
    public mutating func writeNull() {
        write(raw: "null")
    }

    /// Writes `true` or `false`.
    public mutating func write(_ value: Bool) {
        write(raw: value ? "true" : "false")
    }

    /// Writes an integer.
    public mutating func write(_ value: Int) {
        append(atMost: 20) { end in
            // The digits are written backwards, and then moved to the start of the memory.
            var rest = value.magnitude
            var first = 20
            repeat {
                first -= 1
                end[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            if value < 0 {
                first -= 1
                end[first] = UInt8(ascii: "-")
            }
            end.update(from: end + first, count: 20 - first)
            return 20 - first
        }
    }

    /// Writes the shortest decimal number that is read as `value`. Writes null for infinities and NaN, which JSON does not have.
    public mutating func write(_ value: Double) {
        if let whole = Int(exactly: value), whole.magnitude < 1 << 53 {
            write(whole)
        } else if value.isFinite {
            append(unescaped: value.description)
        } else {
            writeNull()
        }
    }

    /// Writes an array.
    @inlinable
    public mutating func writeArray<Element: ContentValue>(_ elements: some Sequence<Element>) {
        write(raw: "[")
        for element in elements {
            separate()
            element.write(to: &self)
        }
        write(raw: "]")
    }

    /// Writes an object. The closure writes its fields.
    @inlinable
    public mutating func writeObject(_ writeFields: (inout JSONWriter) -> Void) {
        write(raw: "{")
        writeFields(&self)
        write(raw: "}")
    }

    /// Writes a field of an object.
    @inlinable
    public mutating func field(_ key: String, _ value: some ContentValue) {
        self.key(key)
        value.write(to: &self)
    }

    /// Writes a field of an object, or nothing if the value is `nil`.
    @inlinable
    public mutating func field<Value: ContentValue>(_ key: String, _ value: Value?) {
        guard let value else { return }
        self.key(key)
        value.write(to: &self)
    }
}

extension JSONWriter {
    /// Writes a JSON literal.
    public mutating func write(raw json: StaticString) {
        append(atMost: json.utf8CodeUnitCount) { end in
            end.update(from: json.utf8Start, count: json.utf8CodeUnitCount)
            return json.utf8CodeUnitCount
        }
    }

    /// Writes JSON that was rendered before.
    public mutating func write(raw json: ArraySlice<UInt8>) {
        bytes.append(contentsOf: json)
    }

    /// Writes a comma if the next member or element needs one.
    public mutating func separate() {
        if isCommaDue { bytes.append(UInt8(ascii: ",")) }
    }

    var isCommaDue: Bool {
        guard let last = bytes.last else { return false }
        return last != UInt8(ascii: "{") && last != UInt8(ascii: "[")
    }
}
