/// The name of a snapshot's content: equal content has an equal version, on every replica.
///
/// A 128-bit keyed hash. Clients hold its text, 26 letters and digits (base 32 by RFC 4648, in
/// small letters), and treat it as opaque.
public struct Version: Hashable, Sendable {
    public let high: UInt64
    public let low: UInt64

    /// How many characters the text of a version has.
    static let textLength = UInt128.base32Length

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The version that a text names; nil for a text that names none.
    public init?(_ text: some StringProtocol) {
        guard let value = UInt128(base32: text) else { return nil }
        self.init(value)
    }

    private init(_ value: UInt128) {
        self.init(high: UInt64(truncatingIfNeeded: value >> 64), low: UInt64(truncatingIfNeeded: value))
    }
}

extension Version {
    /// As stores keep it: the high word and the low word, each with its most significant byte first.
    package var stored: [UInt8] {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
    }

    package init?(stored: some Collection<UInt8>) {
        guard stored.count == 16 else { return nil }
        self.init(stored.reduce(UInt128(0)) { $0 << 8 | UInt128($1) })
    }
}

extension Version: CustomStringConvertible {
    public var description: String { (UInt128(high) << 64 | UInt128(low)).base32 }
}
