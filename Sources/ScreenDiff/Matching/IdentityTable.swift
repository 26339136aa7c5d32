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

    @usableFromInline var slots: ContiguousArray<Slot>
    @usableFromInline let shift: UInt64
    /// For each position, the next one with an equal identifier. As long as the first duplicates need.
    @usableFromInline var next: [Int32] = []
    /// Where identifiers are remembered, a bit for each, in so many words that most are 0, and so few that they are
    /// nearer in memory than the slots.
    @usableFromInline var filter: ContiguousArray<UInt16>

    /// - Parameters:
    ///   - capacity: how many identifiers will be inserted and remembered.
    ///   - remembers: whether `mayKnow` shall know those that were inserted and those that were looked for.
    @inlinable
    init(capacity: Int, remembering remembers: Bool = false) {
        let bits = max(2, Int.bitWidth - (2 * capacity).leadingZeroBitCount)
        slots = ContiguousArray(repeating: Slot(tag: 0, head: Self.free), count: 1 << bits)
        shift = UInt64(64 - bits)
        filter = ContiguousArray(repeating: 0, count: remembers ? slots.count : 0)
    }

    /// Puts in all positions, which ascend.
    @inlinable @inline(__always)
    mutating func insert(_ positions: [Int32], hash: (Int) -> UInt64, isEqual: (Int, Int) -> Bool) {
        let shift = shift
        var next: [Int32] = []
        let remembers = !filter.isEmpty
        // Spans, since an array looks at each write whether it is shared. Only one can be of a part of `self`.
        var words: ContiguousArray<UInt16> = []
        swap(&words, &filter)
        defer { swap(&words, &filter) }
        var filter = words.mutableSpan
        var slots = slots.mutableSpan
        // Backwards, so that each is put before all with an equal identifier.
        for number in positions.indices.reversed() {
            let position = positions[number]
            let hash = hash(Int(position))
            if remembers { filter[Self.start(hash, shift)] |= Self.bit(of: hash) }
            let index = Self.find(hash, in: slots, shift) { isEqual(Int(position), $0) }
            let head = slots[index].head
            slots[index] = Slot(tag: UInt32(truncatingIfNeeded: hash), head: position)
            if head != Self.free { Self.chain(position, before: head, &next) }
        }
        self.next = next
    }

    /// Takes for each of some elements the first position with its identifier that was not taken yet.
    @inlinable @inline(__always)
    mutating func take(
        _ elements: [Int32], hash: (_ element: Int) -> UInt64,
        isEqual: (_ position: Int, _ element: Int) -> Bool, found: (_ position: Int32, _ element: Int32) -> Void
    ) {
        let (shift, next, remembers) = (shift, next, !filter.isEmpty)
        var words: ContiguousArray<UInt16> = []
        swap(&words, &filter)
        defer { swap(&words, &filter) }
        var filter = words.mutableSpan
        var slots = slots.mutableSpan
        for element in elements {
            let hash = hash(Int(element))
            if remembers { filter[Self.start(hash, shift)] |= Self.bit(of: hash) }
            let index = Self.find(hash, in: slots, shift) { isEqual($0, Int(element)) }
            let head = slots[index].head
            if head >= 0 {
                let following = Int(head) < next.count ? next[Int(head)] : -1
                slots[index].head = following < 0 ? ~head : following
                found(head, element)
            } else if remembers && head == Self.free {
                Self.remember(hash, in: &slots, shift)
            }
        }
    }

    /// Notes the hash of an identifier that is no position's: once, however often it is looked for.
    @inlinable
    static func remember(_ hash: UInt64, in slots: inout MutableSpan<Slot>, _ shift: UInt64) {
        let tag = UInt32(truncatingIfNeeded: hash)
        var index = start(hash, shift)
        while !slots[index].isFree && slots[index].tag != tag { index = (index + 1) & (slots.count - 1) }
        if slots[index].isFree { slots[index] = Slot(tag: tag, head: unknown) }
    }

    /// Whether an identifier was inserted or remembered that probably has this hash.
    @inlinable
    func mayKnow(_ hash: UInt64) -> Bool {
        guard filter[Self.start(hash, shift)] & Self.bit(of: hash) != 0 else { return false }
        let tag = UInt32(truncatingIfNeeded: hash)
        var index = Self.start(hash, shift)
        while !slots[index].isFree {
            if slots[index].tag == tag { return true }
            index = (index + 1) & (slots.count - 1)
        }
        return false
    }

    /// The head of a slot that is for no identifier yet.
    @inlinable static var free: Int32 { .min + 1 }
    /// The head of a slot whose identifier is no position's.
    @inlinable static var unknown: Int32 { .min }

    /// The slot of that identifier, or the free slot where it belongs.
    @inlinable @inline(__always)
    static func find(
        _ hash: UInt64, in slots: borrowing MutableSpan<Slot>, _ shift: UInt64, isEqual: (Int) -> Bool
    ) -> Int {
        let tag = UInt32(truncatingIfNeeded: hash)
        var index = start(hash, shift)
        while !slots[index].isFree {
            let slot = slots[index]
            if slot.tag == tag && slot.head != unknown && isEqual(Int(slot.representative)) { return index }
            index = (index + 1) & (slots.count - 1)
        }
        return index
    }

    /// Fibonacci hashing: slots come from the product's high bits, so that they depend on all bits.
    @inlinable
    static func start(_ hash: UInt64, _ shift: UInt64) -> Int {
        Int(truncatingIfNeeded: (hash &* 0x9E37_79B9_7F4A_7C15) >> shift)
    }

    @inlinable
    static func bit(of hash: UInt64) -> UInt16 { 1 << UInt16(truncatingIfNeeded: hash & 15) }

    /// - Parameter head: the position after it; they are inserted from the last to the first.
    @usableFromInline
    static func chain(_ position: Int32, before head: Int32, _ next: inout [Int32]) {
        if next.count <= head { next += repeatElement(-1, count: Int(head) + 1 - next.count) }
        next[Int(position)] = head
    }
}
