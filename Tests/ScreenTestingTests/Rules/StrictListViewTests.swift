import ScreenDiff
import ScreenModel
import ScreenTesting
import TestModels
import Testing

/// Tests that cells keep their identities in a batch that follows the rules.
@MainActor @Suite struct StrictListViews {
    private func list(_ cells: @escaping () -> [[String]]) -> StrictListView<String> {
        StrictListView(.collectionView, sections: { cells().map { .init(cells: $0) } }, reuseIdentifier: { _ in "row" })
    }

    private func cells(
        from before: [[String]], to after: [[String]], _ operations: ListOperation...
    ) -> (old: [[StrictListView<String>.Cell]], new: [[StrictListView<String>.Cell]]) {
        var data = before
        let view = list { data }
        let old = view.cells
        view.performBatch(
            {
                data = after
                operations.forEach(view.perform)
            }, completion: { _ in })
        return (old, view.cells)
    }

    @Test func aMovedCellKeepsItsView() {
        let (old, new) = cells(
            from: [["1", "2", "3"], ["4"]], to: [["5", "3"], ["1", "4"]],
            .deleteCells([place(0, 1)]), .insertCells([place(0, 0)]), .moveCell(from: place(0, 0), to: place(1, 0)))
        #expect(new[0][1] === old[0][2] && new[1][0] === old[0][0] && new[1][1] === old[1][0])
        #expect(!old.joined().contains { $0 === new[0][0] })
    }

    @Test func cellsMoveWithTheirSections() {
        let (old, new) = cells(
            from: [["1"], ["2"], ["3"]], to: [["3"], ["4"], ["1"]],
            .deleteSections([1]), .insertSections([1]), .moveSection(from: 2, to: 0))
        #expect(new[0][0] === old[2][0] && new[2][0] === old[0][0] && new[1][0].content == "4")
    }

    @Test func aReloadedCellHasANewViewAndAReconfiguredCellKeepsItsView() {
        let (old, new) = cells(
            from: [["1", "2", "3"]], to: [["1'", "2'", "3'"]], .reloadCells([place(0, 0)]), .reconfigureCells([place(0, 1)]))
        #expect(new[0][0] !== old[0][0] && new[0][1] === old[0][1] && new[0][2] === old[0][2])
        // The third cell was not updated, so it still shows its old content.
        #expect(new[0].map(\.content) == ["1'", "2'", "3"])
    }

    @Test func theCellsOfAReloadedSectionHaveNewViews() {
        let (old, new) = cells(from: [["1"], ["2"]], to: [["1"], ["2", "3"]], .reloadSections([1]))
        #expect(new[0][0] === old[0][0] && new[1][0] !== old[1][0] && new[1].map(\.content) == ["2", "3"])
    }

    @Test func aViewOfAModelKeepsACellThatAChangesetMoves() {
        var rows = TypedModel(TestModel(["a": [1, 2], "b": [4]]))
        let view = StrictListView(.tableView) { rows }
        let first = view.cells[0][0]
        view.reload(using: rows.changeset(to: TypedModel(TestModel(["b": [4, 1], "a": [2]])))) { rows = $0 }
        #expect(view.cells[0][1] === first && view.cells.map { $0.map(\.content.id) } == [[4, 1], [2]])
    }

    @Test func aReloadOfTheViewCreatesNewCells() {
        let view = list { [["1"]] }
        let old = view.cells[0][0]
        view.reloadData()
        #expect(view.cells[0][0] !== old && view.cells[0][0].content == "1")
    }

    @Test(arguments: [true, false]) func theCompletionOfABatchReceivesTheEndOfTheAnimations(isFinished: Bool) {
        let view = list { [] }
        view.animationEnd = isFinished ? .finished : .interrupted
        var received: [Bool] = []
        view.performBatch({}, completion: { received.append($0) })
        #expect(received == [isFinished])
    }

    @Test func theCompletionsOfBatchesInProgressAreCalledWhenTheirAnimationsEnd() {
        let view = list { [] }
        view.animationEnd = nil
        var received: [Bool] = []
        for _ in 0..<2 { view.performBatch({}, completion: { received.append($0) }) }
        #expect(received == [])
        view.endAnimations(.interrupted)
        view.endAnimations(.finished)
        #expect(received == [false, false])
    }
}
