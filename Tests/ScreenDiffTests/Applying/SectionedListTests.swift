import ScreenDiff
import Testing

@Suite("A list in sections") struct SectionedListTests {
    private let list = SectionedList(sections: ["a", "b"], cells: [[1, 2, 3], [4, 5]])
    private let target = SectionedList(sections: ["x", "y", "z"], cells: [[10, 11], [20, 21, 22], []])

    @Test func anUpdatedCellHasTheContentOfTheTarget() {
        expect("a: 1 22 3 | b: 4 5") {
            $0.updateCells = [CellUpdate(place: CellPlace(section: 0, item: 1), target: CellPlace(section: 1, item: 2))]
        }
    }

    @Test func anInsertedSectionContainsOnlyItsNewCells() {
        expect("a: 1 2 3 | y: 20 22 | b: 4 5") {
            $0.insertSections = [SectionInsert(place: 1, target: 1, newItems: [0..<1, 2..<3])]
        }
    }

    @Test func aMoveHasASourceInTheOldListAndADestinationInTheNewList() {
        expect("a: 4 11 3 | b: 2 5") {
            $0.deleteCells = [CellRun(place: CellPlace(section: 0, item: 0), count: 1)]
            $0.insertCells = [CellInsert(run: CellRun(place: CellPlace(section: 0, item: 1), count: 1), targetSection: 0)]
            $0.moveCells = [
                CellMove(source: CellPlace(section: 0, item: 1), destination: CellPlace(section: 1, item: 0), count: 1),
                CellMove(source: CellPlace(section: 1, item: 0), destination: CellPlace(section: 0, item: 0), count: 1),
            ]
        }
    }

    @Test func theCellsOfARunAreMovedTogether() {
        expect("a: 3 | b: 4 1 2 5") {
            $0.moveCells = [CellMove(source: CellPlace(section: 0, item: 0), destination: CellPlace(section: 1, item: 1), count: 2)]
        }
    }

    @Test func sectionsAreMovedAndDeletedWithTheirCells() {
        expect("b: 4 5 | a: 1 2 3") { $0.moveSections = [SectionMove(source: 0, destination: 1)] }
        expect("b: 4 5") { $0.deleteSections = [0] }
    }

    @Test func anUpdatedSectionKeepsItsCells() {
        expect("a: 1 2 3 | y: 4 5") { $0.updateSections = [1] }
    }

    @Test func aListIsCreatedFromSectionsAndTheirCells() {
        let list = SectionedList(["ab", "", "c"], cells: Array.init)
        #expect(list.sections == ["ab", "", "c"])
        #expect(list.cells == [["a", "b"], [], ["c"]])
    }

    private func expect(_ result: String, at location: SourceLocation = #_sourceLocation, _ make: (inout Stage) -> Void) {
        var stage = Stage()
        make(&stage)
        var list = list
        #expect(throws: Never.self, sourceLocation: location) { try list.apply(stage, from: target) }
        let texts = zip(list.sections, list.cells).map { "\($0): \($1.map(String.init).joined(separator: " "))" }
        #expect(texts.joined(separator: " | ") == result, sourceLocation: location)
    }
}
