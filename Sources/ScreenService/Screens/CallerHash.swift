/// A function from callers to short texts for logs. Without the secret of the database, a text cannot be matched with a user or an address.
package struct CallerHash: Sendable {
    package static let secretByteCount = 16

    private let hash: SipHash

    /// Creates the function with a secret of ``secretByteCount`` bytes.
    package init(secret: [UInt8]) {
        hash = SipHash(key: secret)
    }

    /// Returns 16 hexadecimal digits, which are the same for the same caller on all replicas; `nil` for an unknown caller.
    package func text(of caller: LimitKey) -> String? {
        caller.hashedBytes.map { hash.hash($0).hexadecimal }
    }
}
