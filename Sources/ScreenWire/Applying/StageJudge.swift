import ScreenDiff

/// A check of the stages of a changeset against all rules of the protocol. It applies the stages to a list of sections and collects the
/// faults.
struct StageJudge {
    private(set) var faults: [DocumentFault] = []
    /// The list of sections before the first stage, followed by the list of sections after each stage.
    private(set) var states: [[SnapshotTree.Section]]
    private var cellIDs = InsertedAndDeletedIDs()
    private var sectionIDs = InsertedAndDeletedIDs()

    init(_ sections: [SnapshotTree.Section]) {
        states = [sections]
    }

    var sections: [SnapshotTree.Section] { states[states.count - 1] }

    /// Applies a stage, and appends the resulting sections to `states`. If this stage or an earlier stage has a fault, nothing is appended.
    mutating func play(_ stage: ChangesetTree.Stage, at pointer: JSONPointer) {
        let before = sections
        var after = before
        var undoing = UndoneStages()
        let misfits = after.apply(stage, at: pointer, &undoing)
        let misplaced = Set(misfits.map(\.pointer))
        checkCellUpdates(of: stage, before, misplaced, pointer.appending("updateCells"))
        checkViewUpdates(of: stage, before, misplaced, pointer.appending("updateSections"))
        faults += misfits
        guard faults.isEmpty else { return }
        recordIDs(of: stage, before, pointer)
        states.append(after)
    }
}

// These functions check that each update changes the content of its cell or the views of its section. An update with an invalid place or id
// is skipped, because there is no old content with which its new content could be compared.
extension StageJudge {
    private mutating func checkCellUpdates(
        of stage: ChangesetTree.Stage, _ before: [SnapshotTree.Section], _ misplaced: Set<JSONPointer>, _ pointer: JSONPointer
    ) {
        let places = stage.operations.updateCells.map(\.place)
        for (index, (place, cell)) in zip(places, stage.updatedCells).enumerated() {
            let operation = pointer.appending(.index(index))
            guard !misplaced.contains(operation), !misplaced.contains(operation.appending("cell", "id")) else { continue }
            guard cell.isSame(as: before[place.section].cells[place.item]) else { continue }
            faults.append(DocumentFault(pointer: operation, cause: .changesNothing))
        }
    }

    private mutating func checkViewUpdates(
        of stage: ChangesetTree.Stage, _ before: [SnapshotTree.Section], _ misplaced: Set<JSONPointer>, _ pointer: JSONPointer
    ) {
        for (index, (place, views)) in zip(stage.operations.updateSections, stage.updatedViews).enumerated() {
            let operation = pointer.appending(.index(index))
            guard !misplaced.contains(operation), before[place].views.isSame(as: views) else { continue }
            faults.append(DocumentFault(pointer: operation, cause: .changesNothing))
        }
    }
}

extension StageJudge {
    /// Returns the faults of the inserted ids. An inserted id must not exist before the first stage, must not be deleted by any stage, and
    /// must be inserted only once.
    func idFaults() -> [DocumentFault] {
        sectionIDs.faults(source: Set(states[0].lazy.map { ExactText($0.id) }))
            + cellIDs.faults(source: Set(states[0].lazy.flatMap(\.cells).map { ExactText($0.id) }))
    }

    private mutating func recordIDs(of stage: ChangesetTree.Stage, _ before: [SnapshotTree.Section], _ pointer: JSONPointer) {
        for inserted in stage.insertedIDs(at: pointer) {
            if inserted.isSection {
                sectionIDs.insert(inserted.id, at: inserted.pointer)
            } else {
                cellIDs.insert(inserted.id, at: inserted.pointer)
            }
        }
        for run in stage.operations.deleteCells {
            for cell in before[run.place.section].cells[run.place.item...].prefix(run.count) { cellIDs.delete(cell.id) }
        }
        for section in stage.operations.deleteSections {
            sectionIDs.delete(before[section].id)
            for cell in before[section].cells { cellIDs.delete(cell.id) }
        }
    }
}

/// The ids that the stages insert, and the ids that the stages delete. An instance contains either ids of cells or ids of sections.
private struct InsertedAndDeletedIDs {
    private var inserted: [(id: String, pointer: JSONPointer)] = []
    private var deleted: Set<ExactText> = []

    mutating func insert(_ id: String, at pointer: JSONPointer) {
        inserted.append((id, pointer))
    }

    mutating func delete(_ id: String) {
        deleted.insert(ExactText(id))
    }

    func faults(source: Set<ExactText>) -> [DocumentFault] {
        var firstPlaces: [ExactText: JSONPointer] = [:]
        return inserted.compactMap { id, pointer in
            let key = ExactText(id)
            if deleted.contains(key) { return DocumentFault(pointer: pointer, cause: .insertsDeletedID(id)) }
            if let first = firstPlaces[key] { return DocumentFault(pointer: pointer, cause: .repeatedID(id, first: first)) }
            if source.contains(key) { return DocumentFault(pointer: pointer, cause: .insertsExistingID(id)) }
            firstPlaces[key] = pointer
            return nil
        }
    }
}
