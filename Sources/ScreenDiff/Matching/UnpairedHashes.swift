/// Is the hashes of the cells that have no counterpart yet, in their order.
@usableFromInline
struct UnpairedHashes {
    @usableFromInline let source: [UInt64]
    @usableFromInline let target: [UInt64]

    @inlinable
    init(_ unpaired: Unpaired, _ lists: some Comparison) {
        source = unpaired.source.map { lists.cellHash(source: Int($0)) }
        target = unpaired.target.map { lists.cellHash(target: Int($0)) }
    }
}

/// Says of most hashes that are not among some, that they are not: a bit for each, in so many words
/// that most are 0, and so few that they are nearer in memory than a table would be.
@usableFromInline
struct HashFilter {
    @usableFromInline var words: [UInt16]
    @usableFromInline let shift: UInt64

    @inlinable
    init(_ hashes: UnpairedHashes) {
        let bits = max(2, Int.bitWidth - (2 * (hashes.source.count + hashes.target.count)).leadingZeroBitCount)
        words = Array(repeating: 0, count: 1 << bits)
        shift = UInt64(64 - bits)
        for hash in hashes.source { words[word(of: hash)] |= Self.bit(of: hash) }
        for hash in hashes.target { words[word(of: hash)] |= Self.bit(of: hash) }
    }

    @inlinable
    func mayContain(_ hash: UInt64) -> Bool {
        words[word(of: hash)] & Self.bit(of: hash) != 0
    }

    @inlinable
    func word(of hash: UInt64) -> Int {
        Int(truncatingIfNeeded: (hash &* 0x9E37_79B9_7F4A_7C15) >> shift)
    }

    @inlinable
    static func bit(of hash: UInt64) -> UInt16 { 1 << UInt16(truncatingIfNeeded: hash & 15) }
}
