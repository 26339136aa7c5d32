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
    /// Adds the survivors among some cells of one section of the source.
    ///
    /// - Parameter home: the section of the target that most of them are in; nil if there is none.
    func append(runsOf cells: Range<Int>, home: Int?, to runs: inout ContiguousArray<PairedRun>) {
        targetOfCell.withUnsafeBufferPointer { append(runsOf: cells, home: home, $0, to: &runs) }
    }

    @inline(__always)
    private func append(
        runsOf cells: Range<Int>, home: Int?, _ targets: UnsafeBufferPointer<Int32>, to runs: inout ContiguousArray<PairedRun>
    ) {
        let homeCells = home.map(target.cells) ?? 0..<0
        cells.forEachStretch { targets[$0] != targets[$0 &- 1] && targets[$0] != targets[$0 &- 1] &+ 1 } do: { stretch in
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
    }
}

extension ContiguousArray<Int32> {
    /// Visits the cells among some that have no counterpart, where these numbers are the counterparts.
    @inline(__always)
    func forEachRunWithoutCounterpart(in cells: Range<Int>, do body: (Range<Int>) -> Void) {
        withUnsafeBufferPointer { counterparts in
            cells.forEachStretch { (counterparts[$0] < 0) != (counterparts[$0 &- 1] < 0) } do: { stretch in
                if counterparts[stretch.lowerBound] < 0 { body(stretch) }
            }
        }
    }

    /// How many runs `forEachRunWithoutCounterpart` visits.
    func countRunsWithoutCounterpart(in cells: Range<Int>) -> Int {
        guard let first = cells.first else { return 0 }
        return withUnsafeBufferPointer { counterparts in
            var count: UInt32 = counterparts[first] < 0 ? 1 : 0
            var cell = first + 1
            while cell < cells.upperBound {
                // The sign bit says that there is none: many at once are counted by it.
                count &+= UInt32(bitPattern: counterparts[cell] & ~counterparts[cell &- 1]) >> 31
                cell &+= 1
            }
            return Int(count)
        }
    }
}

extension Range<Int> {
    /// Cuts these numbers into stretches and visits each, in their order.
    ///
    /// - Parameter isFirst: whether a number begins another stretch than the one before it.
    @inline(__always)
    func forEachStretch(isFirst: (Int) -> Bool, do body: (Range<Int>) -> Void) {
        guard !isEmpty else { return }
        var start = lowerBound
        (lowerBound + 1..<upperBound).forEach(where: isFirst) { first in
            body(start..<first)
            start = first
        }
        body(start..<upperBound)
    }

    /// Visits those of these numbers that satisfy a condition, in their order.
    ///
    /// Which these are is noted without a branch, a block at a time: in a list that was much edited it
    /// is anyone's guess, and a processor that guesses wrong loses more than the noting costs. In one that was little
    /// edited most blocks have none. To count is a loop that the compiler makes of vectors, so they cost next to nothing.
    @inline(__always)
    func forEach(where condition: (Int) -> Bool, do body: (Int) -> Void) {
        // On the stack, as an `InlineArray` would be, which older systems of Apple's do not have.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { noted in
            var block = lowerBound
            while block < upperBound {
                let size = Swift.min(noted.count, upperBound - block)
                var count: Int32 = 0
                var offset = 0
                while offset < size {
                    count &+= condition(block &+ offset) ? 1 : 0
                    offset &+= 1
                }
                if count > 0 {
                    var next = 0
                    offset = 0
                    while offset < size {
                        noted[next] = UInt8(truncatingIfNeeded: offset)
                        next &+= condition(block &+ offset) ? 1 : 0
                        offset &+= 1
                    }
                    for index in 0..<next { body(block &+ Int(noted[index])) }
                }
                block += size
            }
        }
    }
}
