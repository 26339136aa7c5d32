import ScreenDiff
import ScreenModel
import ScreenWire

// Cells: what is known to equal what stood under the same id before is taken over, runs of them in one piece.
extension SnapshotWriter {
    /// - Parameter index: of the section.
    /// - Returns: the ids that cells got instead of theirs, by their items.
    mutating func writeCells<Cell: CellContent>(
        _ cells: [Cell], ofSectionAt index: Int, after earlierCells: (_ section: Int) -> [Cell]
    ) -> [Int: String] {
        var renamed: [Int: String] = [:]
        // Most often a section stands where it stood, and so does each cell, behind the one before it.
        var place = CellPlace(section: index, item: 0)
        var item = 0
        while item < cells.count {
            let copied = copy(cells, from: item, standingAt: place, earlierCells)
            item += copied
            place.item += copied
            guard item < cells.count else { break }
            let cell = cells[item]
            let id = cell.id
            let idHash = hash.hash(id)
            if let found = earlier?.place(of: idHash, near: place), found != place {
                place = found
                if cell.isKnownEqual(to: earlierCells(place.section)[place.item]) { continue }
            }
            if earlier?.id(at: place) == idHash { place.item += 1 }
            let written = write(cell, id, idHash)
            if written != id { renamed[item] = written }
            item += 1
        }
        return renamed
    }

    /// Takes over cells that stood one after the other, too, as many as there are.
    private mutating func copy<Cell: CellContent>(
        _ cells: [Cell], from item: Int, standingAt place: CellPlace, _ earlierCells: (_ section: Int) -> [Cell]
    ) -> Int {
        guard let earlier, let rest = earlier.cells(from: place) else { return 0 }
        let equal = Cell.countEqual(cells, from: item, earlierCells(place.section), from: place.item)
        var numbers = rest.prefix(equal)
        // A cell before them may have taken the id of one.
        if let taken = numbers.firstIndex(where: { !cellIDs.insert(earlier.rendered.outline.cells[$0].id) }) {
            numbers = numbers[..<taken]
        }
        guard !numbers.isEmpty else { return 0 }
        document.copyCells(numbers, of: earlier.rendered.document)
        outlineCells += earlier.rendered.outline.cells[numbers]
        return numbers.count
    }

    /// Writes a cell and gives the id that it got.
    private mutating func write(_ cell: some CellContent, _ id: String, _ idHash: UInt64) -> String {
        let (id, idHash) = cellIDs.unique(id, idHash, hash)
        let range = document.writeCell { [frame] json in
            json.write(raw: "{")
            json.field("id", id)
            cell.writeMembers(to: &json, in: frame)
            json.write(raw: "}")
        }
        outlineCells.append(Outline.Cell(id: idHash, content: fingerprint(range)))
        return id
    }
}
