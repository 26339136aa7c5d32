/// The name of a snapshot's content: equal content has an equal version, on every replica.
///
/// A 128-bit keyed hash. Clients hold its text, 26 letters and digits (base 32 by RFC 4648, in
/// small letters), and treat it as opaque.
public struct Version: Hashable, Sendable {
    public let high: UInt64
    public let low: UInt64

    /// How many characters the text of a version has.
    static let textLength = 26

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The version that a text names; nil for a text that names none.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == Self.textLength else { return nil }
        var value: UInt128 = 0
        var rest = text.utf8.makeIterator()
        for _ in 1..<Self.textLength {
            guard let digit = rest.next().flatMap(Self.digit) else { return nil }
            value = value << 5 | UInt128(digit)
        }
        // 26 digits hold 130 bits; the last has the two that are left over, always 0.
        guard let last = rest.next().flatMap(Self.digit), last & 0b11 == 0 else { return nil }
        value = value << 3 | UInt128(last >> 2)
        self.init(high: UInt64(truncatingIfNeeded: value >> 64), low: UInt64(truncatingIfNeeded: value))
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a")
        case UInt8(ascii: "2")...UInt8(ascii: "7"): character - UInt8(ascii: "2") + 26
        default: nil
        }
    }
}

extension Version {
    /// As stores keep it: the high word and the low word, each with its most significant byte first.
    package var stored: [UInt8] {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
    }

    package init?(stored: some Collection<UInt8>) {
        guard stored.count == 16 else { return nil }
        let value = stored.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        self.init(high: UInt64(truncatingIfNeeded: value >> 64), low: UInt64(truncatingIfNeeded: value))
    }
}

extension Version: CustomStringConvertible {
    public var description: String {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
        let value = UInt128(high) << 64 | UInt128(low)
        return String(unsafeUninitializedCapacity: Self.textLength) { buffer in
            for position in 0..<Self.textLength {
                let shift = 123 - 5 * position
                let digit = shift >= 0 ? value >> UInt128(shift) : value << 2
                buffer[position] = alphabet[Int(truncatingIfNeeded: digit & 31)]
            }
            return Self.textLength
        }
    }
}
