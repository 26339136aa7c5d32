extension Correspondence {
    /// The survivors among some cells of one section of the source.
    ///
    /// - Parameter home: the section of the target that most of them are in; nil if there is none.
    func runs(of cells: Range<Int>, home: Int?) -> [PairedRun] {
        let targets = targetOfCell.span
        let homeCells = home.map(target.cells) ?? 0..<0
        var runs: [PairedRun] = []
        cells.forEachStretch { targets[$0] != targets[$0 - 1] && targets[$0] != targets[$0 - 1] &+ 1 } do: { stretch in
            guard targets[stretch.lowerBound] != Self.none else { return }
            // Neighbours in the target may be so across sections.
            var cell = stretch.lowerBound
            while cell < stretch.upperBound {
                let counterpart = Int(targets[cell])
                let section = if let home, homeCells.contains(counterpart) { home } else { target.section(of: counterpart) }
                let count = min(stretch.upperBound - cell, target.offsets[section + 1] - counterpart)
                runs.append(PairedRun(
                    source: Int32(truncatingIfNeeded: cell), target: Int32(truncatingIfNeeded: counterpart),
                    count: Int32(truncatingIfNeeded: count), targetSection: Int32(truncatingIfNeeded: section)
                ))
                cell += count
            }
        }
        return runs
    }

    /// The cells without a counterpart among some of the target.
    func newcomers(in cells: Range<Int>) -> [Range<Int>] {
        let sources = sourceOfCell.span
        var runs: [Range<Int>] = []
        cells.forEachStretch { (sources[$0] == Self.none) != (sources[$0 - 1] == Self.none) } do: { stretch in
            if sources[stretch.lowerBound] == Self.none { runs.append(stretch) }
        }
        return runs
    }
}
