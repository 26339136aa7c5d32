extension ComparedLists {
    /// Notes which of some pairs show something else: neighbours, within a section on either side.
    @inlinable
    func noteChanges(
        of cells: Range<Int>, in section: Int, from start: Int, in counterpart: Int,
        _ changedCells: inout [Correspondence.Pair]
    ) {
        let distance = start - cells.lowerBound
        var rest = cells
        while !rest.isEmpty {
            let old = CellPlace(section: section, item: rest.lowerBound - source.offsets[section])
            let new = CellPlace(section: counterpart, item: rest.lowerBound + distance - target.offsets[counterpart])
            guard let change = firstChange(source: old, target: new, count: rest.count) else { return }
            let cell = rest.lowerBound + change
            changedCells.append(Correspondence.Pair(source: cell, target: cell + distance))
            rest = cell + 1..<rest.upperBound
        }
    }
}

extension Correspondence {
    /// Notes them among pairs that were found by their identifiers, of which these are the source's cells.
    @inlinable
    mutating func compareContents(of cells: [Int32], _ lists: some ComparedLists) {
        let noted = changedCells.count
        var section = 0
        var next = 0
        while next < cells.count {
            let cell = Int(cells[next])
            let counterpart = Int(targetOfCell[cell])
            next += 1
            guard targetOfCell[cell] != Self.none else { continue }
            while source.offsets[section + 1] <= cell { section += 1 }
            let home = target.section(of: counterpart)
            let limit = min(source.offsets[section + 1] - cell, target.offsets[home + 1] - counterpart)
            // Neighbours on both sides are compared at one go.
            var count = 1
            while count < limit, next < cells.count, Int(cells[next]) == cell + count,
                Int(targetOfCell[cell + count]) == counterpart + count
            {
                count += 1
                next += 1
            }
            lists.noteChanges(of: cell..<cell + count, in: section, from: counterpart, in: home, &changedCells)
        }
        if noted > 0 && noted < changedCells.count { changedCells.sort { $0.source < $1.source } }
    }

    /// Notes them among the cells that were trimmed off the start of a section.
    @inlinable
    mutating func compareStart(of section: Int, _ lists: some ComparedLists) {
        let home = Int(targetOfSection[section])
        let start = source.offsets[section]
        let cells = start..<start + trims[section].prefix
        lists.noteChanges(of: cells, in: section, from: target.offsets[home], in: home, &changedCells)
    }

    /// Notes them among the cells that were trimmed off its end.
    @inlinable
    mutating func compareEnd(of section: Int, _ lists: some ComparedLists) {
        let home = Int(targetOfSection[section])
        let (end, suffix) = (source.offsets[section + 1], trims[section].suffix)
        let start = target.offsets[home + 1] - suffix
        lists.noteChanges(of: end - suffix..<end, in: section, from: start, in: home, &changedCells)
    }

    /// Notes which surviving sections show something else besides their cells.
    @inlinable
    mutating func compareViews(_ lists: some ComparedLists) {
        for section in sourceOfSection.indices where sourceOfSection[section] != Self.none {
            if !lists.areViewsEqual(source: Int(sourceOfSection[section]), target: section) { changedSections.append(section) }
        }
    }
}
