extension Correspondence {
    /// Pairs what stands in the same order in a section and its counterpart, by comparing neighbours
    /// alone: most cells of most lists never need to be hashed.
    ///
    /// If no identifier occurs twice, two equal ones are a pair wherever they stand. Otherwise only
    /// sections are walked that stand in the same order on both sides, so that all pairs do.
    ///
    /// - Returns: how many pairs there are.
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

    /// For each section of the source, whether it survives and is of the most that keep their order.
    ///
    /// - Parameter kept: a section that shall be one of them if that costs none.
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
    /// Goes along two ranges of cells, pairs what is the same, and leaves out what is not.
    ///
    /// - Returns: how many it has paired.
    @inlinable @inline(__always)
    func walk(
        _ old: Range<Int>, _ new: Range<Int>, _ targetOfCell: inout ContiguousArray<Int32>,
        _ sourceOfCell: inout ContiguousArray<Int32>, paired: (_ cells: Range<Int>, _ start: Int) -> Void
    ) -> Int {
        // Spans, since arrays look at each write whether they are shared.
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

    /// How many cells to leave out on each side until there is a pair again: the fewest within a
    /// short reach; nil where there is none.
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

    /// How many to leave out where no pair was found: the more, the longer there was none. Lists that have
    /// nothing in common, or no order, are seldom looked at so.
    @inlinable
    func leap(after failures: Int, limit: Int) -> (old: Int, new: Int) {
        let length = min(limit, 1 << min(6, max(0, failures - 3)))
        return (length, length)
    }
}
