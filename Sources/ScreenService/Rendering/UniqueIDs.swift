/// Ids of which none occurs twice, by the protocol's rule: the second `a` is the first
/// free of `a#2`, `a#3`, ….
///
/// It remembers hashes of ids alone, in an open hash table: a set of strings would cost more than
/// the rest of rendering.
struct UniqueIDs {
    /// Slots; 0 is a free one.
    private var slots: [UInt64]
    private var count = 0
    /// For the hash of each repeated id, the number to try next: all below it are taken.
    private var nextNumber: [UInt64: Int] = [:]
    /// How many ids were not given out as they came.
    private(set) var renamedCount = 0

    /// - Parameter expectedCount: how many there will be, about.
    init(expectedCount: Int = 0) {
        slots = Array(repeating: 0, count: 1 << (Int.bitWidth - max(2 * expectedCount, 63).leadingZeroBitCount))
    }

    mutating func unique(_ id: String, _ hash: ContentHash) -> (id: String, hash: UInt64) {
        unique(id, hash.hash(id), hash)
    }

    /// - Parameter idHash: the hash of the id.
    mutating func unique(_ id: String, _ idHash: UInt64, _ hash: ContentHash) -> (id: String, hash: UInt64) {
        if insert(idHash) { return (id, idHash) }
        renamedCount += 1
        while true {
            let number = nextNumber[idHash, default: 2]
            nextNumber[idHash] = number + 1
            let candidate = "\(id)#\(number)"
            let candidateHash = hash.hash(candidate)
            if insert(candidateHash) { return (candidate, candidateHash) }
        }
    }

    /// Inserts the hash of an id. Whether it was not there yet.
    mutating func insert(_ hash: UInt64) -> Bool {
        if count * 2 >= slots.count { grow() }
        let value = hash == 0 ? 1 : hash
        let slot = slot(of: value)
        guard slots[slot] == 0 else { return false }
        slots[slot] = value
        count += 1
        return true
    }

    private func slot(of value: UInt64) -> Int {
        var slot = Int(truncatingIfNeeded: value) & (slots.count - 1)
        while slots[slot] != 0 && slots[slot] != value { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: 0, count: old.count * 4)
        for value in old where value != 0 { slots[slot(of: value)] = value }
    }
}
