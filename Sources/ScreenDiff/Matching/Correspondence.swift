/// Says which cells and sections of the source are which of the target.
///
/// Matching makes it, from identifiers of any type; staging turns it into stages and needs nothing
/// else. Cells are numbered through all sections. `none` stands for "has no counterpart".
struct Correspondence {
    static let none: Int32 = -1

    let source: Shape
    let target: Shape
    /// For each section of one side, its counterpart on the other.
    var targetOfSection: [Int32]
    var sourceOfSection: [Int32]
    /// For each section of the source that survives, how many cells at its start and end are the
    /// same cells in the same order in its counterpart. They stay where they are, and are not in the
    /// two lists below.
    var trims: [Trim]
    /// For each cell outside the trims, its counterpart on the other side.
    var targetOfCell: [Int32]
    var sourceOfCell: [Int32]
    /// The pairs of cells whose contents differ, in the source's order.
    var changedCells: [Pair] = []
    /// The surviving sections, as places in the target, whose views differ, ascending.
    var changedSections: [Int] = []

    struct Trim {
        var prefix = 0
        var suffix = 0
    }

    struct Pair {
        var source: Int
        var target: Int
    }

    /// Finds what became of each cell and section.
    init(_ lists: some Comparison) {
        source = lists.source
        target = lists.target
        targetOfSection = Array(repeating: Self.none, count: source.sectionCount)
        sourceOfSection = Array(repeating: Self.none, count: target.sectionCount)
        targetOfCell = Array(repeating: Self.none, count: source.cellCount)
        sourceOfCell = Array(repeating: Self.none, count: target.cellCount)
        trims = Array(repeating: Trim(), count: source.sectionCount)
        pairSections(lists)
        pairCells(lists)
        compareContents(lists)
    }

    mutating func pairCell(source: Int, target: Int) {
        targetOfCell[source] = Int32(truncatingIfNeeded: target)
        sourceOfCell[target] = Int32(truncatingIfNeeded: source)
    }

    func untrimmedCells(ofSource section: Int) -> Range<Int> {
        let cells = source.cells(of: section)
        return cells.lowerBound + trims[section].prefix..<cells.upperBound - trims[section].suffix
    }

    func untrimmedCells(ofTarget section: Int) -> Range<Int> {
        let cells = target.cells(of: section)
        guard sourceOfSection[section] != Self.none else { return cells }
        let trim = trims[Int(sourceOfSection[section])]
        return cells.lowerBound + trim.prefix..<cells.upperBound - trim.suffix
    }

    private mutating func pairSections(_ lists: some Comparison) {
        var table = IdentityTable(capacity: source.sectionCount, positionCount: source.sectionCount)
        for section in targetOfSection.indices.reversed() {
            table.insert(section, hash: lists.sectionHash(source: section)) {
                lists.isSameSection(source: section, source: $0)
            }
        }
        for section in sourceOfSection.indices {
            let found = table.take(hash: lists.sectionHash(target: section)) {
                lists.isSameSection(source: $0, target: section)
            }
            guard let found else { continue }
            targetOfSection[found] = Int32(truncatingIfNeeded: section)
            sourceOfSection[section] = Int32(truncatingIfNeeded: found)
        }
    }
}

/// Says how many cells each section of one side has.
struct Shape {
    /// Where each section's cells begin among all cells; one entry more than there are sections.
    let offsets: [Int]

    var sectionCount: Int { offsets.count - 1 }
    var cellCount: Int { offsets[offsets.count - 1] }

    init(cellCounts: some Sequence<Int>) {
        var offsets = [0]
        var total = 0
        for count in cellCounts {
            total += count
            offsets.append(total)
        }
        self.offsets = offsets
    }

    func cells(of section: Int) -> Range<Int> {
        offsets[section]..<offsets[section + 1]
    }

    /// The section that a cell is in: the last that begins at it or before, which is never an empty
    /// one, since the next section begins there too.
    func section(of cell: Int) -> Int {
        var low = 0
        var high = sectionCount
        while high - low > 1 {
            let middle = (low + high) / 2
            if offsets[middle] <= cell { low = middle } else { high = middle }
        }
        return low
    }

    func place(of cell: Int) -> CellPlace {
        let section = section(of: cell)
        return CellPlace(section: section, item: cell - offsets[section])
    }
}
