/// A hash table that pairs the elements of two lists by identifier.
///
/// First, `insert` stores the positions of elements of the source. The positions with an equal identifier form a chain in ascending order.
/// Then `take` pairs each element of the target with the first unpaired position in the chain of its identifier. So the k-th occurrence of
/// an identifier in the source is paired with its k-th occurrence in the target.
///
/// The table uses open addressing. A slot holds the start of a chain, and a tag, which is a part of the hash. Both have four bytes, so that
/// a look-up touches one cache line. Identifiers are compared only if their tags are equal.
///
/// After `insert` and `take`, `mayKnow` can look up any identifier of both lists by its hash. It first reads a filter that has one bit set
/// for each stored hash. Most words of the filter are 0, so that most look-ups end there. The filter is smaller than the slots, so that it
/// stays in a faster cache.
@usableFromInline
struct IdentityTable {
    @usableFromInline
    struct Slot {
        @usableFromInline var tag: UInt32
        /// The first unpaired position of the chain. If all positions are paired, the value is the bitwise complement of the last position.
        @usableFromInline var head: Int32

        @inlinable
        init(tag: UInt32, head: Int32) {
            self.tag = tag
            self.head = head
        }

        @inlinable var isFree: Bool { head == IdentityTable.free }
        @inlinable var representative: Int32 { head < 0 ? ~head : head }
    }

    @usableFromInline var slots: ContiguousArray<Slot>
    @usableFromInline let shift: UInt64
    /// For each position, the next position in its chain, or a negative number. The array can be shorter than the list. The remaining
    /// positions have no next position.
    @usableFromInline var next: [Int32] = []
    /// The filter for `mayKnow`. It is empty if `mayKnow` is not used.
    @usableFromInline var filter: ContiguousArray<UInt16>

    /// Creates an empty table. `capacity` is the maximum number of stored identifiers. If `remembers` is true, `mayKnow` can be used.
    @inlinable
    init(capacity: Int, remembering remembers: Bool = false) {
        let bits = max(2, Int.bitWidth - (2 * capacity).leadingZeroBitCount)
        slots = ContiguousArray(repeating: Slot(tag: 0, head: Self.free), count: 1 << bits)
        shift = UInt64(64 - bits)
        filter = ContiguousArray(repeating: 0, count: remembers ? slots.count : 0)
    }

    /// Inserts positions of the source, in ascending order.
    @inlinable @inline(__always)
    mutating func insert(_ positions: [Int32], hash: (Int) -> UInt64, isEqual: (Int, Int) -> Bool) {
        let shift = shift
        var next: [Int32] = []
        let remembers = !filter.isEmpty
        // Spans are used, because an array checks for shared storage at each write. Only one span can borrow from `self`, so the words of
        // the filter are moved to a local variable in the meantime.
        var words: ContiguousArray<UInt16> = []
        swap(&words, &filter)
        defer { swap(&words, &filter) }
        var filter = words.mutableSpan
        var slots = slots.mutableSpan
        // The order is backward, because each position becomes the new start of its chain.
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

    /// Pairs each element of the target with the first unpaired position that has the same identifier. Calls `found` with each pair.
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

    /// Stores the hash of an identifier that occurs only in the target.
    @inlinable
    static func remember(_ hash: UInt64, in slots: inout MutableSpan<Slot>, _ shift: UInt64) {
        let tag = UInt32(truncatingIfNeeded: hash)
        var index = start(hash, shift)
        while !slots[index].isFree && slots[index].tag != tag { index = (index + 1) & (slots.count - 1) }
        if slots[index].isFree { slots[index] = Slot(tag: tag, head: unknown) }
    }

    /// Returns a Boolean value that indicates whether an identifier with this hash is probably stored. If the value is false, no such
    /// identifier is stored.
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

    @inlinable static var free: Int32 { .min + 1 }
    /// The value of `head` in the slot of an identifier that occurs only in the target.
    @inlinable static var unknown: Int32 { .min }

    /// Returns the index of the slot of an identifier, or of the free slot in which the identifier belongs.
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

    /// Returns the index of the first slot to examine for a hash, by Fibonacci hashing: the high bits of the product depend on all bits of
    /// the hash.
    @inlinable
    static func start(_ hash: UInt64, _ shift: UInt64) -> Int {
        Int(truncatingIfNeeded: (hash &* 0x9E37_79B9_7F4A_7C15) >> shift)
    }

    @inlinable
    static func bit(of hash: UInt64) -> UInt16 { 1 << UInt16(truncatingIfNeeded: hash & 15) }

    /// Inserts `position` at the start of the chain that began with `head`. Positions are inserted from the last to the first.
    @usableFromInline
    static func chain(_ position: Int32, before head: Int32, _ next: inout [Int32]) {
        if next.count <= head { next += repeatElement(-1, count: Int(head) + 1 - next.count) }
        next[Int(position)] = head
    }
}
