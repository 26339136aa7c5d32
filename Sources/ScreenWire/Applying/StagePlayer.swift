import ScreenDiff

/// A list in sections on which the stages of a changeset document are played, and all that is wrong with them.
struct StagePlayer {
    private(set) var faults: [DocumentFault] = []
    private var list: SectionedList<SnapshotTree.Section, SnapshotTree.Cell>
    private var cellIDs = InsertedAndDeletedIDs()
    private var sectionIDs = InsertedAndDeletedIDs()

    init(_ sections: [SnapshotTree.Section]) {
        list = SectionedList(sections, cells: \.cells)
    }

    var sections: [SnapshotTree.Section] {
        zip(list.sections, list.cells).map { SnapshotTree.Section(source: $0, elements: $1) }
    }

    /// Plays a stage. With faults the list is as it was.
    mutating func play(_ stage: ChangesetTree.Stage, at pointer: JSONPointer) {
        let before = list
        let misfits = change(stage)
        if case .updateCells(let updates) = stage { judge(updates, before, misfits, pointer.appending("updateCells")) }
        if case .updateSections(let updates) = stage { judge(updates, before, misfits, pointer.appending("updateSections")) }
        faults += misfits.map { DocumentFault($0, inStage: pointer) }
        if faults.isEmpty { noteIDs(stage, before, pointer) }
    }

    private mutating func change(_ stage: ChangesetTree.Stage) -> [StageMisfit] {
        switch stage {
        case .updateCells(let updates):
            return list.changeCells(updates: updates.map { ($0.place, $0.cell) })
        case .insertSections(let inserts):
            return list.changeSections(inserts: inserts.map { ($0.place, ($0.section, $0.section.cells)) })
        case .changeCells(let changes):
            let inserts = changes.inserts.map { (place: $0.place, cells: Optional($0.cells[...])) }
            return list.changeCells(deletes: changes.deletes, inserts: inserts, moves: changes.moves)
        case .changeSections(let changes):
            return list.changeSections(deletes: changes.deletes, moves: changes.moves)
        case .updateSections(let updates):
            let sections = list.sections
            return list.changeSections(updates: updates.map { update in
                (update.place, sections.indices.contains(update.place) ? sections[update.place].showing(update.views) : nil)
            })
        }
    }
}

// Contents. Operations with a misfit have nothing that they could be compared with.
extension StagePlayer {
    private typealias List = SectionedList<SnapshotTree.Section, SnapshotTree.Cell>

    private mutating func judge(
        _ updates: [ChangesetTree.CellUpdate], _ before: List, _ misfits: [StageMisfit], _ pointer: JSONPointer
    ) {
        let misfits = Set(misfits.map(\.operation.index))
        for (index, update) in updates.enumerated() where !misfits.contains(index) {
            let old = before.cells[update.place.section][update.place.item]
            if ExactText(old.id) != ExactText(update.cell.id) {
                let cause = DocumentFault.Cause.otherCell(held: old.id, named: update.cell.id)
                faults.append(DocumentFault(pointer: pointer.appending(.index(index), "cell", "id"), cause: cause))
            } else if update.cell.isContentEqual(to: old) {
                faults.append(DocumentFault(pointer: pointer.appending(.index(index)), cause: .changesNothing))
            }
        }
    }

    private mutating func judge(
        _ updates: [ChangesetTree.ViewsUpdate], _ before: List, _ misfits: [StageMisfit], _ pointer: JSONPointer
    ) {
        let misfits = Set(misfits.map(\.operation.index))
        for (index, update) in updates.enumerated() where !misfits.contains(index) {
            guard before.sections[update.place].views.isSame(as: update.views) else { continue }
            faults.append(DocumentFault(pointer: pointer.appending(.index(index)), cause: .changesNothing))
        }
    }
}

// Ids, which are judged once all stages are played.
extension StagePlayer {
    /// Rule 6, and that no id occurs twice.
    ///
    /// - Parameter source: the sections before all stages.
    func idFaults(from source: [SnapshotTree.Section]) -> [DocumentFault] {
        sectionIDs.faults(held: Set(source.lazy.map { ExactText($0.id) }))
            + cellIDs.faults(held: Set(source.lazy.flatMap(\.cells).map { ExactText($0.id) }))
    }

    private mutating func noteIDs(_ stage: ChangesetTree.Stage, _ before: List, _ pointer: JSONPointer) {
        switch stage {
        case .updateCells, .updateSections: break
        case .insertSections(let inserts):
            for (index, insert) in inserts.enumerated() {
                let section = pointer.appending("insertSections", .index(index), "section")
                sectionIDs.insert(insert.section.id, at: section.appending("id"))
                noteIDs(of: insert.section.cells, at: section.appending("cells"))
            }
        case .changeCells(let changes):
            for run in changes.deletes {
                for cell in before.cells[run.place.section][run.place.item...].prefix(run.count) { cellIDs.delete(cell.id) }
            }
            for (index, insert) in changes.inserts.enumerated() {
                noteIDs(of: insert.cells, at: pointer.appending("insertCells", .index(index), "cells"))
            }
        case .changeSections(let changes):
            for section in changes.deletes {
                sectionIDs.delete(before.sections[section].id)
                for cell in before.cells[section] { cellIDs.delete(cell.id) }
            }
        }
    }

    private mutating func noteIDs(of cells: [SnapshotTree.Cell], at pointer: JSONPointer) {
        for (index, cell) in cells.enumerated() { cellIDs.insert(cell.id, at: pointer.appending(.index(index), "id")) }
    }
}

/// The ids, of cells or of sections, that stages insert and delete.
private struct InsertedAndDeletedIDs {
    private var inserted: [(id: String, pointer: JSONPointer)] = []
    private var deleted: Set<ExactText> = []

    mutating func insert(_ id: String, at pointer: JSONPointer) {
        inserted.append((id, pointer))
    }

    mutating func delete(_ id: String) {
        deleted.insert(ExactText(id))
    }

    /// - Parameter held: the ids before all stages.
    func faults(held: Set<ExactText>) -> [DocumentFault] {
        var brought: [ExactText: JSONPointer] = [:]
        return inserted.compactMap { id, pointer in
            let key = ExactText(id)
            if deleted.contains(key) { return DocumentFault(pointer: pointer, cause: .insertsWhatItDeletes(id)) }
            if let first = brought[key] { return DocumentFault(pointer: pointer, cause: .repeatedID(id, first: first)) }
            if held.contains(key) { return DocumentFault(pointer: pointer, cause: .insertsWhatIsThere(id)) }
            brought[key] = pointer
            return nil
        }
    }
}

extension SnapshotTree.Section {
    fileprivate func showing(_ views: SnapshotTree.Views) -> SnapshotTree.Section {
        var section = self
        section.views = views
        return section
    }
}

extension DocumentFault {
    /// The same, told by the place in the document that the operation stands at.
    fileprivate init(_ misfit: StageMisfit, inStage pointer: JSONPointer) {
        let pointer = pointer.appending(.name(misfit.operation.kind.rawValue), .index(misfit.operation.index))
        let cause: Cause = switch misfit.cause {
        case .outOfBounds(let count): .outOfBounds(count: count)
        case .sourceTwice: .sourceTwice
        case .targetTwice: .targetTwice
        case .notAscending: .notAscending
        case .emptyRun(let count): .notACount(String(count))
        case .missingContent: .missing
        }
        self.init(pointer: pointer, cause: cause)
    }
}
