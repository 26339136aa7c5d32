/// Is the cells that have no counterpart yet, ascending.
@usableFromInline
struct Unpaired {
    @usableFromInline var source: [Int32] = []
    @usableFromInline var target: [Int32] = []

    @inlinable
    init() {}

    @inlinable var count: Int { source.count + target.count }

    @inlinable
    mutating func append(source cells: Range<Int>) {
        for cell in cells { source.append(Int32(truncatingIfNeeded: cell)) }
    }

    @inlinable
    mutating func append(target cells: Range<Int>) {
        for cell in cells { target.append(Int32(truncatingIfNeeded: cell)) }
    }

    /// The other cells of a source that has so many, as runs.
    @inlinable
    func othersOfSource(_ cellCount: Int) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var start = 0
        for cell in source {
            if start < cell { runs.append(start..<Int(cell)) }
            start = Int(cell) + 1
        }
        if start < cellCount { runs.append(start..<cellCount) }
        return runs
    }

    /// Whether one of them is the same as one of these cells of the source.
    @inlinable
    func contains(anyOf cells: Range<Int>, _ lists: some Comparison) -> Bool {
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
