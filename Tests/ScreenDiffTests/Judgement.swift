import ScreenDiff
import ScreenModel

/// Judges one pair of models in all ways at once: typed, as outlines, applied.
func judge(_ source: TestModel, _ target: TestModel) throws {
    let typed = source.changeset(to: target)
    for stages in [typed.stages, target.outline.stages(from: source.outline)] {
        let referee = try Referee.judge(stages, from: source, to: target)
        guard referee.moveCount == leastMoves(source, target) else {
            throw Referee.Violation("rule 7: \(referee.moveCount) moves of cells")
        }
        guard referee.sectionMoveCount == leastSectionMoves(source, target) else {
            throw Referee.Violation("rule 7: \(referee.sectionMoveCount) moves of sections")
        }
    }
    guard try source.applying(typed) == target else { throw Referee.Violation("applying does not give the target") }
}
