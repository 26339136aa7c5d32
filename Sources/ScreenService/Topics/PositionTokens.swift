/// The tokens that stand for positions on the wire. Only the service can make one, and only the service can read it.
///
/// A token is an encrypted position with a tag of 64 bits that authenticates it (a synthetic initialization vector: Rogaway and
/// Shrimpton, 2006). One position has one token.
///
/// The secret is not the secret of versions, and the tag is no ``ContentHash``: XXH3 is no message authentication code. Its secret can be
/// calculated from the hash of a known short text, such as a position, and from enough versions with their documents.
package struct PositionTokens: Sendable {
    /// The number of bytes of the secret: two keys.
    package static let secretByteCount = 32

    private let tagging, masking: SipHash

    /// - Precondition: The secret has ``secretByteCount`` bytes.
    package init(secret: [UInt8]) {
        precondition(secret.count == Self.secretByteCount, "the secret of positions has another length")
        (tagging, masking) = (SipHash(key: secret.prefix(16)), SipHash(key: secret.dropFirst(16)))
    }

    /// Returns the token of a position: 26 letters and digits.
    package func token(for position: Position) -> String {
        let number = UInt64(bitPattern: position.number)
        let tag = tagging.hash(number)
        return (UInt128(number ^ masking.hash(tag)) << 64 | UInt128(tag)).base32
    }

    /// Returns the position that a token stands for; nil for a text that is not a token of this service.
    package func position(of token: some StringProtocol) -> Position? {
        guard let value = UInt128(base32: token) else { return nil }
        let tag = UInt64(truncatingIfNeeded: value)
        let number = UInt64(truncatingIfNeeded: value >> 64) ^ masking.hash(tag)
        guard tagging.hash(number) == tag else { return nil }
        return Position(number: Int64(bitPattern: number))
    }
}
