extension Correspondence {
    /// Pairs cells by comparing the cells of each surviving section with the cells of its counterpart, without hashing. A section survives
    /// if it is in both lists.
    ///
    /// In each section, `trim` first pairs equal cells at the start and at the end. Then `walk` compares the remaining cells of both lists
    /// in parallel. If identifiers can be repeated, sections that change their order are skipped, so that all pairs have the same order in
    /// both lists.
    ///
    /// - Returns: the number of pairs.
    @inlinable
    mutating func pairNeighbours(_ lists: some ComparedLists) -> Int {
        var count = 0
        let isInOrder = lists.areCellsUnique ? [] : sectionsInOrder()
        for section in trims.indices where targetOfSection[section] != Self.none {
            guard lists.areCellsUnique || isInOrder[section] else { continue }
            trim(section, lists)
            compareStart(of: section, lists)
            count += trims[section].prefix + pairUntrimmedNeighbours(in: section, lists) + trims[section].suffix
            compareEnd(of: section, lists)
        }
        return count
    }

    /// Returns a Boolean value for each section of the source. It is true for the members of a largest set of sections that have the same
    /// order in both lists.
    ///
    /// - Parameter kept: the index of a preferred section. If at least one largest set contains this section, such a set is chosen.
    @usableFromInline
    func sectionsInOrder(keeping kept: Int? = nil) -> [Bool] {
        let survivors = targetOfSection.indices.filter { targetOfSection[$0] != Self.none }
        let isMember = longestIncreasingSubsequence(
            of: survivors.map { targetOfSection[$0] }, keeping: kept.flatMap(survivors.firstIndex)
        )
        var isInOrder = Array(repeating: false, count: targetOfSection.count)
        for (survivor, isMember) in zip(survivors, isMember) { isInOrder[survivor] = isMember }
        return isInOrder
    }

    @inlinable
    mutating func trim(_ section: Int, _ lists: some ComparedLists) {
        let old = source.cells(of: section)
        let new = target.cells(of: Int(targetOfSection[section]))
        let limit = min(old.count, new.count)
        let prefix = lists.commonPrefix(source: old.lowerBound, target: new.lowerBound, limit: limit)
        let suffix = lists.commonSuffix(source: old.upperBound, target: new.upperBound, limit: limit - prefix)
        trims[section] = Trim(prefix: prefix, suffix: suffix)
    }

    @inlinable
    mutating func pairUntrimmedNeighbours(in section: Int, _ lists: some ComparedLists) -> Int {
        let home = Int(targetOfSection[section])
        return lists.walk(
            untrimmedCells(ofSource: section), untrimmedCells(ofTarget: home), &targetOfCell, &sourceOfCell
        ) { cells, start in
            lists.noteChanges(of: cells, in: section, from: start, in: home, &changedCells)
        }
    }
}

extension ComparedLists {
    /// Compares two ranges of cells from their starts, pairs equal cells, and skips all other cells. Returns the number of pairs.
    @inlinable @inline(__always)
    func walk(
        _ old: Range<Int>, _ new: Range<Int>, _ targetOfCell: inout ContiguousArray<Int32>,
        _ sourceOfCell: inout ContiguousArray<Int32>, paired: (_ cells: Range<Int>, _ start: Int) -> Void
    ) -> Int {
        // Spans are used, because an array checks for shared storage at each write.
        var targets = targetOfCell.mutableSpan
        var sources = sourceOfCell.mutableSpan
        var (source, target) = (old.lowerBound, new.lowerBound)
        var pairCount = 0
        var failures = 0
        while source < old.upperBound && target < new.upperBound {
            let limit = min(old.upperBound - source, new.upperBound - target)
            var count = 0
            while count < limit, isSameCell(source: source + count, target: target + count) {
                targets[source + count] = Int32(truncatingIfNeeded: target + count)
                sources[target + count] = Int32(truncatingIfNeeded: source + count)
                count += 1
            }
            if count > 0 { paired(source..<source + count, target) }
            pairCount += count
            source += count
            target += count
            if count < limit {
                failures = count > 0 ? 0 : failures + 1
                let gap = gap(source..<old.upperBound, target..<new.upperBound) ?? leap(after: failures, limit: limit - count)
                source += gap.old
                target += gap.new
            }
        }
        return pairCount
    }

    /// Looks for the nearest pair of equal cells within four cells of the start of each range. Returns the number of cells before the pair
    /// in each range, or nil.
    @inlinable
    func gap(_ old: Range<Int>, _ new: Range<Int>) -> (old: Int, new: Int)? {
        let reach = 4
        for distance in 1...reach {
            let oldAhead = old.lowerBound + distance
            let newAhead = new.lowerBound + distance
            if oldAhead < old.upperBound, isSameCell(source: oldAhead, target: new.lowerBound) { return (distance, 0) }
            guard newAhead < new.upperBound else { continue }
            if isSameCell(source: old.lowerBound, target: newAhead) { return (0, distance) }
            if oldAhead < old.upperBound, isSameCell(source: oldAhead, target: newAhead) { return (distance, distance) }
        }
        return nil
    }

    /// Returns the number of cells to skip in each list after `gap` returned nil. The number grows with each failure, so that few cells are
    /// compared if the lists have no common cells or no common order.
    @inlinable
    func leap(after failures: Int, limit: Int) -> (old: Int, new: Int) {
        let length = min(limit, 1 << min(6, max(0, failures - 3)))
        return (length, length)
    }
}
