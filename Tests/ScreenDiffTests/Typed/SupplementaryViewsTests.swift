import ScreenDiff
import ScreenModel
import TestModels
import Testing

/// Tests of supplementary views. Each view belongs to a cell, or to a place without a cell.
@Suite struct SupplementaryViews {
    typealias Model = CollectionViewModel<String, TestCell>

    private func stages(_ source: Model.Section, _ target: Model.Section) -> [String] {
        Model(section: source).changeset(to: Model(section: target)).stages.map(\.debugDescription)
    }

    private func section(_ cells: [Int], _ views: KeyValuePairs<Int, String>, id: String = "a") -> Model.Section {
        var section = Model.Section(id: id, cells: cells.map { TestCell(id: $0) })
        for (item, view) in views { section[SupplementaryViewSectionKey(kind: "badge", item: item)] = view }
        return section
    }

    @Test func aSectionIsUpdatedIfASupplementaryViewIsInsertedOrDeletedOrChanged() {
        #expect(stages(section([1], [:]), section([1], [0: "new"])) == ["  updateSections 0"])
        #expect(stages(section([1], [0: "new"]), section([1], [:])) == ["  updateSections 0"])
        #expect(stages(section([1], [0: "new"]), section([1], [0: "old"])) == ["  updateSections 0"])
    }

    @Test func aSectionIsNotUpdatedIfASupplementaryViewMovesWithItsCell() {
        #expect(stages(section([1, 2], [1: "new"]), section([2, 1], [0: "new"])) == ["  moveCells [0, 0]→[0, 1]"])
        #expect(stages(section([1, 2], [1: "new"]), section([2], [0: "new"])) == ["  deleteCells [0, 0]"])
    }

    @Test func aSectionIsUpdatedIfItsSupplementaryViewNowBelongsToADifferentCell() {
        #expect(
            stages(section([1, 2], [0: "new"]), section([2, 1], [0: "new"]))
                == ["  moveCells [0, 0]→[0, 1]", "  updateSections 0"]
        )
    }

    @Test func theSupplementaryViewOfACellThatChangesItsSectionAppearsInTheLastStage() {
        let source = Model(sections: [section([1, 2], [0: "new"]), section([3], [:], id: "b")])
        let target = Model(sections: [section([2], [:]), section([1, 3], [0: "new"], id: "b")])
        let views = source.changeset(to: target).map { $0.data.map(\.supplementaryViews.count) }
        #expect(views == [[0, 0], [0, 1]])
    }

    @Test func aSupplementaryViewWithoutACellStaysAtItsPlace() {
        #expect(stages(section([1, 2], [9: "sky"]), section([2], [9: "sky"])) == ["  deleteCells [0, 0]"])
        #expect(stages(section([1], [1: "sky"]), section([1, 2], [1: "sky"])) == ["  insertCells [0, 1]", "  updateSections 0"])
    }

    @Test func aSupplementaryViewThatMovesWithItsCellReplacesTheViewAtItsNewItem() {
        var source = Model.Section(id: "a", cells: [TestCell(id: 1)])
        var views = source
        views.cells.insert(TestCell(id: 0), at: 0)
        for kind in (0..<32).map(String.init) {
            source[SupplementaryViewSectionKey(kind: kind, item: 0)] = "of 1"
            source[SupplementaryViewSectionKey(kind: kind, item: 1)] = "sky"
            views[SupplementaryViewSectionKey(kind: kind, item: 1)] = "of 1"
        }
        #expect(Model.Section(source: source, elements: views.cells) == views)
    }

    @Test func supplementaryViewsOfCellsWithEqualIdentifiersArePairedInOrder() {
        #expect(stages(section([1, 1], [1: "second"]), section([2, 1, 1], [2: "second"])) == ["  insertCells [0, 0]"])
        #expect(
            stages(section([1, 1], [1: "second"]), section([2, 1, 1], [1: "second"]))
                == ["  insertCells [0, 0]", "  updateSections 0"]
        )
    }

    @Test func applyingAChangesetMovesSupplementaryViewsWithTheirCells() throws {
        let source = Model(section: section([1, 2, 3], [0: "of 1", 2: "of 3", 7: "sky"]))
        let target = Model(section: section([3, 4, 1], [0: "of 3", 2: "of 1", 7: "sky"]))
        #expect(try source.applying(source.changeset(to: target)) == target)
        let changed = Model(section: section([3, 4, 1], [1: "of 4"]))
        #expect(try source.applying(source.changeset(to: changed)) == changed)
    }
}
