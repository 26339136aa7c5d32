/// The cells that have no counterpart yet, ascending.
@usableFromInline
struct UnpairedCells {
    @usableFromInline let source: [Int32]
    @usableFromInline let target: [Int32]

    @inlinable var count: Int { source.count + target.count }

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
}

extension Correspondence {
    /// Lists the cells that have no counterpart.
    ///
    /// - Parameter pairCount: how many pairs there are, those of the trims included.
    @usableFromInline
    func unpairedCells(pairCount: Int) -> UnpairedCells {
        UnpairedCells(
            source: Array(capacity: source.cellCount - pairCount) { unpaired in
                targetOfCell.withUnsafeBufferPointer { targets in
                    for section in targetOfSection.indices {
                        untrimmedCells(ofSource: section).forEach { targets[$0] < 0 } do: {
                            unpaired.append(Int32(truncatingIfNeeded: $0))
                        }
                    }
                }
            },
            target: Array(capacity: target.cellCount - pairCount) { unpaired in
                sourceOfCell.withUnsafeBufferPointer { sources in
                    for section in sourceOfSection.indices {
                        untrimmedCells(ofTarget: section).forEach { sources[$0] < 0 } do: {
                            unpaired.append(Int32(truncatingIfNeeded: $0))
                        }
                    }
                }
            }
        )
    }
}
