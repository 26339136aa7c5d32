import ScreenDiff
import ScreenTesting
import Testing

/// Tests that a strict list view reports a batch that breaks a rule.
@MainActor @Suite struct Rules {
    nonisolated static let batches = [
        BrokenBatch(
            .sectionCount, from: [["row 1"]], to: [["row 1"], []], [],
            "Invalid update: invalid number of sections.  The number of sections contained in the collection view after "
                + "the update (2) must be "
                + "equal to the number of sections contained in the collection view before the update (1), plus or minus the number of "
                + "sections inserted or deleted (0 inserted, 0 deleted)."),
        BrokenBatch(
            .cellCount, .tableView, from: [["row 1"], ["row 2", "row 3"]], to: [["row 3"], []],
            [.moveCell(from: place(1, 1), to: place(0, 0)), .deleteCells([place(1, 0)])],
            "Invalid update: invalid number of rows in section 0.  The number of rows contained in an existing section "
                + "after the update (1) "
                + "must be equal to the number of rows contained in that section before the update (1), plus or minus the number "
                + "of rows "
                + "inserted or deleted from that section (0 inserted, 0 deleted) and plus or minus the number of rows moved into "
                + "or out of "
                + "that section (1 moved in, 0 moved out)."),
        BrokenBatch(
            .sourceExists, from: [[]], to: [[]], [.deleteCells([place(0, 0)])],
            "attempt to delete item 0 from section 0 which only contains 0 items before the update"),
        BrokenBatch(
            .sourceExists, from: [[]], to: [[]], [.reconfigureCells([place(0, -1)])],
            "attempt to delete item -1 from section 0 which only contains 0 items before the update"),
        BrokenBatch(
            .sourceExists, from: [[]], to: [[]], [.deleteSections([1])],
            "attempt to delete section 1, but there are only 1 sections before the update"),
        BrokenBatch(
            .sourceExists, from: [[]], to: [[]], [.updateSections([1])],
            "attempt to delete section 1, but there are only 1 sections before the update"),
        BrokenBatch(
            .sourceExists, .tableView, from: [["row 1"], [], []], to: [["row 1"], [], []], [.moveCell(from: place(2, 0), to: place(0, 0))],
            "attempt to move index path ({length = 2, path = 2 - 0}) that does not exist - there are only 0 rows in "
                + "section 2 before the update"
        ),
        BrokenBatch(
            .sourceExists, from: [[]], to: [[]], [.moveCell(from: place(1, 0), to: place(0, 0))],
            "attempt to move index path ({length = 2, path = 1 - 0}) from a section that does not exist - there are only 1 "
                + "sections before the "
                + "update"),
        BrokenBatch(
            .sourceExists, from: [[]], to: [[]], [.moveSection(from: 1, to: 0)],
            "attempt to move section 1, but there are only 1 sections before the update"),
        BrokenBatch(
            .targetExists, .tableView, from: [["row 1"]], to: [["row 1"]], [.insertCells([place(0, 1)])],
            "attempt to insert row 1 into section 0, but there are only 1 rows in section 0 after the update"),
        BrokenBatch(
            .targetExists, from: [[]], to: [[]], [.insertCells([place(1, 0)])],
            "attempt to insert item 0 into section 1, but there are only 1 sections after the update"),
        BrokenBatch(
            .targetExists, from: [[]], to: [[]], [.insertSections([1])],
            "attempt to insert section 1 but there are only 1 sections after the update"),
        BrokenBatch(
            .targetExists, .tableView, from: [["row 1", "row 2"], ["row 3"]], to: [["row 1", "row 2"], ["row 3"]],
            [.moveCell(from: place(1, 0), to: place(0, 2))],
            "attempt to move index path ({length = 2, path = 1 - 0}) to index path ({length = 2, path = 0 - 2}) that does "
                + "not exist - there are "
                + "only 2 rows in section 0 after the update"),
        BrokenBatch(
            .targetExists, from: [["row 1"]], to: [["row 1"]], [.moveCell(from: place(0, 0), to: place(1, 0))],
            "attempt to move index path ({length = 2, path = 0 - 0}) to index path ({length = 2, path = 1 - 0}) in section "
                + "that does not exist - "
                + "there are only 1 sections after the update"),
        BrokenBatch(
            .targetExists, from: [[]], to: [[]], [.moveSection(from: 0, to: 1)],
            "attempt to move section 0 to section 1, but there are only 1 sections after the update"),
        BrokenBatch(
            .deletedOnce, from: [["row 1", "row 2"]], to: [[]], [.deleteCells([place(0, 0), place(0, 0)])],
            "attempt to delete the same index path twice ({length = 2, path = 0 - 0})"),
        BrokenBatch(
            .deletedOnce, from: [["row 1"]], to: [["row 1"]], [.reloadCells([place(0, 0), place(0, 0)])],
            "attempt to delete the same index path twice ({length = 2, path = 0 - 0})"),
        BrokenBatch(
            .deletedOnce, from: [[]], to: [[]], [.reloadSections([0, 0])], "attempt to delete the same section twice (0)"),
        BrokenBatch(
            .deleteOrReload, from: [["row 1"]], to: [[]], [.deleteCells([place(0, 0)]), .reloadCells([place(0, 0)])],
            "attempt to delete and reload the same index path ({length = 2, path = 0 - 0})"),
        BrokenBatch(
            .deleteOrReload, from: [[]], to: [], [.deleteSections([0]), .reloadSections([0])],
            "attempt to delete and reload the same section (0)"),
        BrokenBatch(
            .deleteOrMove, from: [["row 1", "row 2"]], to: [["row 2"]],
            [.deleteCells([place(0, 1)]), .moveCell(from: place(0, 1), to: place(0, 0))],
            "attempt to perform a delete and a move from the same index path ({length = 2, path = 0 - 1})"),
        BrokenBatch(
            .deleteOrMove, from: [["row 1", "row 2"]], to: [["row 2", "row 1"]],
            [.reloadCells([place(0, 1)]), .moveCell(from: place(0, 1), to: place(0, 0))],
            "attempt to perform a delete and a move from the same index path ({length = 2, path = 0 - 1})"),
        BrokenBatch(
            .deleteOrMove, from: [[], []], to: [[]], [.deleteSections([1]), .moveSection(from: 1, to: 0)],
            "attempt to perform a delete and a move from the same section (1)"),
        BrokenBatch(
            .movedOnce, from: [["row 1", "row 2"]], to: [["row 1", "row 2"]],
            [.moveCell(from: place(0, 0), to: place(0, 0)), .moveCell(from: place(0, 0), to: place(0, 1))],
            "attempt to move item at index path {length = 2, path = 0 - 0} to both {length = 2, path = 0 - 0} and {length "
                + "= 2, path = 0 - 1}"
        ),
        BrokenBatch(
            .movedOnce, from: [[], []], to: [[], []], [.moveSection(from: 0, to: 0), .moveSection(from: 0, to: 1)],
            "attempt to move section 0 to both section 0 and section 1"),
        BrokenBatch(
            .insertOrMove, from: [["row 1"]], to: [["row 2", "row 1"]],
            [.insertCells([place(0, 0)]), .moveCell(from: place(0, 0), to: place(0, 0))],
            "attempt to perform an insert and a move to the same index path ({length = 2, path = 0 - 0})"),
        BrokenBatch(
            .insertOrMove, from: [["row 1"], []], to: [[], ["row 1"], []], [.insertSections([1]), .moveSection(from: 0, to: 1)],
            "attempt to perform an insert and a move to the same section (1)"),
        BrokenBatch(
            .oneTarget, from: [["row 1", "row 2"]], to: [["row 1", "row 2"]],
            [.moveCell(from: place(0, 0), to: place(0, 1)), .moveCell(from: place(0, 1), to: place(0, 1))],
            "attempt to move both item at index path {length = 2, path = 0 - 0} and {length = 2, path = 0 - 1} to {length "
                + "= 2, path = 0 - 1}"
        ),
        BrokenBatch(
            .oneTarget, from: [[], []], to: [[], []], [.moveSection(from: 0, to: 1), .moveSection(from: 1, to: 1)],
            "attempt to move both section 0 and section 1 to section 1"),
        BrokenBatch(
            .insertedOnce, from: [[]], to: [["row 1", "row 2"]], [.insertCells([place(0, 0), place(0, 0)])],
            "attempt to insert twice to the same index path ({length = 2, path = 0 - 0})"),
        BrokenBatch(
            .cellOfChangedSection, from: [["row 1"], []], to: [["row 1"]],
            [.deleteSections([0]), .moveCell(from: place(0, 0), to: place(0, 0))],
            "cannot move an item from a deleted section (0)"),
        BrokenBatch(
            .cellOfChangedSection, .tableView, from: [["row 1"]], to: [[], ["row 1"]],
            [.insertSections([1]), .moveCell(from: place(0, 0), to: place(1, 0))], "cannot move a row into a newly inserted section (1)"),
        BrokenBatch(
            .cellOfChangedSection, from: [["row 1"]], to: [["row 2"]], [.reloadSections([0]), .reloadCells([place(0, 0)])],
            "attempt to change the item at index path ({length = 2, path = 0 - 0}) and its section in one batch"),
        BrokenBatch(
            .impliedOperation, from: [["row 1"], []], to: [[]], [.deleteSections([0]), .deleteCells([place(0, 0)])],
            "the item at index path ({length = 2, path = 0 - 0}) is deleted or inserted together with its section"),
        BrokenBatch(
            .impliedOperation, from: [[]], to: [[], ["row 1"]], [.insertSections([1]), .insertCells([place(1, 0)])],
            "the item at index path ({length = 2, path = 1 - 0}) is deleted or inserted together with its section"),
        BrokenBatch(
            .updatedApart, from: [["row 1", "row 2"]], to: [["row 2", "row 1"]],
            [.reconfigureCells([place(0, 1)]), .moveCell(from: place(0, 1), to: place(0, 0))],
            "attempt to update and to delete, reload or move the same index path ({length = 2, path = 0 - 1})"),
        BrokenBatch(
            .updatedApart, from: [["row 1"]], to: [["row 1"]], [.reconfigureCells([place(0, 0)]), .reloadCells([place(0, 0)])],
            "attempt to update and to delete, reload or move the same index path ({length = 2, path = 0 - 0})"),
        BrokenBatch(
            .updatedApart, from: [[], []], to: [[], []], [.updateSections([1]), .moveSection(from: 1, to: 0)],
            "attempt to update and to delete, reload or move the same section (1)"),
        BrokenBatch(
            .reconfiguredType, from: [["row 1"]], to: [["title 1"]], [.reconfigureCells([place(0, 0)])],
            "Attempted to dequeue a cell for a different registration or reuse identifier than the existing cell when "
                + "reconfiguring an item, "
                + "which is not allowed. You can only dequeue a cell with the same registration or reuse identifier that was "
                + "used for the "
                + "existing cell. Dequeued reuse identifier: title; Original reuse identifier: row"),
    ]

    @Test(arguments: batches) func aBatchThatBreaksARuleIsReportedWithTheMessageOfTheView(batch: BrokenBatch) {
        let faults = batch.faults()
        #expect(faults.map(\.rule) == [batch.rule])
        #expect(faults.map(\.message) == [batch.message])
    }

    /// A fetched results controller reports a new section, and also each row of this section. An app that passes these reports to a table
    /// inserts the rows together with their section.
    @Test func aBatchThatBreaksOnlyAStricterRuleIsPerformedAndDoesNotEndTheTest() {
        var data = [["1"], ["2"]]
        let view = StrictListView<String>(.tableView, sections: { data.map { .init(cells: $0) } }, reuseIdentifier: { _ in "row" })
        let kept = view.cells[1][0]
        view.performBatch(
            {
                data = [["2"], ["3", "4"]]
                view.perform(.deleteSections([0]))
                view.perform(.deleteCells([place(0, 0)]))
                view.perform(.insertSections([1]))
                view.perform(.insertCells([place(1, 0), place(1, 1)]))
            }, completion: { _ in })
        #expect(view.faults.map(\.rule) == [.impliedOperation])
        #expect(view.cells[0][0] === kept && view.cells.map { $0.map(\.content) } == data)
    }

    @Test func aViewShowsItsDataAfterTwoInsertsAtOnePlace() {
        var data = ["1"]
        let view = list { data }
        view.performBatch(
            {
                data = ["2", "3", "1"]
                view.perform(.insertCells([place(0, 0), place(0, 0)]))
            }, completion: { _ in })
        #expect(view.faults.map(\.rule) == [.insertedOnce])
        #expect(view.cells.map { $0.map(\.content) } == [data])
    }

    @Test func eachRuleHasATest() {
        let others: Set<ListViewRule> = [.updatedViews, .nestedBatch, .reloadInBatch, .dataSourceChange]
        #expect(others.union(Self.batches.map(\.rule)) == Set(ListViewRule.allCases))
    }

    @Test(arguments: [("head", nil), (nil, "head"), ("head", "banner")] as [(String?, String?)], ["header", "footer", "badge"])
    func viewsThatAppearDisappearOrChangeTheirTypeMustBeReloaded(types: (old: String?, new: String?), name: String) {
        func faults(_ operations: ListOperation...) -> [ListViewFault] {
            var type = types.old
            let view = StrictListView<String>(
                .tableView, sections: { [.init(cells: ["1"], views: [name: type].compactMapValues(\.self))] }, reuseIdentifier: { $0 },
                report: { _ in }
            )
            view.performBatch(
                {
                    type = types.new
                    operations.forEach(view.perform)
                }, completion: { _ in })
            return view.faults
        }
        let message = "the \(name) of section 0 has the type \(types.new ?? "none"), but the list view shows \(types.old ?? "none")"
        #expect(faults(.updateSections([0])).map(\.message) == [message])
        #expect(faults(.updateSections([0])).map(\.rule) == [.updatedViews])
        #expect(faults(.reloadSections([0])) == [])
        // A supplementary view can also appear or disappear together with its cell, without a reload of its section.
        #expect(faults().map(\.rule) == (name == "badge" ? [] : [.updatedViews]))
    }

    @Test func aBatchWithinABatchIsReportedAndPerformed() {
        var data = ["1", "2"]
        let view = list { data }
        let kept = view.cells[0][1]
        var completions = 0
        view.performBatch(
            {
                view.performBatch(
                    {
                        data = ["2"]
                        view.perform(.deleteCells([place(0, 0)]))
                    }, completion: { _ in completions += 1 })
            }, completion: { _ in completions += 1 })
        #expect(view.faults.map(\.rule) == [.nestedBatch])
        #expect(view.cells.map(\.count) == [1] && view.cells[0][0] === kept && completions == 2)
    }

    @Test func aReloadWithinABatchIsReported() {
        let view = list { ["1"] }
        view.performBatch({ view.reloadData() }, completion: { _ in })
        #expect(view.faults.map(\.rule) == [.reloadInBatch])
    }

    @Test func aChangeOfTheDataOutsideABatchIsReported() {
        var data = ["1"]
        let view = list { data }
        data = ["1", "2"]
        view.performBatch({}, completion: { _ in })
        #expect(view.faults.map(\.rule) == [.dataSourceChange])
        #expect(
            view.faults[0].message.contains("after the update (2) must be equal to the number of items contained in that section before"))
        data = []
        view.reloadData()
        view.performBatch({}, completion: { _ in })
        #expect(view.faults.count == 1)
    }

    @Test func aViewShowsTheCurrentDataAfterAFault() {
        var data = ["1"]
        let view = list { data }
        view.performBatch({ data = ["2", "3"] }, completion: { _ in })
        #expect(view.faults.map(\.rule) == [.cellCount])
        #expect(view.cells.map { $0.map(\.content) } == [["2", "3"]])
    }

    private func list(_ cells: @escaping () -> [String]) -> StrictListView<String> {
        StrictListView(.collectionView, sections: { [.init(cells: cells())] }, reuseIdentifier: { _ in "row" }, report: { _ in })
    }
}
