extension JSONValue {
    /// The whole number that a number is, exactly, however it is written: `2.0` and `1e3` too, since some
    /// origins know only such numbers. Nil where it is none, or none that fits.
    public var wholeNumber: Int? {
        guard case .number(let text) = self else { return nil }
        return Int(text) ?? Self.wholeNumber(in: text)
    }

    /// Moves the point within the digits. As a `Double`, `0.99999999999999999999` would be 1.
    private static func wholeNumber(in text: String) -> Int? {
        let parts = text.utf8.split(omittingEmptySubsequences: false) { $0 | 0x20 == UInt8(ascii: "e") }
        let whole = parts[0].prefix { $0 != UInt8(ascii: ".") }
        // With the sign in front.
        var digits = Array(whole) + parts[0].dropFirst(whole.count + 1)
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        if digits.isEmpty || digits == [UInt8(ascii: "-")] { return 0 }
        // To make up for an exponent that is longer takes gigabytes of zeros.
        guard let exponent = parts.count == 1 ? 0 : Int32(Substring(parts[1])) else { return nil }
        let zeros = Int(exponent) + whole.count - digits.count
        guard (0..<mostDigits).contains(zeros) else { return nil }
        digits += repeatElement(UInt8(ascii: "0"), count: zeros)
        return Int(String(decoding: digits, as: UTF8.self))
    }

    private static let mostDigits = String(Int.max).utf8.count
}
