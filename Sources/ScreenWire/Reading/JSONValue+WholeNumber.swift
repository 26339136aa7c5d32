extension JSONValue {
    /// The value as an `Int`, or `nil` if it is not a whole number or is out of range. `2.0` and `1e3` are accepted, because some languages
    /// write every number with a fraction.
    public var wholeNumber: Int? {
        wholeNumber(Int.self)
    }

    func wholeNumber<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Integer? {
        guard case .number(let text) = self else { return nil }
        return Integer(text) ?? Self.wholeNumber(in: text)
    }

    /// Returns the whole number that a text represents, by shifting the decimal point within its digits. A conversion to `Double` would
    /// round `0.99999999999999999999` to 1.
    private static func wholeNumber<Integer: FixedWidthInteger>(in text: String) -> Integer? {
        let parts = text.utf8.split(omittingEmptySubsequences: false) { $0 | 0x20 == UInt8(ascii: "e") }
        let whole = parts[0].prefix { $0 != UInt8(ascii: ".") }
        var digits = Array(whole) + parts[0].dropFirst(whole.count + 1)
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        if digits.isEmpty || digits == [UInt8(ascii: "-")] { return 0 }
        // If the exponent does not fit into `Int32`, the number could be in range only if the text contained gigabytes of zeros.
        guard let exponent = parts.count == 1 ? 0 : Int32(Substring(parts[1])) else { return nil }
        let zeros = Int(exponent) + whole.count - digits.count
        guard (0..<Integer.bitWidth).contains(zeros) else { return nil }
        digits += repeatElement(UInt8(ascii: "0"), count: zeros)
        return Integer(String(decoding: digits, as: UTF8.self))
    }
}
