/// The version of a snapshot, which is a 128-bit keyed hash of its content. Equal content for the same audience has the same version on
/// every replica.
///
/// Clients receive the version as an opaque token of 26 letters and digits (base 32, RFC 4648, lowercase).
public struct Version: Hashable, Sendable {
    public let high: UInt64
    public let low: UInt64

    static let textLength = UInt128.base32Length

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates a version from its token, or returns `nil` if the text is not a token.
    public init?(_ text: some StringProtocol) {
        guard let value = UInt128(base32: text) else { return nil }
        self.init(value)
    }

    private init(_ value: UInt128) {
        self.init(high: UInt64(truncatingIfNeeded: value >> 64), low: UInt64(truncatingIfNeeded: value))
    }
}

extension Version {
    /// The stored form of the version: 16 bytes in big-endian order.
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
