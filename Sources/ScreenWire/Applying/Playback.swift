import ScreenDiff

/// The result of applying a changeset to a snapshot, stage by stage, with a check of all rules of the protocol.
///
/// A server must follow all rules. A client uses ``SnapshotTree/apply(_:)``, which checks fewer rules.
public struct Playback: Sendable {
    /// The snapshot after the last stage.
    public let result: SnapshotTree
    package let changeset: ChangesetTree
    package let source: SnapshotTree
    package let states: [[SnapshotTree.Section]]

    /// Applies all stages of a changeset.
    ///
    /// - Throws: The faults of the changeset if it starts from a different snapshot or breaks a rule of the protocol.
    public init(of changeset: ChangesetTree, on source: SnapshotTree) throws(DocumentFaults) {
        try changeset.headFaults(on: source, judged: true).throwIfAny()
        var judge = StageJudge(source.sections)
        for (index, stage) in changeset.stages.enumerated() {
            judge.play(stage, at: JSONPointer(steps: ["stages", .index(index)]))
            try judge.faults.throwIfAny()
        }
        try judge.idFaults().throwIfAny()
        let (states, sections) = (judge.states, judge.sections)
        try Self.needlessMoves(changeset.stages, source.sections, sections).throwIfAny()
        self.init(of: changeset, on: source, states: states)
    }

    /// Applies all stages of a changeset, and checks only the rules that a client checks.
    package init(unjudged changeset: ChangesetTree, on source: SnapshotTree) throws(DocumentFaults) {
        var result = source
        let stages = try result.applyByStages(changeset)
        self.init(of: changeset, on: source, states: [source.sections] + stages.map(\.snapshot.sections))
    }

    private init(of changeset: ChangesetTree, on source: SnapshotTree, states: [[SnapshotTree.Section]]) {
        var result = source
        result.finish(changeset, states[states.count - 1])
        self.result = result
        self.changeset = changeset
        self.source = source
        self.states = states
    }

    /// Returns a fault for each stage that moves more cells or sections than the differ would move in all stages together.
    private static func needlessMoves(
        _ stages: [ChangesetTree.Stage], _ source: [SnapshotTree.Section], _ target: [SnapshotTree.Section]
    ) -> [DocumentFault] {
        let least = SnapshotTree.stages(from: source, to: target)
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

extension [DocumentFault] {
    func throwIfAny() throws(DocumentFaults) {
        if !isEmpty { throw DocumentFaults(faults: self) }
    }
}
