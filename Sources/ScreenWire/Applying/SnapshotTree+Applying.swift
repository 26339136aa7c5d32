public import ScreenDiff

extension SnapshotTree {
    /// Applies a changeset, as a client does.
    ///
    /// The changeset must start from the version of this snapshot. The places of its operations must be within bounds. No two operations of
    /// a stage may have the same source or the same target. An update must keep the id of its cell, and an insert must not repeat an id.
    /// Unnecessary moves and updates without a change are accepted, but ``Playback`` rejects them.
    ///
    /// If this snapshot is the only copy, an update of a cell copies no cells. A cell that is not updated keeps its object, even if the
    /// cell is moved.
    ///
    /// - Throws: The faults of the changeset. In this case, the snapshot does not change.
    public mutating func apply(_ changeset: ChangesetTree) throws(DocumentFaults) {
        try apply(changeset, didApply: nil)
    }

    /// A stage of a changeset that was applied, and the snapshot after the stage.
    public struct AppliedStage: Sendable {
        /// The operations, for a list view. The content of updated and inserted elements is in ``snapshot``.
        public let stage: Stage
        /// The snapshot after the stage. Only the snapshot after the last stage has the version and the title of the changeset.
        public let snapshot: SnapshotTree
        package let updates: UpdatedContents
    }

    /// Applies a changeset as ``apply(_:)`` does. Returns each stage with the snapshot after it, for a list view that performs one stage at
    /// a time. A changeset without stages can still change the title and the version.
    ///
    /// - Throws: The faults of the changeset. In this case, the snapshot does not change.
    public mutating func applyByStages(_ changeset: ChangesetTree) throws(DocumentFaults) -> [AppliedStage] {
        var stages: [AppliedStage] = []
        try apply(changeset) { stages.append($0) }
        if let last = stages.popLast() { stages.append(AppliedStage(stage: last.stage, snapshot: self, updates: last.updates)) }
        return stages
    }

    private mutating func apply(
        _ changeset: ChangesetTree, didApply: ((AppliedStage) -> Void)?
    ) throws(DocumentFaults) {
        try changeset.headFaults(on: self, judged: false).throwIfAny()
        var undoing = UndoneStages()
        for (index, stage) in changeset.stages.enumerated() {
            let pointer = JSONPointer(steps: ["stages", .index(index)])
            let updates = didApply.map { _ in UpdatedContents(of: stage, in: sections) }
            var faults = sections.apply(stage, at: pointer, &undoing)
            if faults.isEmpty { faults = sections.repeatedIDs(insertedBy: stage, at: pointer) }
            guard faults.isEmpty else {
                undoing.undo(&sections)
                throw DocumentFaults(faults: faults)
            }
            if let updates { didApply?(AppliedStage(stage: stage.operations, snapshot: self, updates: updates)) }
        }
        version = changeset.version
        title = changeset.title ?? title
    }

    mutating func finish(_ changeset: ChangesetTree, _ sections: [Section]) {
        self.sections = sections
        version = changeset.version
        title = changeset.title ?? title
    }
}

extension ChangesetTree {
    /// Returns the faults of the changeset's members other than `stages`. If `judged` is true, a changeset that changes the content must
    /// also change the version.
    func headFaults(on source: SnapshotTree, judged: Bool) -> [DocumentFault] {
        var faults: [DocumentFault] = []
        if ExactText(screen) != ExactText(source.screen) {
            let cause = DocumentFault.Cause.unexpectedText(found: screen, expected: [source.screen])
            faults.append(DocumentFault(pointer: JSONPointer(steps: ["screen"]), cause: cause))
        }
        if ExactText(from) != ExactText(source.version) {
            let cause = DocumentFault.Cause.wrongVersion(expected: source.version, found: from)
            faults.append(DocumentFault(pointer: JSONPointer(steps: ["from"]), cause: cause))
        }
        if judged, ExactText(from) == ExactText(version) {
            let title = title ?? source.title
            let isTitleChanged = title.map(ExactText.init) != source.title.map(ExactText.init)
            let steps: [JSONPointer.Step] = (isTitleChanged ? ["title"] : []) + (stages.isEmpty ? [] : ["stages"])
            faults += steps.map { DocumentFault(pointer: JSONPointer(steps: [$0]), cause: .changesWithoutVersion) }
        }
        return faults
    }
}

extension ChangesetTree.Stage {
    func insertedIDs(at pointer: JSONPointer) -> [(id: String, isSection: Bool, pointer: JSONPointer)] {
        var ids: [(id: String, isSection: Bool, pointer: JSONPointer)] = []
        for (index, inserted) in insertedSections.enumerated() {
            let section = pointer.appending("insertSections", .index(index), "section")
            ids.append((inserted.id, true, section.appending("id")))
            for (item, cell) in inserted.cells.enumerated() {
                ids.append((cell.id, false, section.appending("cells", .index(item), "id")))
            }
        }
        for (index, cells) in insertedCells.enumerated() {
            for (item, cell) in cells.enumerated() {
                ids.append((cell.id, false, pointer.appending("insertCells", .index(index), "cells", .index(item), "id")))
            }
        }
        return ids
    }
}
