import ScreenDiff
import ScreenModel
import ScreenTesting
import TestModels
import Testing

/// Tests that a strict list view reports the batches that caused known crashes, and that the differ's changesets between the same lists
/// cause no fault.
@MainActor @Suite struct KnownCrashes {
    /// A crash with the numbers of its log.
    struct Log: Sendable, CustomStringConvertible {
        let description: String
        var kind = ListViewKind.tableView
        let before, after: Int
        var inserted = 0
        var deleted = 0

        func message(_ before: Int) -> String {
            let cells = kind == .tableView ? "rows" : "items"
            return "Invalid update: invalid number of \(cells) in section 0.  The number of \(cells) contained in an existing section "
                + "after the update (\(after)) must be equal to the number of \(cells) contained in that section before the update (\(before)), "
                + "plus or minus the number of \(cells) inserted or deleted from that section (\(inserted) inserted, \(deleted) deleted) "
                + "and plus or minus the number of \(cells) moved into or out of that section (0 moved in, 0 moved out)."
        }
    }

    /// The data was changed before the batch, so the view counted the new cells as cells before the batch. DeepDiff#27 explains the second
    /// log of DeepDiff#8.
    @Test(arguments: [
        Log(description: "simplenote-ios#730", before: 4, after: 5, inserted: 1),
        Log(description: "DeepDiff#27", before: 0, after: 15, inserted: 15),
        Log(description: "openradar 28167779", kind: .collectionView, before: 2, after: 3, inserted: 1),
    ])
    func aFaultIsReportedIfTheDataIsSetBeforeTheBatch(crash: Log) {
        var data = Array(0..<crash.before)
        let view = StrictListView<Int>(crash.kind, sections: { [.init(cells: data)] }, reuseIdentifier: { _ in "row" }, report: { _ in })
        data = Array(0..<crash.after)
        view.performBatch({ view.perform(.insertCells((crash.before..<crash.after).map { place(0, $0) })) }, completion: { _ in })
        #expect(view.faults.map(\.rule) == [.dataSourceChange])
        #expect(view.faults.map(\.message) == [crash.message(crash.after)])
        expectNoFault(from: ["a": Array(0..<crash.before)], to: ["a": Array(0..<crash.after)])
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

    /// The data of a later stage was set before the rows of an earlier stage were deleted.
    @Test("DifferenceKit#102") func aBatchWithTheDataOfALaterStageIsReported() {
        let crash = Log(description: "", before: 10, after: 10, deleted: 10)
        let batch = BrokenBatch(
            .cellCount, .tableView, from: [(0..<10).map { "title \($0)" }], to: [(10..<20).map { "card \($0)" }],
            [.deleteCells((0..<10).map { place(0, $0) })], crash.message(10))
        #expect(batch.faults().map(\.message) == [batch.message])
        expectNoFault(from: ["a": Array(0..<10)], to: ["a": Array(10..<20)])
    }

    /// DifferenceKit#155 has the message of newer systems, "Invalid batch updates detected", without numbers. XLPagerTabStrip#859 has this
    /// message with the numbers of this test. The strict list view reports the rule with the message of older systems.
    @Test("DifferenceKit#155") func aBatchWithoutTheOperationsOfItsChangeIsReported() {
        let batch = BrokenBatch(.cellCount, from: [(0..<4).map { "tab \($0)" }], to: [["tab 0"]], [], "")
        #expect(batch.faults().map(\.rule) == [batch.rule])
        expectNoFault(from: ["a": Array(0..<4)], to: ["a": [0]])
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

    @Test("openradar 48941906") func aMoveOutOfASectionThatIsMovedToItsOldIndexIsReported() {
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

    /// The view left the window while the first update was animated. The data changed, but the table still showed one row. The second
    /// changeset only updated rows.
    @Test("moko-units#59") func aChangesetWhoseSourceIsNotShownIsReported() {
        let crash = Log(description: "", before: 1, after: 7)
        let (one, seven) = (TypedModel(TestModel(["a": [1]])), TypedModel(TestModel(["a": Array(1...7)])))
        var updated = seven
        updated.sections[0].cells[1].content = 1
        var data = one
        let view = StrictListView(.tableView, showing: { data }, report: { _ in })
        data = seven
        view.reload(using: seven.changeset(to: updated)) { data = $0 }
        #expect(view.faults.map(\.rule) == [.dataSourceChange] && view.faults.map(\.message) == [crash.message(1)])
    }

    @Test("moko-units#59") func aViewThatLeavesItsWindowDuringAnAnimationIsReloadedByTheNextUpdate() {
        let (one, seven) = (TypedModel(TestModel(["a": [1]])), TypedModel(TestModel(["a": Array(1...7)])))
        var updated = seven
        updated.sections[0].cells[1].content = 1
        var data = one
        let view = StrictListView(.tableView) { data }
        view.animationEnd = nil
        var completions: [Bool] = []
        view.reload(using: one.changeset(to: seven), setData: { data = $0 }) { completions.append($0) }
        view.isShown = false
        view.reload(using: seven.changeset(to: updated), setData: { data = $0 }) { completions.append($0) }
        #expect(view.cells[0].map(\.content) == updated[0].cells && completions == [true])
        view.endAnimations(.interrupted)
        #expect(completions == [true, false])
    }

    @Test(arguments: ListViewKind.allCases) func aSecondUpdateDuringAnAnimationIsPerformed(kind: ListViewKind) {
        var data = TypedModel(TestModel(["a": [1]]))
        let view = StrictListView(kind) { data }
        let first = view.cells[0][0]
        view.animationEnd = nil
        var completions: [Bool] = []
        for target in [["a": [2, 1]], ["a": [1, 3]]] as [KeyValuePairs<String, [Int]>] {
            view.reload(using: data.changeset(to: TypedModel(TestModel(target))), setData: { data = $0 }) { completions.append($0) }
        }
        #expect(view.cells[0].map(\.content.id) == [1, 3] && view.cells[0][0] === first && completions == [])
        view.endAnimations(.finished)
        #expect(completions == [true, true])
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
