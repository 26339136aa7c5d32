/// The cells that have no counterpart yet, ascending.
@usableFromInline
struct UnpairedCells {
    @usableFromInline var source: [Int32] = []
    @usableFromInline var target: [Int32] = []

    @inlinable
    init() {}

    /// All cells of lists that have so many.
    @inlinable
    init(source: Int, target: Int) {
        self.source = Array(0..<Int32(truncatingIfNeeded: source))
        self.target = Array(0..<Int32(truncatingIfNeeded: target))
    }

    @inlinable var count: Int { source.count + target.count }

    @inlinable
    mutating func append(source cells: Range<Int>) {
        for cell in cells { source.append(Int32(truncatingIfNeeded: cell)) }
    }

    @inlinable
    mutating func append(target cells: Range<Int>) {
        for cell in cells { target.append(Int32(truncatingIfNeeded: cell)) }
    }

    /// Whether something is true of a run of the other cells of a source that has so many.
    @inlinable
    func anyRunOfOthers(ofSource cellCount: Int, where predicate: (Range<Int>) -> Bool) -> Bool {
        var start = 0
        for cell in source.lazy.map(Int.init) {
            if start < cell && predicate(start..<cell) { return true }
            start = cell + 1
        }
        return start < cellCount && predicate(start..<cellCount)
    }

    /// Whether one of them is the same as one of these cells of the source.
    @inlinable
    func contains(anyOf cells: Range<Int>, _ lists: some ComparedLists) -> Bool {
        for other in source.lazy.map(Int.init) {
            for cell in cells where lists.isSameCell(source: cell, source: other) { return true }
        }
        for other in target.lazy.map(Int.init) {
            for cell in cells where lists.isSameCell(source: cell, target: other) { return true }
        }
        return false
    }

    @inlinable
    mutating func sortTarget() {
        for index in target.indices.dropFirst() where target[index] < target[index - 1] { return target.sort() }
    }
}

/// The hashes of the cells that have no counterpart yet, in their order.
@usableFromInline
struct UnpairedHashes {
    @usableFromInline let source: [UInt64]
    @usableFromInline let target: [UInt64]

    @inlinable
    init(_ unpaired: UnpairedCells, _ lists: some ComparedLists) {
        source = unpaired.source.map { lists.cellHash(source: Int($0)) }
        target = unpaired.target.map { lists.cellHash(target: Int($0)) }
    }
}

/// A filter that most hashes that are not among some do not pass: a bit for each of these, in so many
/// words that most are 0, and so few that they are nearer in memory than a table would be.
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
