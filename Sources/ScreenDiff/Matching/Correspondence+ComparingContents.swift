extension ComparedLists {
    /// Compares `cells` with their counterparts, and appends each pair with different contents to `changedCells`. The counterparts are
    /// neighbours in one section of the target: in the section `counterpart`, beginning with the cell `start`.
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
    /// Records the pairs with different contents among the given cells of the source. Cells without a counterpart are skipped.
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
            // Pairs that are neighbours in both lists are compared together.
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

    @inlinable
    mutating func compareStart(of section: Int, _ lists: some ComparedLists) {
        let home = Int(targetOfSection[section])
        let start = source.offsets[section]
        let cells = start..<start + trims[section].prefix
        lists.noteChanges(of: cells, in: section, from: target.offsets[home], in: home, &changedCells)
    }

    @inlinable
    mutating func compareEnd(of section: Int, _ lists: some ComparedLists) {
        let home = Int(targetOfSection[section])
        let (end, suffix) = (source.offsets[section + 1], trims[section].suffix)
        let start = target.offsets[home + 1] - suffix
        lists.noteChanges(of: end - suffix..<end, in: section, from: start, in: home, &changedCells)
    }

    @inlinable
    mutating func compareViews(_ lists: some ComparedLists) {
        for section in sourceOfSection.indices where sourceOfSection[section] != Self.none {
            if !lists.areViewsEqual(source: Int(sourceOfSection[section]), target: section) { changedSections.append(section) }
        }
    }
}
