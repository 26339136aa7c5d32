import ScreenDiff
import ScreenModel

/// Judges one pair of models in all ways at once: typed, as outlines, applied.
func judge(_ source: TestModel, _ target: TestModel) throws {
    try judge(target.outline.stages(from: source.outline), source, target)
    try judgeTyped(source, target)
}

/// Judges a pair whose identifiers may repeat, as outlines' may not.
func judgeTyped(_ source: TestModel, _ target: TestModel) throws {
    let changeset = source.changeset(to: target)
    try judge(changeset.stages, source, target)
    guard try source.applying(changeset) == target else { throw Referee.Violation("applying does not give the target") }
}

/// All seven rules. The k-th of equal cells is the k-th of the other side.
func judge(_ stages: [Stage], _ source: TestModel, _ target: TestModel) throws {
    var referee = Referee()
    try judge(stages, source.outline.withoutTwins, target.outline.withoutTwins, &referee)
    let sectionMoves = leastSectionMoves(source, target)
    guard referee.sectionMoveCount == sectionMoves else {
        throw Referee.Violation("rule 7: \(referee.sectionMoveCount) moves of sections where \(sectionMoves) would do")
    }
}

/// All rules but the least of sections that move.
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
    /// This outline with an id of its own for each of equal cells: that it is the k-th of them is in it.
    var withoutTwins: Outline {
        var counts: [UInt64: UInt64] = [:]
        let cells = cells.map { cell in
            defer { counts[cell.id, default: 0] += 1 }
            return Cell(id: cell.id + counts[cell.id, default: 0] << 32, content: cell.content)
        }
        return Outline(sections: sections, cells: cells)
    }
}
