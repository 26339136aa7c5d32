import ScreenDiff

/// The content that the stages of a changeset have replaced. It is restored if a later stage has a fault.
///
/// Only the first stage can update cells. In this stage, each replaced cell is recorded separately. A record of all sections would share
/// their arrays of cells, so the next update would have to copy an array. Before any other stage changes the sections, all sections are
/// recorded at once.
struct UndoneStages {
    private var sections: [SnapshotTree.Section]?
    private var cells: [(place: CellPlace, cell: SnapshotTree.Cell)] = []

    mutating func record(_ cell: SnapshotTree.Cell, at place: CellPlace) {
        cells.append((place, cell))
    }

    mutating func record(_ sections: [SnapshotTree.Section]) {
        if self.sections == nil { self.sections = sections }
    }

    func undo(_ sections: inout [SnapshotTree.Section]) {
        if let before = self.sections { sections = before }
        for (place, cell) in cells { sections[place.section].cells[place.item] = cell }
    }
}

extension [SnapshotTree.Section] {
    /// Applies a stage. Returns the faults of the operations. If there are faults, the sections do not change.
    mutating func apply(_ stage: ChangesetTree.Stage, at pointer: JSONPointer, _ undoing: inout UndoneStages) -> [DocumentFault] {
        guard stage.operations.updateCells.isEmpty else { return update(stage, at: pointer.appending("updateCells"), &undoing) }
        undoing.record(self)
        var list = SectionedList(self, cells: \.cells.array)
        let misfits = list.change(stage)
        if misfits.isEmpty { self = zip(list.sections, list.cells).map { $0.containing($1) } }
        return misfits.map { DocumentFault($0, inStage: pointer) }
    }

    private mutating func update(
        _ stage: ChangesetTree.Stage, at pointer: JSONPointer, _ undoing: inout UndoneStages
    ) -> [DocumentFault] {
        var faults: [DocumentFault] = []
        var places: Set<CellPlace> = []
        let updates = zip(stage.operations.updateCells.lazy.map(\.place), stage.updatedCells)
        for (index, (place, cell)) in updates.enumerated() {
            guard let cause = misfit(of: place, cell, &places) else { continue }
            let isWrongID = if case .unexpectedText = cause { true } else { false }
            let operation = pointer.appending(.index(index))
            faults.append(DocumentFault(pointer: isWrongID ? operation.appending("cell", "id") : operation, cause: cause))
        }
        guard faults.isEmpty else { return faults }
        for (place, cell) in updates {
            let old = self[place.section].cells[place.item]
            // An unchanged cell keeps its object, which may have cached a decoded value.
            if cell.content == old.content { continue }
            undoing.record(old, at: place)
            self[place.section].cells[place.item] = cell
        }
        return []
    }

    private func misfit(
        of place: CellPlace, _ cell: SnapshotTree.Cell, _ places: inout Set<CellPlace>
    ) -> DocumentFault.Cause? {
        guard indices.contains(place.section) else { return .outOfBounds(count: count) }
        let cells = self[place.section].cells
        guard cells.indices.contains(place.item) else { return .outOfBounds(count: cells.count) }
        guard places.insert(place).inserted else { return .sourceTwice }
        let old = cells[place.item]
        return ExactText(old.id) == ExactText(cell.id) ? nil : .unexpectedText(found: cell.id, expected: [old.id])
    }

    /// Returns a fault for each inserted section whose id another section has, and for each inserted cell whose id another cell has. The
    /// sections must be in their state after the stage.
    func repeatedIDs(insertedBy stage: ChangesetTree.Stage, at pointer: JSONPointer) -> [DocumentFault] {
        let cells = stage.insertedCells.flatMap(\.self) + stage.insertedSections.flatMap(\.cells)
        if cells.isEmpty && stage.insertedSections.isEmpty { return [] }
        var counts: [ExactText: Int] = [:]
        for cell in cells { counts[ExactText(cell.id)] = 0 }
        for section in self {
            for cell in section.cells {
                if let count = counts[ExactText(cell.id)] { counts[ExactText(cell.id)] = count + 1 }
            }
        }
        let sections = Dictionary(map { (ExactText($0.id), 1) }, uniquingKeysWith: +)
        return stage.insertedIDs(at: pointer).compactMap { inserted in
            let count = (inserted.isSection ? sections : counts)[ExactText(inserted.id)] ?? 0
            return count > 1 ? DocumentFault(pointer: inserted.pointer, cause: .insertsExistingID(inserted.id)) : nil
        }
    }
}

extension SectionedList<SnapshotTree.Section, SnapshotTree.Cell> {
    /// Applies the operations of a stage, except for updates of cells. Returns an error for each operation that cannot be applied.
    fileprivate mutating func change(_ stage: ChangesetTree.Stage) -> [StageMisfit] {
        let operations = stage.operations
        let misfits = changeCells(
            deletes: operations.deleteCells,
            inserts: zip(operations.insertCells, stage.insertedCells).map { ($0.run.place, $1[...]) },
            moves: operations.moveCells
        )
        let sections = sections
        return misfits
            + changeSections(
                inserts: zip(operations.insertSections, stage.insertedSections).map { ($0.place, ($1, $1.cells.array)) },
                deletes: operations.deleteSections, moves: operations.moveSections,
                updates: zip(operations.updateSections, stage.updatedViews).map { place, views in
                    (place, sections.indices.contains(place) ? sections[place].showing(views) : nil)
                }
            )
    }
}

extension SnapshotTree.Section {
    fileprivate func showing(_ views: SnapshotTree.Views) -> SnapshotTree.Section {
        var section = self
        section.views = views.reusing(section.views)
        return section
    }

    fileprivate func containing(_ cells: [SnapshotTree.Cell]) -> SnapshotTree.Section {
        var section = self
        section.cells = SnapshotTree.Cells(cells)
        return section
    }
}

extension DocumentFault {
    fileprivate init(_ misfit: StageMisfit, inStage pointer: JSONPointer) {
        let pointer = pointer.appending(.name(misfit.operation.kind.rawValue), .index(misfit.operation.index))
        let cause: Cause =
            switch misfit.cause {
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
