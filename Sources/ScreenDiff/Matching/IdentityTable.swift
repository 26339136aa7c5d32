/// Finds source positions by identity: a hash table of positions alone.
///
/// Open addressing over four-byte tags and positions, so that a look-up touches one cache line and
/// compares an identifier only where the tags agree. Equal identifiers form a chain in their order,
/// and each position is taken once, so that the k-th is paired with the k-th.
struct IdentityTable {
    private struct Slot {
        var tag: UInt32
        /// A position whose identifier this slot is for; negative in a free slot.
        var representative: Int32
        /// The first position of the chain that is not taken yet; negative when none is left.
        var head: Int32
    }

    private var slots: [Slot]
    private let shift: UInt64
    /// For each position, the next one with an equal identifier. Made at the first duplicate.
    private var next: [Int32] = []
    private let positionCount: Int

    /// Whether two positions with equal identifiers were inserted.
    var hasDuplicates: Bool { !next.isEmpty }

    /// - Parameters:
    ///   - capacity: how many positions will be inserted.
    ///   - positionCount: one more than the greatest position.
    init(capacity: Int, positionCount: Int) {
        let bits = max(2, Int.bitWidth - (capacity + capacity / 2).leadingZeroBitCount)
        slots = Array(repeating: Slot(tag: 0, representative: -1, head: -1), count: 1 << bits)
        shift = UInt64(64 - bits)
        self.positionCount = positionCount
    }

    /// Puts `position` before all that were inserted with an equal identifier: insert from the last
    /// position to the first.
    mutating func insert(_ position: Int, hash: UInt64, isEqual: (Int) -> Bool) {
        let index = find(hash: hash, isEqual: isEqual)
        if slots[index].representative >= 0 {
            chain(position, before: slots[index].head)
        } else {
            slots[index].representative = Int32(truncatingIfNeeded: position)
            slots[index].tag = UInt32(truncatingIfNeeded: hash)
        }
        slots[index].head = Int32(truncatingIfNeeded: position)
    }

    /// Takes the first position with that identifier that was not taken yet.
    mutating func take(hash: UInt64, isEqual: (Int) -> Bool) -> Int? {
        let index = find(hash: hash, isEqual: isEqual)
        let head = slots[index].head
        guard head >= 0 else { return nil }
        slots[index].head = next.isEmpty ? -1 : next[Int(head)]
        return Int(head)
    }

    /// The slot of that identifier, or the free slot where it belongs.
    private func find(hash: UInt64, isEqual: (Int) -> Bool) -> Int {
        let tag = UInt32(truncatingIfNeeded: hash)
        let mask = slots.count - 1
        var index = Int(truncatingIfNeeded: Self.spread(hash) >> shift)
        while slots[index].representative >= 0 {
            if slots[index].tag == tag && isEqual(Int(slots[index].representative)) { return index }
            index = (index + 1) & mask
        }
        return index
    }

    /// Fibonacci hashing: slots come from the product's high bits, so that they depend on all bits.
    private static func spread(_ hash: UInt64) -> UInt64 {
        hash &* 0x9E37_79B9_7F4A_7C15
    }

    private mutating func chain(_ position: Int, before head: Int32) {
        if next.isEmpty { next = Array(repeating: -1, count: positionCount) }
        next[position] = head
    }
}
