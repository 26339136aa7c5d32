/// Says how many cells each section of one side has.
@usableFromInline
struct Shape {
    /// Where each section's cells begin among all cells; one entry more than there are sections.
    @usableFromInline let offsets: [Int]

    @inlinable var sectionCount: Int { offsets.count - 1 }
    @inlinable var cellCount: Int { offsets[offsets.count - 1] }

    @inlinable
    init(cellCounts: some Sequence<Int>) {
        var offsets = [0]
        var total = 0
        for count in cellCounts {
            total += count
            offsets.append(total)
        }
        self.offsets = offsets
    }

    @inlinable
    func cells(of section: Int) -> Range<Int> {
        offsets[section]..<offsets[section + 1]
    }

    /// The section that a cell is in: the last that begins at it or before, which is never an empty
    /// one, since the next section begins there too.
    @inlinable
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

    func number(of place: CellPlace) -> Int {
        offsets[place.section] + place.item
    }
}
