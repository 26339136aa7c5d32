import ScreenDiff
import ScreenModel
import Testing

@Suite struct StagedChangesets {
    let source = [TestCell(id: 1), TestCell(id: 2), TestCell(id: 3)]
    let target = [TestCell(id: 3, content: 1), TestCell(id: 1), TestCell(id: 4)]

    @Test func theDataOfTheLastStepIsTheTarget() {
        let changeset = StagedChangeset(source: source, target: target)
        #expect(changeset.map { $0.data[0].cells }.last == target)
        #expect(changeset.count == 2)
        #expect(changeset[0].data[0].cells == [TestCell(id: 1), TestCell(id: 2), TestCell(id: 3, content: 1)])
    }

    @Test func changesAreCounted() {
        // One update, one delete, one insert, one move.
        #expect(StagedChangeset(source: source, target: target).changeCount == 4)
    }

    @Test func tooManyChangesAreAReload() {
        let changeset = StagedChangeset(source: source, target: target)
        guard case .reload(let data) = changeset.plan(interrupt: { $0.changeCount > 3 }) else {
            Issue.record("four changes are more than three")
            return
        }
        #expect(data[0].cells == target)
        guard case .animate(let steps) = changeset.plan(interrupt: { $0.changeCount > 4 }) else {
            Issue.record("four changes are not more than four")
            return
        }
        #expect(steps.count == 2)
    }

    @Test func aChangesetDescribesItselfInLines() {
        let changeset = StagedChangeset(source: source, target: target)
        #expect(
            changeset.debugDescription == """
                4 changes in 2 stages
                stage 1 of 2
                  updateCells [0, 2]
                stage 2 of 2
                  deleteCells [0, 1]
                  insertCells [0, 2]
                  moveCells [0, 0]→[0, 1]
                """
        )
    }
}
