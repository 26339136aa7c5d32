/// A run of cells that are neighbours in one section of the source, and also in one section of the target, in the same order.
///
/// The cells of a run stay together or move together, so staging handles the run as a whole.
struct PairedRun {
    /// The number of the first cell in the source. Cells are numbered consecutively across all sections.
    var source: Int32
    var target: Int32
    var count: Int32
    var targetSection: Int32

    var cells: Range<Int> { Int(source)..<Int(source + count) }
    var lastTarget: Int32 { target + count - 1 }
}

extension Correspondence {
    /// Divides cells of one section of the source into runs, and appends the runs to `runs`. Cells without a counterpart are left out.
    ///
    /// - Parameter home: the counterpart of the section in the target. It contains the counterparts of most cells.
    func append(runsOf cells: Range<Int>, home: Int?, to runs: inout ContiguousArray<PairedRun>) {
        targetOfCell.withUnsafeBufferPointer { append(runsOf: cells, home: home, $0, to: &runs) }
    }

    @inline(__always)
    private func append(
        runsOf cells: Range<Int>, home: Int?, _ targets: UnsafeBufferPointer<Int32>, to runs: inout ContiguousArray<PairedRun>
    ) {
        let homeCells = home.map(target.cells) ?? 0..<0
        cells.forEachStretch {
            targets[$0] != targets[$0 &- 1] && targets[$0] != targets[$0 &- 1] &+ 1
        } do: { stretch in
            guard targets[stretch.lowerBound] != Self.none else { return }
            // Cells with consecutive numbers can be in different sections of the target. A run ends where a section of the target ends.
            var cell = stretch.lowerBound
            while cell < stretch.upperBound {
                let counterpart = Int(targets[cell])
                let section = if let home, homeCells.contains(counterpart) { home } else { target.section(of: counterpart) }
                let count = min(stretch.upperBound - cell, target.offsets[section + 1] - counterpart)
                runs.append(
                    PairedRun(
                        source: Int32(truncatingIfNeeded: cell), target: Int32(truncatingIfNeeded: counterpart),
                        count: Int32(truncatingIfNeeded: count), targetSection: Int32(truncatingIfNeeded: section)
                    ))
                cell += count
            }
        }
    }
}

extension ContiguousArray<Int32> {
    /// Calls `body` for each run of cells without a counterpart. This array contains the counterpart of each cell, or a negative number if
    /// there is none.
    @inline(__always)
    func forEachRunWithoutCounterpart(in cells: Range<Int>, do body: (Range<Int>) -> Void) {
        withUnsafeBufferPointer { counterparts in
            cells.forEachStretch {
                (counterparts[$0] < 0) != (counterparts[$0 &- 1] < 0)
            } do: { stretch in
                if counterparts[stretch.lowerBound] < 0 { body(stretch) }
            }
        }
    }

    func countRunsWithoutCounterpart(in cells: Range<Int>) -> Int {
        guard let first = cells.first else { return 0 }
        return withUnsafeBufferPointer { counterparts in
            var count: UInt32 = counterparts[first] < 0 ? 1 : 0
            var cell = first + 1
            while cell < cells.upperBound {
                // A run begins at a negative number after a number that is not negative. The sign bits of these numbers are counted without
                // a branch, so that the compiler can use vectors.
                count &+= UInt32(bitPattern: counterparts[cell] & ~counterparts[cell &- 1]) >> 31
                cell &+= 1
            }
            return Int(count)
        }
    }
}

extension Range<Int> {
    /// Calls `body` for each stretch of the range. A number begins a new stretch if `isFirst` returns true for it.
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

    /// Calls `body` for each number in the range that satisfies a condition, in order.
    ///
    /// The range is examined block by block. A vectorised count finds blocks without such numbers, which are most blocks of a lightly
    /// edited list. In all other blocks, the numbers are collected without a branch, which would often be mispredicted.
    @inline(__always)
    func forEach(where condition: (Int) -> Bool, do body: (Int) -> Void) {
        // A stack allocation is used, because older Apple systems have no `InlineArray`.
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
