/// The number of a commit, which is the same on all replicas. Later commits have larger numbers.
///
/// Clients receive and send a position as an authenticated token, so that they cannot make requests wait for a commit that does not exist.
public struct Position: Hashable, Comparable, Sendable, LosslessStringConvertible {
    /// A number that is not negative.
    public let number: Int64

    public init(number: Int64) {
        self.number = number
    }

    /// Creates a position from decimal digits, or returns `nil` for any other text.
    public init?(_ text: String) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let number = Int64(text) else {
            return nil
        }
        self.number = number
    }

    public var description: String { String(number) }

    public static func < (a: Position, b: Position) -> Bool {
        a.number < b.number
    }
}

/// A codec of the tokens that represent positions in requests and responses. Only the service can create and read the tokens.
///
/// A token consists of an authentication tag of 64 bits and an encrypted position. The tag is also the initialization vector of the
/// encryption ("synthetic initialization vector"; Rogaway and Shrimpton, 2006). A position has exactly one token.
///
/// The tag is not a ``ContentHash``, because XXH3 is not a message authentication code. Clients know many versions and their documents. If
/// they also knew the XXH3 hash of a short text, such as a position, they could calculate the secret of the versions. Therefore tokens have
/// a different hash function and a different secret.
package struct PositionTokens: Sendable {
    package static let secretByteCount = 32

    private let tagging, masking: SipHash

    /// Creates a codec with a secret of ``secretByteCount`` bytes.
    package init(secret: [UInt8]) {
        precondition(secret.count == Self.secretByteCount, "the secret of positions must have \(Self.secretByteCount) bytes")
        (tagging, masking) = (SipHash(key: secret.prefix(16)), SipHash(key: secret.dropFirst(16)))
    }

    /// Returns the token of a position, which has 26 letters and digits.
    package func token(for position: Position) -> String {
        let number = UInt64(bitPattern: position.number)
        let tag = tagging.hash(number)
        return (UInt128(number ^ masking.hash(tag)) << 64 | UInt128(tag)).base32
    }

    /// Returns the position that a token represents, or `nil` if the text is not a token of this service.
    package func position(of token: some StringProtocol) -> Position? {
        guard let value = UInt128(base32: token) else { return nil }
        let tag = UInt64(truncatingIfNeeded: value)
        let number = UInt64(truncatingIfNeeded: value >> 64) ^ masking.hash(tag)
        guard tagging.hash(number) == tag else { return nil }
        return Position(number: Int64(bitPattern: number))
    }
}
