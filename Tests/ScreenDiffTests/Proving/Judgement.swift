import ScreenDiff
import ScreenModel
import TestModels

/// Compares two models as outlines and as typed models, and checks both results. Also checks that applying the changeset results in the
/// target.
func judge(_ source: TestModel, _ target: TestModel) throws {
    try judge(target.outline.stages(from: source.outline), source, target)
    try judgeTyped(source, target)
}

/// Checks the changeset between two typed models, whose cells may have equal identifiers.
func judgeTyped(_ source: TestModel, _ target: TestModel) throws {
    let changeset = source.changeset(to: target)
    try judge(changeset.stages, source, target)
    guard try source.applying(changeset) == target else { throw Referee.Violation("applying does not give the target") }
}

/// Checks that stages follow all seven rules. The k-th cell with an id in the source is paired with the k-th cell with this id in the
/// target.
func judge(_ stages: [Stage], _ source: TestModel, _ target: TestModel) throws {
    var referee = Referee()
    try judge(stages, source.outline.withoutTwins, target.outline.withoutTwins, &referee)
    let sectionMoves = leastSectionMoves(source, target)
    guard referee.sectionMoveCount == sectionMoves else {
        throw Referee.Violation("rule 7: \(referee.sectionMoveCount) moves of sections where \(sectionMoves) would do")
    }
}

/// Checks that stages follow all rules, except that the number of section moves is not checked.
func judge(_ stages: [Stage], _ source: Outline, _ target: Outline, _ referee: inout Referee) throws {
    try referee.judge(stages, from: source, to: target)
    let least = LeastMoves(source, target)
    guard referee.moveCount == least.cells else {
        throw Referee.Violation("rule 7: \(referee.moveCount) moves of cells where \(least.cells) would do")
    }
    guard referee.moveRunCount == least.runs else {
        throw Referee.Violation("\(referee.moveRunCount) runs of moves where \(least.runs) would do")
    }
}

extension Outline {
    /// A copy of this outline with distinct ids. The k-th cell with a repeated id has the same new id in each outline.
    var withoutTwins: Outline {
        var counts: [UInt64: UInt64] = [:]
        let cells = cells.map { cell in
            defer { counts[cell.id, default: 0] += 1 }
            return Cell(id: cell.id + counts[cell.id, default: 0] << 32, content: cell.content)
        }
        return Outline(sections: sections, cells: cells)
    }
}
