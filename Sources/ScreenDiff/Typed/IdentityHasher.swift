/// Hashes identifiers for a table that lives as long as one diff.
///
/// Equal identifiers feed a `Hasher` the same, and leave it in the same state. That state is the hash:
/// `finalize()`, which costs two thirds of the time, would scramble it further, but the hasher is
/// seeded already, and the table mixes what it is given.
@usableFromInline
struct IdentityHasher {
    /// Copied for each identifier: making one anew, as `hashValue` does, costs as much as feeding it.
    @usableFromInline let hasher = Hasher()

    @inlinable
    init() {}

    @inlinable
    func hash(_ id: some Hashable) -> UInt64 {
        var hasher = hasher
        id.hash(into: &hasher)
        return Self.folded(&hasher)
    }

    /// One word made of all words of a value that is nothing but its bits, as `Hasher` is. It is read
    /// where it stands: a copy would wait for what was just written.
    @inlinable
    static func folded(_ value: inout some BitwiseCopyable) -> UInt64 {
        withUnsafeBytes(of: &value) { bytes in
            var folded: UInt64 = 0
            for offset in stride(from: 0, to: bytes.count & ~7, by: 8) {
                folded = folded &* 0x9E37_79B9_7F4A_7C15 ^ bytes.load(fromByteOffset: offset, as: UInt64.self)
            }
            return folded
        }
    }
}
