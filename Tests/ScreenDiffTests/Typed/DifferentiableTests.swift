import Foundation
import ScreenDiff
import ScreenModel
import TestModels
import Testing

@Suite struct DifferentiableElements {
    @Test func aListCanContainTypeErasedElementsOfDifferentTypes() throws {
        let source = [AnyDifferentiable("1"), AnyDifferentiable(1), AnyDifferentiable(TestCell(id: 1))]
        let target = [AnyDifferentiable(TestCell(id: 1, content: 5)), AnyDifferentiable("1"), AnyDifferentiable(1)]
        let changeset = StagedChangeset(source: source, target: target)
        #expect(changeset.stages.map(\.debugDescription) == ["  updateCells [0, 2]", "  moveCells [0, 2]→[0, 0]"])
        let result = try source.applying(changeset)
        #expect(result.map(\.differenceIdentifier) == target.map(\.differenceIdentifier))
    }

    @Test func aTypeErasedElementIsNotWrappedAgain() {
        #expect(AnyDifferentiable(AnyDifferentiable("1")).base as? String == "1")
    }

    @Test func aChangesetIsComputedForSectionsOfAnyModel() throws {
        let source = [ArraySection(model: TestCell(id: 1), elements: [1, 2]), ArraySection(model: TestCell(id: 2), elements: [3])]
        let target = [ArraySection(model: TestCell(id: 2, content: 1), elements: [3, 1])]
        let changeset = StagedChangeset(source: source, target: target)
        #expect(
            changeset.stages.map(\.debugDescription)
                == ["  moveCells [0, 0]→[1, 1]", "  deleteSections 0", "  updateSections 0"]
        )
        #expect(try source.applying(changeset) == target)
    }

    @Test func theDataOfAChangesetHasTheTypeOfTheComparedCollections() throws {
        let source: ContiguousArray = [1, 2, 3]
        let target: ContiguousArray = [3, 1]
        let changeset = StagedChangeset(source: source, target: target)
        #expect(changeset.last?.data == target)
        #expect(try source.applying(changeset) == target)
        let slices = StagedChangeset(source: [1, 2, 3][1...], target: [2])
        #expect(slices.last?.data == [2])
    }

    @Test func theAnchorStaysInPlaceInASectionAndInAFlatList() {
        let source = [ArraySection(model: "a", elements: ["1", "2"])]
        let target = [ArraySection(model: "a", elements: ["2", "1"])]
        #expect(StagedChangeset(source: source, target: target, anchor: "1")[0].elementMoved.map(\.source.item) == [1])
        #expect(StagedChangeset(source: source, target: target, anchor: "2")[0].elementMoved.map(\.source.item) == [0])
        #expect(StagedChangeset(source: ["1", "2"], target: ["2", "1"], anchor: "2")[0].elementMoved.map(\.source.item) == [0])
    }

    @Test func optionalsAndArraysCanBeElementsOfAList() throws {
        let one = [TestCell(id: 1)]
        let lists = StagedChangeset(source: [one, [], one + one], target: [[TestCell(id: 1, content: 1)], one + one])
        #expect(lists.stages.map(\.debugDescription) == ["  updateCells [0, 0]", "  deleteCells [0, 1]"])
        let optionals = StagedChangeset(source: [nil, TestCell(id: 1)], target: [TestCell(id: 1, content: 1), nil])
        #expect(optionals.stages.map(\.debugDescription) == ["  updateCells [0, 1]", "  moveCells [0, 0]→[0, 1]"])
        #expect(try [nil, TestCell(id: 1)].applying(optionals) == [TestCell(id: 1, content: 1), nil])
    }

    @Test func uuidsCanBeElementsOfAList() {
        let (a, b) = (UUID(), UUID())
        #expect(StagedChangeset(source: [a, b], target: [b]).stages.map(\.debugDescription) == ["  deleteCells [0, 0]"])
    }

    @Test func aModelCanHaveTheUninhabitedTypeForItsHeadersOrCells() {
        let source = TableViewModel<Never, Never>(section: TableViewSection(id: "a", cells: []))
        #expect(source.changeset(to: TableViewModel()).stages.map(\.debugDescription) == ["  deleteSections 0"])
        let cells = TableViewModel<Never, Int>(cells: [1])
        #expect(cells.changeset(to: cells).isEmpty)
    }

    @Test func optionalsAndArraysAndDictionariesAreComparedByTheirContents() {
        let (old, new) = (TestCell(id: 1), TestCell(id: 1, content: 1))
        #expect(Optional(old).isContentEqual(to: old) && !Optional(old).isContentEqual(to: new))
        #expect(TestCell?.none.isContentEqual(to: nil) && !TestCell?.none.isContentEqual(to: old))
        #expect([old].isContentEqual(to: [old]) && ![old].isContentEqual(to: [new]) && ![old].isContentEqual(to: []))
        #expect([1: old].isContentEqual(to: [1: old]) && ![1: old].isContentEqual(to: [1: new]))
        #expect(![1: old].isContentEqual(to: [2: old]) && ![1: old].isContentEqual(to: [:]))
    }

    /// A header that conforms only to `ContentEquatable`.
    struct Header: ContentEquatable {
        let text: String
        func isContentEqual(to source: Header) -> Bool { text == source.text }
    }

    @Test func headersNeedToConformOnlyToContentEquatable() {
        typealias Model = TableViewModel<Header, Int>
        func model(_ text: String) -> Model { Model(section: Model.Section(id: "a", header: Header(text: text), cells: [1])) }
        #expect(model("a").changeset(to: model("a")).isEmpty)
        #expect(model("a").changeset(to: model("b")).stages.map(\.debugDescription) == ["  updateSections 0"])
    }
}
