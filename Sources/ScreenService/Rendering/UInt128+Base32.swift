extension UInt128 {
    static let base32Length = 26

    /// The number in base 32 (RFC 4648, lowercase, without padding). The text consists of 26 letters and digits.
    var base32: String {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
        return String(unsafeUninitializedCapacity: Self.base32Length) { buffer in
            for place in 0..<Self.base32Length {
                let shift = 123 - 5 * place
                let digit = shift >= 0 ? self >> UInt128(shift) : self << 2
                buffer[place] = alphabet[Int(truncatingIfNeeded: digit & 31)]
            }
            return Self.base32Length
        }
    }

    /// Creates a number from its ``base32`` form, or returns `nil` for any other text.
    init?(base32 text: some StringProtocol) {
        guard text.utf8.count == Self.base32Length else { return nil }
        var value: UInt128 = 0
        var rest = text.utf8.makeIterator()
        for _ in 1..<Self.base32Length {
            guard let digit = rest.next().flatMap(Self.digit) else { return nil }
            value = value << 5 | UInt128(digit)
        }
        // 26 digits have 130 bits. The last two bits are always 0.
        guard let last = rest.next().flatMap(Self.digit), last & 0b11 == 0 else { return nil }
        self = value << 3 | UInt128(last >> 2)
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a")
        case UInt8(ascii: "2")...UInt8(ascii: "7"): character - UInt8(ascii: "2") + 26
        default: nil
        }
    }
}
