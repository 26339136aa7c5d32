/// Cells that are neighbours in one section on either side, in the same order.
///
/// Such cells stay together and move together, so that nothing after matching looks at each of them.
struct PairedRun {
    /// The first cell's number on either side.
    var source: Int32
    var target: Int32
    var count: Int32
    /// The section of the target that they are in.
    var targetSection: Int32

    var cells: Range<Int> { Int(source)..<Int(source + count) }
    var lastTarget: Int32 { target + count - 1 }
}

extension Correspondence {
    /// The survivors among some cells of one section of the source.
    ///
    /// - Parameter home: the section of the target that most of them are in; nil if there is none.
    func runs(of cells: Range<Int>, home: Int?) -> [PairedRun] {
        let targets = targetOfCell.span
        let homeCells = home.map(target.cells) ?? 0..<0
        var runs: [PairedRun] = []
        runs.reserveCapacity(min(cells.count, 64))
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

extension Range<Int> {
    /// Cuts these numbers into stretches and visits each, in their order.
    ///
    /// Where they are cut is noted without a branch, a block at a time: in a list that was much edited it
    /// is anyone's guess, and a processor that guesses wrong loses more than the noting costs.
    ///
    /// - Parameter isFirst: whether a number begins another stretch than the one before it.
    @inline(__always)
    func forEachStretch(isFirst: (Int) -> Bool, do body: (Range<Int>) -> Void) {
        guard !isEmpty else { return }
        var start = lowerBound
        // On the stack, as an `InlineArray` would be, which older systems of Apple's do not have.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { firsts in
            var block = lowerBound + 1
            while block < upperBound {
                let size = Swift.min(firsts.count, upperBound - block)
                var count = 0
                for offset in 0..<size {
                    firsts[count] = UInt8(truncatingIfNeeded: offset)
                    count += isFirst(block + offset) ? 1 : 0
                }
                for index in 0..<count {
                    let first = block + Int(firsts[index])
                    body(start..<first)
                    start = first
                }
                block += size
            }
        }
        body(start..<upperBound)
    }
}
