/// The cells of both lists that have no counterpart, in ascending order.
@usableFromInline
struct UnpairedCells {
    @usableFromInline let source: [Int32]
    @usableFromInline let target: [Int32]

    @inlinable var count: Int { source.count + target.count }

    /// Returns a Boolean value that indicates whether a predicate is true for at least one range of consecutive paired cells in the source.
    @inlinable
    func anyRunOfOthers(ofSource cellCount: Int, where predicate: (Range<Int>) -> Bool) -> Bool {
        var start = 0
        for cell in source.lazy.map(Int.init) {
            if start < cell && predicate(start..<cell) { return true }
            start = cell + 1
        }
        return start < cellCount && predicate(start..<cellCount)
    }

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
    /// Returns the cells without a counterpart. `pairCount` is the number of pairs, including the trimmed cells.
    @usableFromInline
    func unpairedCells(pairCount: Int) -> UnpairedCells {
        UnpairedCells(
            source: Array(capacity: source.cellCount - pairCount) { unpaired in
                targetOfCell.withUnsafeBufferPointer { targets in
                    for section in targetOfSection.indices {
                        untrimmedCells(ofSource: section).forEach {
                            targets[$0] < 0
                        } do: {
                            unpaired.append(Int32(truncatingIfNeeded: $0))
                        }
                    }
                }
            },
            target: Array(capacity: target.cellCount - pairCount) { unpaired in
                sourceOfCell.withUnsafeBufferPointer { sources in
                    for section in sourceOfSection.indices {
                        untrimmedCells(ofTarget: section).forEach {
                            sources[$0] < 0
                        } do: {
                            unpaired.append(Int32(truncatingIfNeeded: $0))
                        }
                    }
                }
            }
        )
    }
}
