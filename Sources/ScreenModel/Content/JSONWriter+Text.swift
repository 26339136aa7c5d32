extension JSONWriter {
    /// Writes a string, escaped and in quotes.
    public mutating func write(_ value: String) {
        withBytes(of: value) { append(quoting: $0) }
    }

    /// Writes the key of a field of an object. The value must be written next.
    public mutating func key(_ key: String) {
        withBytes(of: key) { append(key: $0) }
    }

    /// Appends the bytes that a closure writes to uninitialized memory. The closure returns the number of written bytes, which is at most
    /// `count`.
    @inline(__always)
    mutating func append(atMost count: Int, _ write: (_ end: UnsafeMutablePointer<UInt8>) -> Int) {
        bytes.append(addingCapacity: count) { span in
            span.withUnsafeMutableBufferPointer { buffer, written in
                if let end = buffer.baseAddress { written = write(end) }
            }
        }
    }

    /// Appends a string in which no byte must be escaped.
    mutating func append(unescaped text: String) {
        withBytes(of: text) { bytes.append(contentsOf: $0) }
    }

    /// Writes the digits of a number, or null if they are not a JSON number.
    mutating func write(number digits: String) {
        let start = bytes.count
        append(unescaped: digits)
        if bytes.endOfNumber(from: start) == bytes.count { return }
        bytes.removeSubrange(start...)
        writeNull()
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
            // The comma is always written. If none is due, the key overwrites it.
            end[0] = UInt8(ascii: ",")
            let field = end + (isCommaDue ? 1 : 0)
            field[0] = UInt8(ascii: "\"")
            (field + 1).update(from: start, count: key.count)
            field[key.count + 1] = UInt8(ascii: "\"")
            field[key.count + 2] = UInt8(ascii: ":")
            return field + key.count + 3 - end
        }
    }

    /// Escapes only the characters that RFC 8259, section 7, requires to be escaped.
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

extension [UInt8] {
    /// Returns the index after the JSON number that begins at `start` (RFC 8259, section 6), or `nil` if there is no valid number.
    package func endOfNumber(from start: Int) -> Int? {
        withUnsafeBufferPointer { $0.endOfNumber(from: start) }
    }
}

extension UnsafeBufferPointer<UInt8> {
    package func endOfNumber(from start: Int) -> Int? {
        var end = start
        func next() -> UInt8 { end < count ? self[end] : 0 }
        func skipDigits() -> Int {
            let first = end
            while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next()) { end += 1 }
            return end - first
        }
        if next() == UInt8(ascii: "-") { end += 1 }
        let isZero = next() == UInt8(ascii: "0")
        let digits = skipDigits()
        guard digits == 1 || (digits > 1 && !isZero) else { return nil }
        if next() == UInt8(ascii: ".") {
            end += 1
            if skipDigits() == 0 { return nil }
        }
        if next() | 0x20 == UInt8(ascii: "e") {
            end += 1
            if next() == UInt8(ascii: "+") || next() == UInt8(ascii: "-") { end += 1 }
            if skipDigits() == 0 { return nil }
        }
        return end
    }
}

/// Calls a closure with the UTF-8 of a string, without copying contiguous storage.
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
    @inline(__always)
    fileprivate var isAnyEscaped: Bool {
        let words = UnsafeRawBufferPointer(self)
        guard count >= 8 else { return contains { $0.isEscaped } }
        var start = 0
        while start + 8 <= count {
            if words.loadUnaligned(fromByteOffset: start, as: UInt64.self).isAnyByteEscaped { return true }
            start += 8
        }
        // The last eight bytes may overlap with bytes that were checked before.
        return start < count && words.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self).isAnyByteEscaped
    }
}

extension UInt64 {
    /// A Boolean value that indicates whether any of the eight bytes must be escaped.
    ///
    /// Subtracting 0x20 from each byte sets the high bit of bytes that are less than 0x20. Bytes from 0x80 on are masked out, because their
    /// high bit is already set (Anderson, Bit Twiddling Hacks, "hasless", "haszero").
    @inline(__always)
    fileprivate var isAnyByteEscaped: Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = self ^ ones &* UInt64(UInt8(ascii: "\""))
        let backslashes = self ^ ones &* UInt64(UInt8(ascii: "\\"))
        let less = (self &- ones &* 0x20) & ~self | (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
        return less & (ones &* 0x80) != 0
    }
}
