extension Correspondence {
    /// Notes which of some pairs show something else: neighbours, within a section on either side.
    @inlinable
    mutating func compareContents(
        of cells: Range<Int>, in section: Int, from start: Int, in counterpart: Int, _ lists: some Comparison
    ) {
        let distance = start - cells.lowerBound
        var rest = cells
        while !rest.isEmpty {
            let old = CellPlace(section: section, item: rest.lowerBound - source.offsets[section])
            let new = CellPlace(section: counterpart, item: rest.lowerBound + distance - target.offsets[counterpart])
            guard let change = lists.firstChange(source: old, target: new, count: rest.count) else { return }
            let cell = rest.lowerBound + change
            changedCells.append(Pair(source: cell, target: cell + distance))
            rest = cell + 1..<rest.upperBound
        }
    }

    /// Does the same for pairs that were found by their identifiers, of which these are the source's cells.
    @inlinable
    mutating func compareContents(of cells: [Int32], _ lists: some Comparison) {
        let noted = changedCells.count
        var section = 0
        for cell in cells.lazy.map(Int.init) where targetOfCell[cell] != Self.none {
            while source.offsets[section + 1] <= cell { section += 1 }
            let counterpart = Int(targetOfCell[cell])
            let home = target.section(of: counterpart)
            compareContents(of: cell..<cell + 1, in: section, from: counterpart, in: home, lists)
        }
        if noted > 0 && noted < changedCells.count { changedCells.sort { $0.source < $1.source } }
    }

    /// Does the same for the cells that were trimmed off the start of a section.
    @inlinable
    mutating func compareStart(of section: Int, _ lists: some Comparison) {
        let home = Int(targetOfSection[section])
        let start = source.offsets[section]
        let cells = start..<start + trims[section].prefix
        compareContents(of: cells, in: section, from: target.offsets[home], in: home, lists)
    }

    /// Does the same for the cells that were trimmed off its end.
    @inlinable
    mutating func compareEnd(of section: Int, _ lists: some Comparison) {
        let home = Int(targetOfSection[section])
        let (end, suffix) = (source.offsets[section + 1], trims[section].suffix)
        compareContents(of: end - suffix..<end, in: section, from: target.offsets[home + 1] - suffix, in: home, lists)
    }

    /// Notes which surviving sections show something else besides their cells.
    @inlinable
    mutating func compareViews(_ lists: some Comparison) {
        for section in sourceOfSection.indices where sourceOfSection[section] != Self.none {
            if !lists.areViewsEqual(source: Int(sourceOfSection[section]), target: section) { changedSections.append(section) }
        }
    }
}
