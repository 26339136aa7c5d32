import ScreenDiff
import ScreenModel
import SeededRandom
import TestModels
import Testing

@Suite struct Anchors {
    @Test func theAnchorIsNotMovedIfTwoCellsAreSwapped() {
        let source = TestModel(["a": [1, 2]])
        let target = TestModel(["a": [2, 1]])
        for anchor in [1, 2] {
            let moved = source.changeset(to: target, anchor: anchor).stages.flatMap(\.moveCells).map { source[0][$0.source.item].id }
            #expect(moved == [3 - anchor])
            let outlined = target.outline.stages(from: source.outline, anchor: UInt64(anchor)).flatMap(\.moveCells)
            #expect(outlined.map { source[0][$0.source.item].id } == [3 - anchor])
        }
    }

    @Test func theSectionOfTheAnchorIsNotMovedIfTwoSectionsAreSwapped() {
        let source = TestModel(["a": [1], "b": [2]])
        let target = TestModel(["b": [2], "a": [1]])
        for (anchor, moved) in [(1, 1), (2, 0)] {
            let moves = source.changeset(to: target, anchor: anchor).stages.flatMap(\.moveSections)
            #expect(moves.map(\.source) == [moved])
        }
    }

    @Test func theAnchorIsMovedIfKeepingItInPlaceWouldMoveMoreCells() {
        let source = TestModel(["a": [1, 2, 3]])
        let target = TestModel(["a": [2, 3, 1]])
        let moves = source.changeset(to: target, anchor: 1).stages.flatMap(\.moveCells)
        #expect(moves == [CellMove(source: CellPlace(section: 0, item: 0), destination: CellPlace(section: 0, item: 2), count: 1)])
    }

    @Test(arguments: Seeds.first(40)) func theAnchorIsMovedOnlyIfKeepingItInPlaceWouldMoveMoreCells(seed: UInt64) throws {
        var pairs = ModelPairs(seed: seed)
        for number in 0..<20 {
            let (source, target) = pairs.next()
            for anchor in source.flatMap(\.cells).map(\.id).shuffled(using: &pairs.generator).prefix(5) {
                let stages = source.changeset(to: target, anchor: anchor).stages
                let referee = try Referee.judge(stages, from: source, to: target)
                let least = LeastMoves(source, target, anchor: anchor)
                let origin: Comment = "pair \(number) of RELIST_SEED=\(seed), anchor \(anchor)"
                #expect(referee.moveCount == least.cells, origin)
                #expect(referee.moveRunCount == least.runs, origin)
                #expect(referee.sectionMoveCount == leastSectionMoves(source, target), origin)
                #expect(movedCells(stages, source).contains(anchor) == least.movesAnchor, origin)
            }
        }
    }

    /// Returns the ids of all moved cells. In a stage that moves cells, the index of a section can be greater than in `source`, because an
    /// earlier stage may have inserted sections before this section.
    private func movedCells(_ stages: [Stage], _ source: TestModel) -> Set<Int> {
        let inserts = stages.flatMap(\.insertSections).map(\.place)
        let sections = (0..<source.count + inserts.count).filter { !inserts.contains($0) }
        let moved = stages.flatMap(\.moveCells).flatMap { move in
            source[sections.firstIndex(of: move.source.section)!].cells[move.source.item..<move.source.item + move.count]
        }
        return Set(moved.map(\.id))
    }

    @Test func anUnknownAnchorDoesNotChangeTheStages() {
        let source = TestModel(["a": [1, 2]])
        let target = TestModel(["a": [2, 1]])
        #expect(source.changeset(to: target, anchor: 9).stages == source.changeset(to: target).stages)
    }
}
