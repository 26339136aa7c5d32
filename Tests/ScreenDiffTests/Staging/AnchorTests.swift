import ScreenDiff
import ScreenModel
import Testing

@Suite struct Anchors {
    @Test func theAnchorStaysWhereEitherOfTwoCellsCouldMove() {
        let source = TestModel(["a": [1, 2]])
        let target = TestModel(["a": [2, 1]])
        for anchor in [1, 2] {
            let moved = source.changeset(to: target, anchor: anchor).stages.flatMap(\.moveCells).map { source[0][$0.source.item].id }
            #expect(moved == [3 - anchor])
            let outlined = target.outline.stages(from: source.outline, anchor: UInt64(anchor)).flatMap(\.moveCells)
            #expect(outlined.map { source[0][$0.source.item].id } == [3 - anchor])
        }
    }

    @Test func theAnchorsSectionStaysRatherThanAnother() {
        let source = TestModel(["a": [1], "b": [2]])
        let target = TestModel(["b": [2], "a": [1]])
        for (anchor, moved) in [(1, 1), (2, 0)] {
            let moves = source.changeset(to: target, anchor: anchor).stages.flatMap(\.moveSections)
            #expect(moves.map(\.source) == [moved])
        }
    }

    @Test func theAnchorMovesWhereStayingWouldCostAMove() {
        let source = TestModel(["a": [1, 2, 3]])
        let target = TestModel(["a": [2, 3, 1]])
        let moves = source.changeset(to: target, anchor: 1).stages.flatMap(\.moveCells)
        #expect(moves == [CellMove(source: CellPlace(section: 0, item: 0), destination: CellPlace(section: 0, item: 2), count: 1)])
    }

    @Test(arguments: Array<UInt64>(0..<20)) func noAnchorCostsAMoveOrBreaksARule(seed: UInt64) throws {
        var pairs = ModelPairs(seed: seed)
        for _ in 0..<20 {
            let (source, target) = pairs.next()
            for anchor in source.flatMap(\.cells).prefix(5) {
                let referee = try Referee.judge(source.changeset(to: target, anchor: anchor.id).stages, from: source, to: target)
                #expect(referee.moveCount == leastMoves(source, target))
                #expect(referee.sectionMoveCount == leastSectionMoves(source, target))
            }
        }
    }

    @Test func anUnknownAnchorChangesNothing() {
        let source = TestModel(["a": [1, 2]])
        let target = TestModel(["a": [2, 1]])
        #expect(source.changeset(to: target, anchor: 9).stages == source.changeset(to: target).stages)
    }
}
