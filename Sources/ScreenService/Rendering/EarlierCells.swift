import ScreenDiff
import ScreenWire

/// The cells that a view showed before, found by their ids.
struct EarlierCells {
    let rendered: RenderedSnapshot
    /// For each slot the number of a cell and 1 more; 0 is a free one. Made when a cell is not where it is looked for first.
    private var slots: [UInt32] = []

    init(of rendered: RenderedSnapshot) {
        self.rendered = rendered
    }

    /// The numbers of the cells from a place on, to the end of its section; nil where there is none.
    func cells(from place: CellPlace) -> Range<Int>? {
        let sections = rendered.document.sections
        guard sections.indices.contains(place.section) else { return nil }
        let cells = sections[place.section].cells
        return place.item < cells.count ? cells.dropFirst(place.item) : nil
    }

    /// The hash of the id at a place; nil where there is none.
    func id(at place: CellPlace) -> UInt64? {
        cells(from: place).map { rendered.outline.cells[$0.lowerBound].id }
    }

    /// Where the cell of an id stood; nil where there was none.
    ///
    /// - Parameter place: where to look first, and just behind it.
    mutating func place(of id: UInt64, near place: CellPlace) -> CellPlace? {
        for place in [place, CellPlace(section: place.section, item: place.item + 1)] where self.id(at: place) == id {
            return place
        }
        if slots.isEmpty { fillSlots() }
        var slot = self.slot(of: id)
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if rendered.outline.cells[number].id == id { return self.place(ofCell: number) }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    private mutating func fillSlots() {
        let cells = rendered.outline.cells
        // A power of two, of which half are free at least.
        slots = Array(repeating: 0, count: 1 << (Int.bitWidth - (2 * cells.count).leadingZeroBitCount))
        for (number, cell) in cells.enumerated() {
            var slot = self.slot(of: cell.id)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(number + 1)
        }
    }

    private func slot(of id: UInt64) -> Int {
        Int(truncatingIfNeeded: id) & (slots.count - 1)
    }

    private func place(ofCell number: Int) -> CellPlace {
        let sections = rendered.document.sections
        var (low, high) = (0, sections.count)
        while low < high {
            let middle = (low + high) / 2
            if sections[middle].cells.upperBound <= number { low = middle + 1 } else { high = middle }
        }
        return CellPlace(section: low, item: number - sections[low].cells.lowerBound)
    }
}
