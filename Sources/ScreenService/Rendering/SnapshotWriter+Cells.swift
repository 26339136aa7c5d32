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
            let written = write(cell, id, idHash, at: earlier?.id(at: place) == idHash ? place : nil)
            if written != id { renamed[item] = written }
            if earlier?.id(at: place) == idHash { place.item += 1 }
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
        guard equal > 0 else { return 0 }
        var numbers = rest.prefix(equal)
        if !isBehindAllTaken(numbers.lowerBound) {
            fillCellIDs()
            // A cell before them may have taken the id of one.
            numbers = numbers.prefix { cellIDs!.insert(earlier.rendered.outline.cells[$0].id) }
        }
        guard let last = numbers.last else { return 0 }
        lastTaken = last
        document.copyCells(numbers, of: earlier.rendered.document)
        outlineCells += earlier.rendered.outline.cells[numbers]
        return numbers.count
    }

    /// Writes a cell and gives the id that it got.
    ///
    /// - Parameter place: where a cell of that id stood; nil where there was none.
    private mutating func write(_ cell: some CellContent, _ id: String, _ idHash: UInt64, at place: CellPlace?) -> String {
        var (id, idHash) = (id, idHash)
        if let number = place.flatMap({ earlier?.cells(from: $0)?.lowerBound }), isBehindAllTaken(number) {
            lastTaken = number
        } else {
            fillCellIDs()
            (id, idHash) = cellIDs!.unique(id, idHash, hash)
        }
        let range = document.writeCell { [frame] json in
            json.write(raw: "{")
            json.field("id", id)
            cell.writeMembers(to: &json, in: frame)
            json.write(raw: "}")
        }
        outlineCells.append(Outline.Cell(id: idHash, content: fingerprint(range)))
        return id
    }

    /// Whether no cell can have the id of an earlier one: all until now had those of earlier ones before it. Then
    /// nobody needs to remember ids, of which there may be a hundred thousand.
    private func isBehindAllTaken(_ number: Int) -> Bool {
        cellIDs == nil && number > lastTaken
    }

    private mutating func fillCellIDs() {
        guard cellIDs == nil else { return }
        var ids = UniqueIDs(expectedCount: max(outlineCells.count, earlier?.rendered.outline.cells.count ?? 0))
        for cell in outlineCells { _ = ids.insert(cell.id) }
        cellIDs = ids
    }
}
