// Text, and how bytes are appended: room is made once for all that is written together.
extension JSONWriter {
    public mutating func write(_ value: String) {
        withBytes(of: value) { append(quoting: $0) }
    }

    /// Begins a field of an object; its value is to be written next.
    public mutating func key(_ key: String) {
        withBytes(of: key) { append(key: $0) }
    }

    /// Appends as many bytes as a closure says that it has written.
    ///
    /// - Parameter count: how many they are at most.
    @inline(__always)
    mutating func append(atMost count: Int, _ write: (_ end: UnsafeMutablePointer<UInt8>) -> Int) {
        bytes.append(addingCapacity: count) { span in
            span.withUnsafeMutableBufferPointer { buffer, written in
                if let end = buffer.baseAddress { written = write(end) }
            }
        }
    }

    /// Appends a text of which no byte needs to be escaped.
    mutating func append(unescaped text: String) {
        withBytes(of: text) { bytes.append(contentsOf: $0) }
    }

    @inline(__always)
    private mutating func append(quoting text: UnsafeBufferPointer<UInt8>) {
        guard let start = text.baseAddress, !text.isAnyEscaped else { return append(escaping: text) }
        append(atMost: text.count + 2) { end in
            end[0] = UInt8(ascii: "\"")
            (end + 1).update(from: start, count: text.count)
            end[text.count + 1] = UInt8(ascii: "\"")
            return text.count + 2
        }
    }

    @inline(__always)
    private mutating func append(key: UnsafeBufferPointer<UInt8>) {
        let isCommaDue = isCommaDue
        guard let start = key.baseAddress, !key.isAnyEscaped else {
            separate()
            append(escaping: key)
            return bytes.append(UInt8(ascii: ":"))
        }
        append(atMost: key.count + 4) { end in
            // A comma that is not due is written over.
            end[0] = UInt8(ascii: ",")
            let field = end + (isCommaDue ? 1 : 0)
            field[0] = UInt8(ascii: "\"")
            (field + 1).update(from: start, count: key.count)
            field[key.count + 1] = UInt8(ascii: "\"")
            field[key.count + 2] = UInt8(ascii: ":")
            return field + key.count + 3 - end
        }
    }

    /// Escapes what RFC 8259, section 7, says must be escaped, and nothing else.
    private mutating func append(escaping text: UnsafeBufferPointer<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text {
            if byte.isEscaped { append(escape: byte) } else { bytes.append(byte) }
        }
        bytes.append(UInt8(ascii: "\""))
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

/// The UTF-8 of a text, where it stands if that is possible.
@inline(__always)
private func withBytes(of text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    if text.utf8.withContiguousStorageIfAvailable(body) != nil { return }
    var text = text
    text.withUTF8(body)
}

extension UInt8 {
    @inline(__always)
    fileprivate var isEscaped: Bool {
        self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\")
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether any byte must be escaped.
    @inline(__always)
    fileprivate var isAnyEscaped: Bool {
        let words = UnsafeRawBufferPointer(self)
        guard count >= 8 else { return contains { $0.isEscaped } }
        var start = 0
        while start + 8 <= count {
            if words.loadUnaligned(fromByteOffset: start, as: UInt64.self).isAnyByteEscaped { return true }
            start += 8
        }
        // The last eight, of which some were looked at.
        return start < count && words.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self).isAnyByteEscaped
    }
}

extension UInt64 {
    /// Whether any of eight bytes must be escaped, all at once: a difference borrows the high bit of a byte that is
    /// less, which a byte from 0x80 on had before (Anderson, Bit Twiddling Hacks, "hasless", "haszero").
    @inline(__always)
    fileprivate var isAnyByteEscaped: Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = self ^ ones &* UInt64(UInt8(ascii: "\""))
        let backslashes = self ^ ones &* UInt64(UInt8(ascii: "\\"))
        let less = (self &- ones &* 0x20) & ~self | (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
        return less & (ones &* 0x80) != 0
    }
}
