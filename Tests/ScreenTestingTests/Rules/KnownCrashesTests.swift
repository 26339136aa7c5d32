import ScreenDiff
import ScreenModel
import ScreenTesting
import TestModels
import Testing

/// Tests that a strict list view reports the batches that caused known crashes, and that the differ's changesets between the same lists
/// cause no fault.
@MainActor @Suite struct KnownCrashes {
    /// In these crashes, the data was changed before the batch. Therefore the view counted the new row among the rows before the batch.
    @Test(arguments: ["simplenote-ios#730", "DeepDiff#27", "openradar 28167779"])
    func settingTheDataBeforeTheBatchIsReported(crash: String) {
        var data = ["1", "2", "3", "4"]
        let view = StrictListView<String>(.tableView, sections: { [.init(cells: data)] }, reuseIdentifier: { _ in "row" }, report: { _ in })
        data.append("5")
        view.performBatch({ view.perform(.insertCells([place(0, 4)])) }, completion: { _ in })
        #expect(view.faults.map(\.rule) == [.dataSourceChange])
        #expect(
            view.faults.map(\.message) == [
                "Invalid update: invalid number of rows in section 0.  The number of rows contained in an existing section "
                    + "after the update (5) "
                    + "must be equal to the number of rows contained in that section before the update (5), plus or minus the number "
                    + "of rows "
                    + "inserted or deleted from that section (1 inserted, 0 deleted) and plus or minus the number of rows moved into "
                    + "or out of "
                    + "that section (0 moved in, 0 moved out)."
            ])
        expectNoFault(from: ["a": [1, 2, 3, 4]], to: ["a": [1, 2, 3, 4, 5]])
    }

    @Test("DeepDiff#8") func aDeleteInAMissingSectionIsReported() {
        let batch = BrokenBatch(
            .sourceExists, .tableView, from: [], to: [], [.deleteCells([place(0, 0)])],
            "attempt to delete row 0 from section 0, but there are only 0 sections before the update")
        #expect(batch.faults().map(\.message) == [batch.message])
        expectNoFault(from: ["a": [1]], to: [:])
    }

    @Test("DeepDiff#54") func aReloadOfAPlaceThatExistsOnlyAfterTheBatchIsReported() {
        let old = (0..<20).map { "row \($0)" }
        let new = (20..<40).map { "row \($0)" }
        let batch = BrokenBatch(
            .sourceExists, from: [old], to: [new + old], [.insertCells((0..<20).map { place(0, $0) }), .reloadCells([place(0, 20)])],
            "attempt to delete item 20 from section 0 which only contains 20 items before the update")
        #expect(batch.faults().map(\.message) == [batch.message])
        var target = TestModel(["a": Array(20..<40) + Array(0..<20)])
        target.sections[0].cells[20].content = 1
        expectNoFault(from: TestModel(["a": Array(0..<20)]), to: target)
    }

    /// The data of a later stage was set before the rows of an earlier stage were deleted. Newer systems report "Invalid batch updates
    /// detected" (DifferenceKit#155).
    @Test(arguments: ["DifferenceKit#102", "DifferenceKit#155"]) func aBatchWithTheDataOfALaterStageIsReported(crash: String) {
        let batch = BrokenBatch(
            .cellCount, .tableView, from: [["title 1", "title 2"]], to: [["card 3", "card 4"]], [.deleteCells([place(0, 0), place(0, 1)])],
            "Invalid update: invalid number of rows in section 0.  The number of rows contained in an existing section "
                + "after the update (2) "
                + "must be equal to the number of rows contained in that section before the update (2), plus or minus the number "
                + "of rows "
                + "inserted or deleted from that section (0 inserted, 2 deleted) and plus or minus the number of rows moved into "
                + "or out of "
                + "that section (0 moved in, 0 moved out).")
        #expect(batch.faults().map(\.message) == [batch.message])
        expectNoFault(from: ["a": [1, 2]], to: ["a": [3, 4]])
    }

    @Test("openradar 27041784") func aReloadOfARowInAMovedSectionIsReported() {
        let batch = BrokenBatch(
            .cellOfChangedSection, .tableView, from: [["row 1"], ["row 2"]], to: [["row 2"], ["row 1"]],
            [.reloadCells([place(1, 0)]), .moveSection(from: 1, to: 0)], "")
        #expect(batch.faults().map(\.rule) == [batch.rule])
        var target = TestModel(["b": [2], "a": [1]])
        target.sections[0].cells[0].content = 1
        expectNoFault(from: TestModel(["a": [1], "b": [2]]), to: target)
    }

    @Test("openradar 48941906") func aMoveOutOfASectionThatMovesToItsOwnPlaceIsReported() {
        let batch = BrokenBatch(
            .cellOfChangedSection, from: [[], ["row 1"]], to: [["row 1"], []],
            [.moveSection(from: 1, to: 1), .moveCell(from: place(1, 0), to: place(0, 0))], "")
        #expect(batch.faults().map(\.rule) == [batch.rule])
        expectNoFault(from: ["a": [], "b": [1], "c": []], to: ["c": [], "a": [1], "b": []])
    }

    @Test("Bento#51") func anInsertIntoAMovedSectionIsReported() {
        let batch = BrokenBatch(
            .cellOfChangedSection, .tableView, from: [["row 1"], ["row 3"]], to: [["row 1"], ["row 5"], ["row 6", "row 3"]],
            [.insertSections([1]), .moveSection(from: 1, to: 2), .insertCells([place(2, 0)])], "")
        #expect(batch.faults().map(\.rule) == [batch.rule])
        expectNoFault(from: ["a": [1, 2], "b": [3, 4]], to: ["a": [1, 2], "c": [5], "b": [6, 3, 4]])
    }

    @Test("JSQDataSourcesKit#12") func aMoveOutOfADeletedSectionIsReported() {
        let batch = BrokenBatch(
            .cellOfChangedSection, from: [["row 1"], ["row 2"]], to: [["row 1", "row 2"]],
            [.deleteSections([0]), .moveCell(from: place(0, 0), to: place(0, 0))], "cannot move an item from a deleted section (0)")
        #expect(batch.faults().map(\.message) == [batch.message])
        expectNoFault(from: ["a": [1], "b": [2]], to: ["b": [1, 2]])
    }

    @Test("TLIndexPathTools#18") func aMoveIntoANewSectionIsReported() {
        let batch = BrokenBatch(
            .cellOfChangedSection, from: [["row 1"]], to: [[], ["row 1"]],
            [.insertSections([1]), .moveCell(from: place(0, 0), to: place(1, 0))], "cannot move an item into a newly inserted section (1)")
        #expect(batch.faults().map(\.message) == [batch.message])
        expectNoFault(from: ["a": [1]], to: ["a": [], "b": [1]])
    }

    /// UIKit performs the reload of section 3 as an insert at index 4, because a section is inserted before section 3. The move has no
    /// influence on this index.
    @Test("IGListKit#690") func aReloadOfASectionAtTheTargetOfAMoveIsReported() {
        let batch = BrokenBatch(
            .insertOrMove, from: [[], [], [], [], []], to: [[], [], [], [], []],
            [.moveSection(from: 2, to: 4), .reloadSections([3]), .deleteSections([4]), .insertSections([2])],
            "attempt to perform an insert and a move to the same section (4)")
        #expect(batch.faults().map(\.message) == [batch.message])
    }

    @Test("Apple's forums: a reload, a delete and moves") func aReloadOfACellAtTheTargetOfAMoveIsReported() {
        let batch = BrokenBatch(
            .insertOrMove, from: [["row 1", "row 2", "row 3", "row 4"]], to: [["row 4", "row 1", "row 3"]],
            [
                .deleteCells([place(0, 1)]), .moveCell(from: place(0, 0), to: place(0, 1)), .moveCell(from: place(0, 3), to: place(0, 0)),
                .reloadCells([place(0, 2)]),
            ], "attempt to perform an insert and a move to the same index path ({length = 2, path = 0 - 1})")
        #expect(batch.faults().map(\.message) == [batch.message])
        var target = TestModel(["a": [4, 1, 3]])
        target.sections[0].cells[2].content = 1
        expectNoFault(from: TestModel(["a": [1, 2, 3, 4]]), to: target)
    }

    @Test("SectionKit#99") func aReloadWithinABatchIsReported() {
        var data = TypedModel(TestModel(["a": [1]]))
        let view = StrictListView(.collectionView, showing: { data }, report: { _ in })
        view.performBatch({ view.reloadData() }, completion: { _ in })
        #expect(view.faults.map(\.rule) == [.reloadInBatch])
        let target = TypedModel(TestModel(["a": [1, 2]]))
        view.reload(using: data.changeset(to: target), interrupt: { _ in true }) { data = $0 }
        #expect(view.faults.count == 1)
    }

    /// In the known crash, the animation of the first update was interrupted. Therefore the table showed one row fewer than the source of
    /// the second changeset.
    @Test("moko-units#59") func aChangesetWhoseSourceIsNotTheShownListIsReported() {
        var data = TypedModel(TestModel(["a": [1]]))
        let (first, second) = (TypedModel(TestModel(["a": [2, 3]])), TypedModel(TestModel(["a": [4, 5, 6]])))
        let stale = StrictListView(.tableView, showing: { data }, report: { _ in })
        stale.reload(using: first.changeset(to: second)) { data = $0 }
        #expect(stale.faults.map(\.rule) == [.sourceExists])

        // The second changeset arrives while the first is performed. In this case, the view is reloaded.
        data = TypedModel(TestModel(["a": [1]]))
        let view = StrictListView(.tableView, showing: { data }, report: { _ in })
        view.finishesAnimations = false
        var arrived: [TypedModel] = [second]
        var completions: [Bool] = []
        view.reload(
            using: data.changeset(to: first),
            setData: { new in
                data = new
                guard let next = arrived.popLast() else { return }
                view.reload(using: first.changeset(to: next), setData: { _ in Issue.record("the first call sets the data") }) {
                    completions.append($0)
                }
            }, completion: { completions.append($0) })
        #expect(view.faults == [] && data == second && view.cells[0].map(\.content.id) == [4, 5, 6])
        #expect(completions == [true, false])
    }

    private func expectNoFault(from source: KeyValuePairs<String, [Int]>, to target: KeyValuePairs<String, [Int]>) {
        expectNoFault(from: TestModel(source), to: TestModel(target))
    }

    private func expectNoFault(from source: TestModel, to target: TestModel) {
        for kind in ListViewKind.allCases {
            #expect(throws: Never.self) { try performTyped(source, target, kind) }
            #expect(throws: Never.self) { try performReceived(source, target, kind) }
        }
    }
}
