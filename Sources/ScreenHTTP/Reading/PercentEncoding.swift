/// The encoding of request targets (RFC 3986, section 2.1).
enum PercentEncoding {
    /// The text; nil if an escape is not two hexadecimal digits, or the bytes are not UTF-8.
    static func decode(_ text: Substring, plusIsSpace: Bool = false) -> String? {
        let needsDecoding = text.utf8.contains { $0 == UInt8(ascii: "%") || plusIsSpace && $0 == UInt8(ascii: "+") }
        guard needsDecoding else { return String(text) }
        var bytes: [UInt8] = []
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            if byte == UInt8(ascii: "%") {
                guard let high = digit(rest.next()), let low = digit(rest.next()) else { return nil }
                bytes.append(high << 4 | low)
            } else {
                bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8?) -> UInt8? {
        guard let byte else { return nil }
        switch byte | 0x20 {
        case _ where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte): return byte - UInt8(ascii: "0")
        case let letter where (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(letter): return letter - UInt8(ascii: "a") + 10
        default: return nil
        }
    }
}
