import ScreenDiff

/// A changeset that was played on the snapshot that it is for.
public struct Playback: Sendable {
    /// The snapshot that the changeset leads to.
    public let result: SnapshotTree
    package let changeset: ChangesetTree
    package let source: SnapshotTree
    /// The sections before the first stage and after each.
    package let states: [[SnapshotTree.Section]]

    /// Plays all stages.
    ///
    /// - Throws: where the changeset does not fit the snapshot or breaks a rule; places are those of the changeset.
    public init(of changeset: ChangesetTree, on source: SnapshotTree) throws(DocumentFaults) {
        try Self.check(Self.misfits(changeset, source))
        var player = StagePlayer(source.sections)
        var states = [source.sections]
        for (index, stage) in changeset.stages.enumerated() {
            player.play(stage, at: JSONPointer(steps: ["stages", .index(index)]))
            try Self.check(player.faults)
            states.append(player.sections)
        }
        try Self.check(player.idFaults(from: source.sections))
        let sections = states[states.count - 1]
        try Self.check(Self.needlessMoves(changeset.stages, source.sections, sections))
        var result = source
        result.version = changeset.version
        result.title = changeset.title ?? source.title
        result.sections = sections
        self.result = result
        self.changeset = changeset
        self.source = source
        self.states = states
    }

    private static func check(_ faults: [DocumentFault]) throws(DocumentFaults) {
        if !faults.isEmpty { throw DocumentFaults(faults: faults) }
    }

    private static func misfits(_ changeset: ChangesetTree, _ source: SnapshotTree) -> [DocumentFault] {
        var faults: [DocumentFault] = []
        if ExactText(changeset.screen) != ExactText(source.screen) {
            let cause = DocumentFault.Cause.otherScreen(held: source.screen, named: changeset.screen)
            faults.append(DocumentFault(pointer: JSONPointer(steps: ["screen"]), cause: cause))
        }
        if ExactText(changeset.from) != ExactText(source.version) {
            let cause = DocumentFault.Cause.otherVersion(held: source.version, named: changeset.from)
            faults.append(DocumentFault(pointer: JSONPointer(steps: ["from"]), cause: cause))
        }
        if ExactText(changeset.from) == ExactText(changeset.version) {
            let title = changeset.title ?? source.title
            let isTitleChanged = title.map(ExactText.init) != source.title.map(ExactText.init)
            let steps: [JSONPointer.Step] = (isTitleChanged ? ["title"] : []) + (changeset.stages.isEmpty ? [] : ["stages"])
            faults += steps.map { DocumentFault(pointer: JSONPointer(steps: [$0]), cause: .changesWithoutVersion) }
        }
        return faults
    }

    /// Compares the moves with those of the differ, which are minimal (rule 7).
    private static func needlessMoves(
        _ stages: [ChangesetTree.Stage], _ source: [SnapshotTree.Section], _ target: [SnapshotTree.Section]
    ) -> [DocumentFault] {
        let least = StagedChangeset(source: source, target: target).stages
        let (leastCells, leastSections) = (movedCellCount(least), least.flatMap(\.moveSections).count)
        return stages.enumerated().flatMap { index, stage in
            [
                needless(movedCellCount([stage.operations]), leastCells, ["stages", .index(index), "moveCells"]),
                needless(stage.operations.moveSections.count, leastSections, ["stages", .index(index), "moveSections"]),
            ].compactMap(\.self)
        }
    }

    private static func movedCellCount(_ stages: [Stage]) -> Int {
        stages.flatMap(\.moveCells).reduce(0) { $0 + $1.count }
    }

    private static func needless(_ found: Int, _ least: Int, _ steps: [JSONPointer.Step]) -> DocumentFault? {
        guard found > least else { return nil }
        return DocumentFault(pointer: JSONPointer(steps: steps), cause: .needlessMoves(found: found, least: least))
    }
}
