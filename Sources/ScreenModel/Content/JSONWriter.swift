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
        append(atMost: 20) { end in
            // From the last digit to the first, behind one another from the far end; then to where they belong.
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

    /// Writes the shortest decimal that reads as the same number. What JSON has no number for
    /// (infinities and NaN) becomes null.
    public mutating func write(_ value: Double) {
        if let whole = Int(exactly: value), whole.magnitude < 1 << 53 {
            write(whole)
        } else if value.isFinite {
            append(unescaped: value.description)
        } else {
            writeNull()
        }
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
        append(atMost: json.utf8CodeUnitCount) { end in
            end.update(from: json.utf8Start, count: json.utf8CodeUnitCount)
            return json.utf8CodeUnitCount
        }
    }

    /// Writes JSON that is rendered already.
    public mutating func write(raw json: ArraySlice<UInt8>) {
        bytes.append(contentsOf: json)
    }

    /// Begins the next member of an object or element of an array.
    public mutating func separate() {
        if isCommaDue { bytes.append(UInt8(ascii: ",")) }
    }

    /// Whether something stands before the next member or element.
    var isCommaDue: Bool {
        guard let last = bytes.last else { return false }
        return last != UInt8(ascii: "{") && last != UInt8(ascii: "[")
    }
}
