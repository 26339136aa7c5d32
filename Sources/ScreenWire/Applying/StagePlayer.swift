import ScreenDiff

/// Plays stages on a list in sections, one after the other, and finds where they do not fit it.
struct StagePlayer {
    private(set) var sections: [SnapshotTree.Section]
    private(set) var faults: [DocumentFault] = []
    private(set) var cellTurnover = Turnover()
    private(set) var sectionTurnover = Turnover()

    init(_ sections: [SnapshotTree.Section]) {
        self.sections = sections
    }

    /// Plays a stage. With faults, ``sections`` are of no use.
    mutating func play(_ stage: ChangesetTree.Stage, at pointer: JSONPointer) {
        switch stage {
        case .updateCells(let updates): update(updates, pointer.appending("updateCells"))
        case .insertSections(let inserts): insert(inserts, pointer.appending("insertSections"))
        case .changeCells(let changes): change(changes, pointer)
        case .changeSections(let changes): change(changes, pointer)
        case .updateSections(let updates): update(updates, pointer.appending("updateSections"))
        }
    }

    private mutating func fault(_ cause: DocumentFault.Cause, at pointer: JSONPointer) {
        faults.append(DocumentFault(pointer: pointer, cause: cause))
    }

    /// The protocol lists some operations from front to back. That none is named twice is for the edit to find.
    private mutating func checkOrder<Place>(_ places: [Place], _ pointer: JSONPointer, by precedes: (Place, Place) -> Bool) {
        for (index, pair) in zip(places, places.dropFirst()).enumerated() where precedes(pair.1, pair.0) {
            fault(.notAscending, at: pointer.appending(.index(index + 1)))
        }
    }
}

// Cells.
extension StagePlayer {
    private mutating func update(_ updates: [ChangesetTree.CellUpdate], _ pointer: JSONPointer) {
        var edits = CellEdits(sections)
        for (index, update) in updates.enumerated() {
            let pointer = pointer.appending(.index(index))
            guard let old = edits.replace(update.place, at: pointer, with: update.cell) else { continue }
            if ExactText(old.id) != ExactText(update.cell.id) {
                fault(.otherCell(held: old.id, named: update.cell.id), at: pointer.appending("cell", "id"))
            } else if update.cell.isContentEqual(to: old) {
                fault(.changesNothing, at: pointer)
            }
        }
        finish(&edits)
    }

    private mutating func change(_ changes: ChangesetTree.CellChanges, _ stage: JSONPointer) {
        var edits = CellEdits(sections)
        checkOrder(changes.deletes.map(\.place), stage.appending("deleteCells"), by: Self.precedes)
        for (index, run) in changes.deletes.enumerated() {
            let cells = edits.take(run.place, run.count, at: stage.appending("deleteCells", .index(index)))
            for cell in cells { cellTurnover.delete(cell.id) }
        }
        checkOrder(changes.inserts.map(\.place), stage.appending("insertCells"), by: Self.precedes)
        for (index, insert) in changes.inserts.enumerated() {
            let pointer = stage.appending("insertCells", .index(index))
            note(insert.cells, at: pointer.appending("cells"))
            edits.put(insert.cells[...], at: insert.place, pointer)
        }
        for (index, move) in changes.moves.enumerated() {
            let pointer = stage.appending("moveCells", .index(index))
            edits.put(edits.take(move.source, move.count, at: pointer), at: move.destination, pointer)
        }
        finish(&edits)
    }

    private mutating func finish(_ edits: inout CellEdits) {
        sections = edits.finish()
        faults += edits.faults
    }

    private mutating func note(_ cells: [SnapshotTree.Cell], at pointer: JSONPointer) {
        for (index, cell) in cells.enumerated() {
            cellTurnover.insert(cell.id, at: pointer.appending(.index(index), "id"))
        }
    }

    private static func precedes(_ a: CellPlace, _ b: CellPlace) -> Bool {
        (a.section, a.item) < (b.section, b.item)
    }
}

// Sections.
extension StagePlayer {
    private mutating func insert(_ inserts: [ChangesetTree.SectionInsert], _ pointer: JSONPointer) {
        var edit = ListEdit(sections)
        checkOrder(inserts.map(\.place), pointer, by: <)
        for (index, insert) in inserts.enumerated() {
            let pointer = pointer.appending(.index(index))
            sectionTurnover.insert(insert.section.id, at: pointer.appending("section", "id"))
            note(insert.section.cells, at: pointer.appending("section", "cells"))
            edit.put([insert.section], at: insert.place, pointer)
        }
        finish(&edit)
    }

    private mutating func change(_ changes: ChangesetTree.SectionChanges, _ stage: JSONPointer) {
        var edit = ListEdit(sections)
        checkOrder(changes.deletes, stage.appending("deleteSections"), by: <)
        for (index, place) in changes.deletes.enumerated() {
            for section in edit.take(place, 1, at: stage.appending("deleteSections", .index(index))) {
                sectionTurnover.delete(section.id)
                for cell in section.cells { cellTurnover.delete(cell.id) }
            }
        }
        for (index, move) in changes.moves.enumerated() {
            let pointer = stage.appending("moveSections", .index(index))
            edit.put(edit.take(move.source, 1, at: pointer), at: move.destination, pointer)
        }
        finish(&edit)
    }

    private mutating func update(_ updates: [ChangesetTree.ViewsUpdate], _ pointer: JSONPointer) {
        var edit = ListEdit(sections)
        for (index, update) in updates.enumerated() {
            let pointer = pointer.appending(.index(index))
            let old = edit.replace(update.place, at: pointer) { $0.showing(update.views) }
            if let old, old.views.isSame(as: update.views) { fault(.changesNothing, at: pointer) }
        }
        finish(&edit)
    }

    private mutating func finish(_ edit: inout ListEdit<SnapshotTree.Section>) {
        sections = edit.finish()
        faults += edit.faults
    }
}

extension SnapshotTree.Section {
    fileprivate func showing(_ views: SnapshotTree.Views) -> SnapshotTree.Section {
        var section = self
        section.views = views
        return section
    }
}
