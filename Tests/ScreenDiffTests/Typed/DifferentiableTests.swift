import ScreenDiff
import ScreenModel
import Testing

@Suite struct DifferentiableElements {
    @Test func elementsOfAllTypesCanBeMixed() throws {
        let source = [AnyDifferentiable("1"), AnyDifferentiable(1), AnyDifferentiable(TestCell(id: 1))]
        let target = [AnyDifferentiable(TestCell(id: 1, content: 5)), AnyDifferentiable("1"), AnyDifferentiable(1)]
        let changeset = StagedChangeset(source: source, target: target)
        #expect(changeset.stages.map(\.debugDescription) == ["  updateCells [0, 2]", "  moveCells [0, 2]→[0, 0]"])
        let result = try source.applying(changeset)
        #expect(result.map(\.differenceIdentifier) == target.map(\.differenceIdentifier))
    }

    @Test func sectionsOfAnyModelAreDiffed() throws {
        let source = [ArraySection(model: TestCell(id: 1), elements: [1, 2]), ArraySection(model: TestCell(id: 2), elements: [3])]
        let target = [ArraySection(model: TestCell(id: 2, content: 1), elements: [3, 1])]
        let changeset = StagedChangeset(source: source, target: target)
        #expect(
            changeset.stages.map(\.debugDescription)
                == ["  moveCells [0, 0]→[1, 1]", "  deleteSections 0", "  updateSections 0"]
        )
        #expect(try source.applying(changeset) == target)
    }

    @Test func supplementaryViewsBelongToTheViewsOfASection() throws {
        typealias Model = CollectionViewModel<Int, TestCell>
        let cells = [TestCell(id: 1)]
        let badge = SupplementaryViewKey(kind: "badge", item: 0)
        let source = Model(section: Model.Section(id: "a", supplementaryViews: [:], cells: cells))
        let target = Model(section: Model.Section(id: "a", supplementaryViews: [badge: 1], cells: cells))
        let changeset = source.changeset(to: target)
        #expect(changeset.stages.map(\.debugDescription) == ["  updateSections 0"])
        #expect(try source.applying(changeset) == target)
    }
}
