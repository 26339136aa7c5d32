import ScreenDiff

/// The rows of a list view without sections, such as `NSTableView`. The rows of a section are its header, its cells and its footer.
struct FlatRows: RandomAccessCollection {
    enum Row {
        case view(ListModel.View, ViewRole)
        case cell(ListModel.Cell)
    }

    let sections: ListModel.Sections
    /// The index of the first row of each section, and the number of all rows.
    private let starts: [Int]

    init(_ sections: ListModel.Sections = ListModel.Sections()) {
        self.sections = sections
        starts = sections.reduce(into: [0]) { $0.append($0.last! + $1.rowCount) }
    }

    var startIndex: Int { 0 }
    var endIndex: Int { starts.last! }

    subscript(index: Int) -> Row {
        let section = self.section(of: index)
        let (shown, item) = (sections[section], index - rows(of: section).lowerBound)
        if item == 0, let header = shown.header { return .view(header, .header) }
        if let footer = shown.footer, item == shown.rowCount - 1 { return .view(footer, .footer) }
        return .cell(shown.cells[item - shown.firstCell])
    }

    /// Returns the rows of a section.
    func rows(of section: Int) -> Range<Int> { starts[section]..<starts[section + 1] }

    /// Returns the rows of a run of cells.
    func rows(of run: CellRun) -> Range<Int> {
        let start = row(of: run.place)
        return start..<start + run.count
    }

    /// Returns the row of the cell at a place.
    func row(of place: CellPlace) -> Int { starts[place.section] + sections[place.section].firstCell + place.item }

    /// Returns the place of the cell in a row, or `nil` if the row shows a header or a footer.
    func place(of row: Int) -> CellPlace? {
        guard case .cell = self[row] else { return nil }
        let section = section(of: row)
        return CellPlace(section: section, item: row - starts[section] - sections[section].firstCell)
    }

    private func section(of row: Int) -> Int {
        var (low, high) = (0, starts.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= row { low = middle } else { high = middle }
        }
        return low
    }
}

extension ListModel.Section {
    /// The index of the first cell among the rows of the section.
    fileprivate var firstCell: Int { header == nil ? 0 : 1 }
    fileprivate var rowCount: Int { firstCell + cells.count + (footer == nil ? 0 : 1) }
}

extension ListUpdate {
    /// Returns the changeset for a list view without sections. The stages of the server are converted, so no lists are compared.
    ///
    /// - Parameter rows: The rows before the change.
    func flattened(from rows: FlatRows) -> StagedChangeset<FlatRows> {
        guard case .stages(let steps) = kind else { return [Changeset(data: FlatRows(model.sections))] }
        var before = rows
        let changesets = steps.flatMap { step in
            let after = FlatRows(step.model.sections)
            defer { before = after }
            return step.stage.flattened(from: before, to: after)
        }
        // A change of supplementary views changes no row, but the new data must be set.
        return changesets.isEmpty ? [Changeset(data: FlatRows(model.sections))] : StagedChangeset(changesets)
    }
}

extension Stage {
    /// Converts the stage to changesets of rows. The updates form a separate changeset, which is performed after all other changes.
    fileprivate func flattened(from before: FlatRows, to after: FlatRows) -> [Changeset<FlatRows>] {
        var deleted = deleteCells.flatMap(before.rows(of:)) + deleteSections.flatMap(before.rows(of:))
        var inserted = insertCells.flatMap { after.rows(of: $0.run) } + insertSections.flatMap { after.rows(of: $0.place) }
        var updated = updateCells.map { after.row(of: $0.place) }
        for section in updateSections {
            let (old, new) = (before.sections[section], after.sections[section])
            let views = [
                (old.header, new.header, before.rows(of: section).first, after.rows(of: section).first),
                (old.footer, new.footer, before.rows(of: section).last, after.rows(of: section).last),
            ]
            for (old, new, place, target) in views {
                switch (old, new) {
                case (nil, nil): break
                case (nil, _): inserted.append(target!)
                case (_, nil): deleted.append(place!)
                case (_, _): updated.append(target!)
                }
            }
        }
        let cellMoves = moveCells.flatMap { move in
            zip(
                before.rows(of: CellRun(place: move.source, count: move.count)),
                after.rows(of: CellRun(place: move.destination, count: move.count)))
        }
        let moved = cellMoves + moveSections.flatMap { zip(before.rows(of: $0.source), after.rows(of: $0.destination)) }
        func path(_ row: Int) -> ElementPath { ElementPath(element: row, section: 0) }
        let changes = Changeset(
            data: after, elementDeleted: deleted.map(path), elementInserted: inserted.map(path),
            elementMoved: moved.map { (source: path($0.0), target: path($0.1)) })
        return [changes, Changeset(data: after, elementUpdated: updated.map(path))].filter(\.hasChanges)
    }
}
