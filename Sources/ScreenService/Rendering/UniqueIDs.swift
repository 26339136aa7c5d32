/// A set of used ids that makes repeated ids unique. The protocol requires that a repeated id `a` is replaced by the first unused id among
/// `a#2`, `a#3` and so on.
///
/// The set is an open hash table of hashes. A `Set` of strings would take more time than the rest of rendering.
struct UniqueIDs {
    /// The hashes of the used ids. A free slot is 0.
    private var slots: [UInt64]
    private var count = 0
    /// The next number to try for each repeated id, by the hash of the id.
    private var nextNumber: [UInt64: Int] = [:]
    private(set) var renamedCount = 0

    init(expectedCount: Int = 0) {
        slots = Array(repeating: 0, count: 1 << (Int.bitWidth - max(2 * expectedCount, 63).leadingZeroBitCount))
    }

    mutating func unique(_ id: String, _ hash: ContentHash) -> (id: String, hash: UInt64) {
        unique(id, hash.hash(id), hash)
    }

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

    /// Inserts the hash of an id. Returns `false` if the id was already used.
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
