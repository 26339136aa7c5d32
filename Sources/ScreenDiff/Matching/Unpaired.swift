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
