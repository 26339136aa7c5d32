extension Correspondence {
    /// Are the cells that have no counterpart yet, ascending.
    struct Unpaired {
        var source: [Int32] = []
        var target: [Int32] = []
    }

    /// Pairs what stands in the same order in a section and its counterpart, by comparing neighbours
    /// alone: most cells of most lists never need to be hashed.
    ///
    /// If no identifier occurs twice, two equal ones are a pair wherever they stand.
    mutating func pairNeighbours(_ lists: some Comparison) -> Unpaired {
        var unpaired = Unpaired()
        for section in trims.indices {
            if targetOfSection[section] == Self.none {
                unpaired.source.append(contentsOf: source.cells(of: section).lazy.map { Int32(truncatingIfNeeded: $0) })
            } else {
                trim(section, lists)
                pairNeighbours(in: section, lists, &unpaired)
            }
        }
        // The other side's sections were met in the source's order.
        if !isSorted(unpaired.target) { unpaired.target.sort() }
        for section in sourceOfSection.indices where sourceOfSection[section] == Self.none {
            unpaired.target.append(contentsOf: target.cells(of: section).lazy.map { Int32(truncatingIfNeeded: $0) })
        }
        return unpaired
    }

    private mutating func trim(_ section: Int, _ lists: some Comparison) {
        let old = source.cells(of: section)
        let new = target.cells(of: Int(targetOfSection[section]))
        let limit = min(old.count, new.count)
        let prefix = lists.commonPrefix(source: old.lowerBound, target: new.lowerBound, limit: limit)
        let suffix = lists.commonSuffix(source: old.upperBound, target: new.upperBound, limit: limit - prefix)
        trims[section] = Trim(prefix: prefix, suffix: suffix)
    }

    private mutating func pairNeighbours(in section: Int, _ lists: some Comparison, _ unpaired: inout Unpaired) {
        var old = untrimmedCells(ofSource: section)
        var new = untrimmedCells(ofTarget: Int(targetOfSection[section]))
        while !old.isEmpty && !new.isEmpty {
            let limit = min(old.count, new.count)
            let length = lists.commonPrefix(source: old.lowerBound, target: new.lowerBound, limit: limit)
            for offset in 0..<length { pairCell(source: old.lowerBound + offset, target: new.lowerBound + offset) }
            old = old.dropFirst(length)
            new = new.dropFirst(length)
            let gap = gap(old, new, lists)
            Self.drop(gap.old, of: &old, to: &unpaired.source)
            Self.drop(gap.new, of: &new, to: &unpaired.target)
        }
        Self.drop(old.count, of: &old, to: &unpaired.source)
        Self.drop(new.count, of: &new, to: &unpaired.target)
    }

    /// How many cells to leave out on each side until there is a pair again: the fewest within a
    /// short reach, or one of each.
    private func gap(_ old: Range<Int>, _ new: Range<Int>, _ lists: some Comparison) -> (old: Int, new: Int) {
        guard !old.isEmpty && !new.isEmpty else { return (0, 0) }
        let reach = 4
        for distance in 1...reach {
            let oldAhead = old.lowerBound + distance
            let newAhead = new.lowerBound + distance
            if oldAhead < old.upperBound, lists.isSameCell(source: oldAhead, target: new.lowerBound) { return (distance, 0) }
            guard newAhead < new.upperBound else { continue }
            if lists.isSameCell(source: old.lowerBound, target: newAhead) { return (0, distance) }
            if oldAhead < old.upperBound, lists.isSameCell(source: oldAhead, target: newAhead) { return (distance, distance) }
        }
        return (1, 1)
    }

    private func isSorted(_ cells: [Int32]) -> Bool {
        for index in cells.indices.dropFirst() where cells[index] < cells[index - 1] { return false }
        return true
    }

    private static func drop(_ count: Int, of cells: inout Range<Int>, to unpaired: inout [Int32]) {
        for cell in cells.prefix(count) { unpaired.append(Int32(truncatingIfNeeded: cell)) }
        cells = cells.dropFirst(count)
    }
}
