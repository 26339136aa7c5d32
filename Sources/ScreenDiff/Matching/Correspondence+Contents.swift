extension Correspondence {
    /// Notes which pairs show something else.
    mutating func compareContents(_ lists: some Comparison) {
        for section in trims.indices {
            let cells = source.cells(of: section)
            let untrimmed = untrimmedCells(ofSource: section)
            if targetOfSection[section] == Self.none {
                comparePaired(untrimmed, lists)
                continue
            }
            let new = target.cells(of: Int(targetOfSection[section]))
            compare(cells.lowerBound..<untrimmed.lowerBound, from: new.lowerBound, lists)
            comparePaired(untrimmed, lists)
            compare(untrimmed.upperBound..<cells.upperBound, from: new.upperBound - trims[section].suffix, lists)
        }
        for section in sourceOfSection.indices where sourceOfSection[section] != Self.none {
            if !lists.areViewsEqual(source: Int(sourceOfSection[section]), target: section) { changedSections.append(section) }
        }
    }

    private mutating func compare(_ cells: Range<Int>, from start: Int, _ lists: some Comparison) {
        let distance = start - cells.lowerBound
        var rest = cells
        while let change = lists.firstChange(source: rest.lowerBound, target: rest.lowerBound + distance, count: rest.count) {
            let cell = rest.lowerBound + change
            changedCells.append(Pair(source: cell, target: cell + distance))
            rest = cell + 1..<rest.upperBound
        }
    }

    /// Compares run by run: neighbours are mostly paired with neighbours.
    private mutating func comparePaired(_ cells: Range<Int>, _ lists: some Comparison) {
        var cell = cells.lowerBound
        while cell < cells.upperBound {
            let counterpart = targetOfCell[cell]
            var end = cell + 1
            if counterpart != Self.none {
                while end < cells.upperBound, Int(targetOfCell[end]) == Int(counterpart) + end - cell { end += 1 }
                compare(cell..<end, from: Int(counterpart), lists)
            }
            cell = end
        }
    }
}
