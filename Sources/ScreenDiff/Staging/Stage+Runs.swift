// Cells come one after another, ascending; those that are neighbours become runs.
extension Stage {
    mutating func delete(_ place: CellPlace) {
        if let last = deleteCells.last, last.isContinued(by: place) {
            deleteCells[deleteCells.count - 1].count += 1
        } else {
            deleteCells.append(CellRun(place: place, count: 1))
        }
    }

    mutating func insert(_ place: CellPlace, of targetSection: Int) {
        if let last = insertCells.last, last.run.isContinued(by: place) {
            insertCells[insertCells.count - 1].run.count += 1
        } else {
            insertCells.append(CellInsert(run: CellRun(place: place, count: 1), targetSection: targetSection))
        }
    }

    /// They must be neighbours on both sides.
    mutating func move(from source: CellPlace, to destination: CellPlace) {
        if let last = moveCells.last, last.isContinued(by: source, destination) {
            moveCells[moveCells.count - 1].count += 1
        } else {
            moveCells.append(CellMove(source: source, destination: destination, count: 1))
        }
    }
}

extension CellRun {
    fileprivate func isContinued(by next: CellPlace) -> Bool {
        next.section == place.section && next.item == place.item + count
    }
}

extension CellMove {
    fileprivate func isContinued(by source: CellPlace, _ destination: CellPlace) -> Bool {
        CellRun(place: self.source, count: count).isContinued(by: source)
            && CellRun(place: self.destination, count: count).isContinued(by: destination)
    }
}
