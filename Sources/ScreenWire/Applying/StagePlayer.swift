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
        let misplaced = Set(misfits.map(\.operation.index))
        judgeCells(of: stage, before, misplaced, pointer.appending("updateCells"))
        judgeViews(of: stage, before, misplaced, pointer.appending("updateSections"))
        faults += misfits.map { DocumentFault($0, inStage: pointer) }
        if faults.isEmpty { noteIDs(stage, before, pointer) }
    }

    private mutating func change(_ stage: ChangesetTree.Stage) -> [StageMisfit] {
        let operations = stage.operations
        let misfits = list.changeCells(
            updates: zip(operations.updateCells, stage.updatedCells).map { ($0.place, $1) },
            deletes: operations.deleteCells,
            inserts: zip(operations.insertCells, stage.insertedCells).map { ($0.run.place, $1[...]) },
            moves: operations.moveCells
        )
        let sections = list.sections
        return misfits + list.changeSections(
            inserts: zip(operations.insertSections, stage.insertedSections).map { ($0.place, ($1, $1.cells)) },
            deletes: operations.deleteSections, moves: operations.moveSections,
            updates: zip(operations.updateSections, stage.updatedViews).map { place, views in
                (place, sections.indices.contains(place) ? sections[place].showing(views) : nil)
            }
        )
    }
}

// Contents. Operations with a misfit have nothing that they could be compared with.
extension StagePlayer {
    private typealias List = SectionedList<SnapshotTree.Section, SnapshotTree.Cell>

    private mutating func judgeCells(
        of stage: ChangesetTree.Stage, _ before: List, _ misplaced: Set<Int>, _ pointer: JSONPointer
    ) {
        let places = stage.operations.updateCells.map(\.place)
        for (index, (place, cell)) in zip(places, stage.updatedCells).enumerated() where !misplaced.contains(index) {
            let old = before.cells[place.section][place.item]
            if ExactText(old.id) != ExactText(cell.id) {
                let cause = DocumentFault.Cause.otherCell(held: old.id, named: cell.id)
                faults.append(DocumentFault(pointer: pointer.appending(.index(index), "cell", "id"), cause: cause))
            } else if cell.isContentEqual(to: old) {
                faults.append(DocumentFault(pointer: pointer.appending(.index(index)), cause: .changesNothing))
            }
        }
    }

    private mutating func judgeViews(
        of stage: ChangesetTree.Stage, _ before: List, _ misplaced: Set<Int>, _ pointer: JSONPointer
    ) {
        let updates = zip(stage.operations.updateSections, stage.updatedViews)
        for (index, (place, views)) in updates.enumerated() where !misplaced.contains(index) {
            guard before.sections[place].views.isSame(as: views) else { continue }
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
        for (index, inserted) in stage.insertedSections.enumerated() {
            let section = pointer.appending("insertSections", .index(index), "section")
            sectionIDs.insert(inserted.id, at: section.appending("id"))
            noteIDs(of: inserted.cells, at: section.appending("cells"))
        }
        for run in stage.operations.deleteCells {
            for cell in before.cells[run.place.section][run.place.item...].prefix(run.count) { cellIDs.delete(cell.id) }
        }
        for (index, cells) in stage.insertedCells.enumerated() {
            noteIDs(of: cells, at: pointer.appending("insertCells", .index(index), "cells"))
        }
        for section in stage.operations.deleteSections {
            sectionIDs.delete(before.sections[section].id)
            for cell in before.cells[section] { cellIDs.delete(cell.id) }
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
