extension Correspondence {
    /// The survivors among some cells of one section of the source.
    ///
    /// - Parameter home: the section of the target that most of them are in; nil if there is none.
    func runs(of cells: Range<Int>, home: Int?) -> [PairedRun] {
        let targets = targetOfCell.span
        let homeCells = home.map(target.cells) ?? 0..<0
        var runs: [PairedRun] = []
        var cell = cells.lowerBound
        while cell < cells.upperBound {
            let counterpart = Int(targets[cell])
            guard counterpart != Self.none else {
                cell += 1
                continue
            }
            let section = if let home, homeCells.contains(counterpart) { home } else { target.section(of: counterpart) }
            let limit = min(cells.upperBound - cell, target.offsets[section + 1] - counterpart)
            var count = 1
            while count < limit, targets[cell + count] == counterpart + count { count += 1 }
            runs.append(PairedRun(
                source: Int32(truncatingIfNeeded: cell), target: Int32(truncatingIfNeeded: counterpart),
                count: Int32(truncatingIfNeeded: count), targetSection: Int32(truncatingIfNeeded: section)
            ))
            cell += count
        }
        return runs
    }

    /// The cells without a counterpart among some of the target.
    func newcomers(in cells: Range<Int>) -> [Range<Int>] {
        let sources = sourceOfCell.span
        var runs: [Range<Int>] = []
        var cell = cells.lowerBound
        while cell < cells.upperBound {
            let start = cell
            while cell < cells.upperBound, sources[cell] == Self.none { cell += 1 }
            if start < cell { runs.append(start..<cell) }
            cell += 1
        }
        return runs
    }
}
