import ScreenDiff
import ScreenWire

/// The cells of the previous snapshot of a view, which are found by the hashes of their ids.
struct EarlierCells {
    let rendered: RenderedSnapshot
    /// An open hash table, which is filled when it is first needed. A slot contains the index of a cell plus 1, or 0 if it is free.
    private var slots: [UInt32] = []

    init(of rendered: RenderedSnapshot) {
        self.rendered = rendered
    }

    /// Returns the indices of the cells from a place to the end of its section, or `nil` if there is no such place.
    func cells(from place: CellPlace) -> Range<Int>? {
        let sections = rendered.document.sections
        guard sections.indices.contains(place.section) else { return nil }
        let cells = sections[place.section].cells
        return place.item < cells.count ? cells.dropFirst(place.item) : nil
    }

    /// Returns the hash of the id of the cell at a place, or `nil` if there is no such place.
    func id(at place: CellPlace) -> UInt64? {
        cells(from: place).map { rendered.outline.cells[$0.lowerBound].id }
    }

    /// Returns the place of the cell whose id has the hash `id`. The expected place `place` and the place after it are checked first.
    mutating func place(of id: UInt64, near place: CellPlace) -> CellPlace? {
        for place in [place, CellPlace(section: place.section, item: place.item + 1)] where self.id(at: place) == id {
            return place
        }
        if slots.isEmpty { fillSlots() }
        var slot = self.slot(of: id)
        while slots[slot] != 0 {
            let index = Int(slots[slot]) - 1
            if rendered.outline.cells[index].id == id { return self.place(ofCell: index) }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    private mutating func fillSlots() {
        let cells = rendered.outline.cells
        // The number of slots is a power of two. At least half of them stay free.
        slots = Array(repeating: 0, count: 1 << (Int.bitWidth - (2 * cells.count).leadingZeroBitCount))
        for (index, cell) in cells.enumerated() {
            var slot = self.slot(of: cell.id)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(index + 1)
        }
    }

    private func slot(of id: UInt64) -> Int {
        Int(truncatingIfNeeded: id) & (slots.count - 1)
    }

    private func place(ofCell index: Int) -> CellPlace {
        let sections = rendered.document.sections
        var (low, high) = (0, sections.count)
        while low < high {
            let middle = (low + high) / 2
            if sections[middle].cells.upperBound <= index { low = middle + 1 } else { high = middle }
        }
        return CellPlace(section: low, item: index - sections[low].cells.lowerBound)
    }
}
