import ScreenDiff
import ScreenModel
import TestModels
import Testing

/// Tests of the stages of simple cases, in which a reader can verify the expected stages.
@Suite struct StagesOfPlainCases {
    @Test func equalModelsHaveNoStages() {
        let model = TestModel(["a": [1, 2], "b": []])
        #expect(model.changeset(to: model).stages.isEmpty)
    }

    @Test func onlyTheFirstCellIsMovedIfItBecomesTheLastCell() {
        expect(TestModel(["a": [1, 2, 3, 4]]), TestModel(["a": [2, 3, 4, 1]]), "  moveCells [0, 0]→[0, 3]")
    }

    @Test func consecutiveCellsAreMovedAsOneRun() {
        expect(TestModel(["a": [1, 2, 3, 4, 5]]), TestModel(["a": [4, 5, 1, 2, 3]]), "  moveCells [0, 3]→[0, 0]×2")
    }

    @Test func aSurvivingCellIsMovedOutOfADeletedSection() {
        expect(
            TestModel(["a": [1], "b": [2, 3]]), TestModel(["a": [1, 3]]),
            "  moveCells [1, 1]→[0, 1]", "  deleteSections 1"
        )
    }

    @Test func aSurvivingCellIsMovedIntoAnInsertedSection() {
        expect(
            TestModel(["a": [1, 2]]), TestModel(["b": [9, 2], "a": [1]]),
            "  insertSections 0 with 1", "  moveCells [1, 1]→[0, 1]"
        )
    }

    @Test func aCellIsUpdatedBeforeItIsMoved() {
        var target = TestModel(["a": [1], "b": [3, 2]])
        target[1][1].content = 1
        expect(TestModel(["a": [1, 2], "b": [3]]), target, "  updateCells [0, 1]", "  moveCells [0, 1]→[1, 1]")
    }

    @Test func deletesAndInsertsOfNeighbouringCellsAreGroupedIntoRuns() {
        expect(
            TestModel(["a": [1, 2, 3, 4]]), TestModel(["a": [1, 7, 8, 9, 4]]),
            "  deleteCells [0, 1]×2\n  insertCells [0, 1]×3"
        )
    }

    @Test func aMovedSectionKeepsItsCells() {
        expect(
            TestModel(["a": [1], "b": [2], "c": [3]]), TestModel(["b": [2], "c": [3], "a": [1]]), "  moveSections 0→2"
        )
    }

    @Test func aChangedHeaderIsUpdatedInTheLastStage() {
        var target = TestModel(["b": [2], "a": [1]])
        target[1].header = 5
        expect(TestModel(["a": [1], "b": [2]]), target, "  moveSections 0→1", "  updateSections 1")
    }

    @Test func cellsWithEqualIDsArePairedInOrder() {
        let source = [TestCell(id: 1, content: 0), TestCell(id: 2), TestCell(id: 1, content: 5)]
        let target = [TestCell(id: 1, content: 5)]
        let stages = StagedChangeset(source: source, target: target).stages
        #expect(stages.map(\.debugDescription) == ["  updateCells [0, 0]", "  deleteCells [0, 1]×2"])
    }

    @Test func theLastOfTwoEqualCellsIsDeletedIfTheTargetContainsOnlyOne() {
        let source = [2, 1, 1].map { TestCell(id: $0, content: $0) }
        let target = [TestCell(id: 1, content: 1)]
        let stages = StagedChangeset(source: source, target: target).stages
        #expect(stages.map(\.debugDescription) == ["  deleteCells [0, 0], [0, 2]"])
    }

    private func expect(_ source: TestModel, _ target: TestModel, _ stages: String..., at location: SourceLocation = #_sourceLocation) {
        #expect(source.changeset(to: target).stages.map(\.debugDescription) == stages, sourceLocation: location)
        #expect(target.outline.stages(from: source.outline).map(\.debugDescription) == stages, sourceLocation: location)
    }
}
