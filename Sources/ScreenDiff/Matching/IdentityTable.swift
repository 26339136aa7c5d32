/// A hash table of source positions, by identity.
///
/// Open addressing over four-byte tags and positions, so that a look-up touches one cache line and
/// compares an identifier only where the tags agree. Equal identifiers form a chain in their order,
/// and each position is taken once, so that the k-th is paired with the k-th.
@usableFromInline
struct IdentityTable {
    @usableFromInline
    struct Slot {
        @usableFromInline var tag: UInt32
        /// The first position of the chain that is not taken yet; `~` the last one where all are.
        @usableFromInline var head: Int32

        @inlinable
        init(tag: UInt32, head: Int32) {
            self.tag = tag
            self.head = head
        }

        @inlinable var isFree: Bool { head == IdentityTable.free }
        /// A position with the identifier that this slot is for, or one that no list has.
        @inlinable var representative: Int32 { head < 0 ? ~head : head }
    }

    @usableFromInline var slots: [Slot]
    @usableFromInline let shift: UInt64
    /// For each position, the next one with an equal identifier. Made at the first duplicate.
    @usableFromInline var next: [Int32] = []
    @usableFromInline let positionCount: Int

    /// - Parameters:
    ///   - capacity: how many identifiers will be inserted and looked for.
    ///   - positionCount: one more than the greatest position.
    @inlinable
    init(capacity: Int, positionCount: Int) {
        let bits = max(2, Int.bitWidth - (capacity + capacity / 2).leadingZeroBitCount)
        slots = Array(repeating: Slot(tag: 0, head: Self.free), count: 1 << bits)
        shift = UInt64(64 - bits)
        self.positionCount = positionCount
    }

    /// Puts `position` before all that were inserted with an equal identifier: insert from the last
    /// position to the first.
    @inlinable
    mutating func insert(_ position: Int, hash: UInt64, isEqual: (Int) -> Bool) {
        let index = find(hash: hash, isEqual: isEqual)
        let head = slots[index].head
        slots[index] = Slot(tag: UInt32(truncatingIfNeeded: hash), head: Int32(truncatingIfNeeded: position))
        if head != Self.free { chain(position, before: head) }
    }

    /// Takes the first position with that identifier that was not taken yet.
    @inlinable
    mutating func take(hash: UInt64, isEqual: (Int) -> Bool) -> Int? {
        let index = find(hash: hash, isEqual: isEqual)
        let slot = slots[index]
        guard slot.head >= 0 else { return nil }
        let following = next.isEmpty ? -1 : next[Int(slot.head)]
        slots[index].head = following < 0 ? ~slot.head : following
        return Int(slot.head)
    }

    /// Notes the hash of an identifier that is no position's. Only look-ups may follow, no inserts.
    @inlinable
    mutating func remember(_ hash: UInt64) {
        let index = find(tagOf: hash)
        // Once is enough, however often it is looked for: the list may be of one identifier.
        if slots[index].isFree { slots[index] = Slot(tag: UInt32(truncatingIfNeeded: hash), head: Self.unknown) }
    }

    /// Whether an identifier was inserted or remembered that probably has this hash.
    @inlinable
    func mayKnow(_ hash: UInt64) -> Bool {
        !slots[find(tagOf: hash)].isFree
    }

    /// The head of a slot that is for no identifier yet.
    @inlinable static var free: Int32 { .min }
    /// The head of a slot whose identifier is no position's.
    @inlinable static var unknown: Int32 { .min + 1 }

    /// The first slot with the tag of that hash, or the free slot where it belongs.
    @inlinable
    func find(tagOf hash: UInt64) -> Int {
        let tag = UInt32(truncatingIfNeeded: hash)
        var index = start(hash)
        while !slots[index].isFree && slots[index].tag != tag { index = (index + 1) & (slots.count - 1) }
        return index
    }

    /// The slot of that identifier, or the free slot where it belongs.
    @inlinable
    func find(hash: UInt64, isEqual: (Int) -> Bool) -> Int {
        let tag = UInt32(truncatingIfNeeded: hash)
        var index = start(hash)
        while !slots[index].isFree {
            let slot = slots[index]
            if slot.tag == tag && slot.head != Self.unknown && isEqual(Int(slot.representative)) { return index }
            index = (index + 1) & (slots.count - 1)
        }
        return index
    }

    /// Fibonacci hashing: slots come from the product's high bits, so that they depend on all bits.
    @inlinable
    func start(_ hash: UInt64) -> Int {
        Int(truncatingIfNeeded: (hash &* 0x9E37_79B9_7F4A_7C15) >> shift)
    }

    @usableFromInline
    mutating func chain(_ position: Int, before head: Int32) {
        if next.isEmpty { next = Array(repeating: -1, count: positionCount) }
        next[position] = head
    }
}
