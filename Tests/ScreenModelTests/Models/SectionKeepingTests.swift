import ScreenModel
import Testing

/// Tests that operations on the cells of a section keep the id and the views of the section.
struct SectionKeepingTests {
    typealias Section = CollectionViewSection<String, Int>

    let section = Section(
        id: "a", header: "H", footer: "F",
        supplementaryViews: [SupplementaryViewSectionKey(kind: "badge", item: 1): "new"], cells: [1, 2, 3]
    )

    private func expected(_ cells: [Int]) -> Section {
        var section = section
        section.cells = cells
        return section
    }

    @Test(arguments: [false, true]) func removingAllCellsOfASectionKeepsItsIDAndViews(keepingCapacity: Bool) {
        var emptied = section
        emptied.removeAll(keepingCapacity: keepingCapacity)
        #expect(emptied == expected([]))
        var table = TableViewSection<String, Int>(id: "a", header: "H", footer: "F", cells: [1])
        table.removeAll()
        #expect(table == TableViewSection(id: "a", header: "H", footer: "F", cells: []))
    }

    @Test func removingAllCellsOfASectionInGenericCodeKeepsItsIDAndViews() {
        func emptied<Cells: RangeReplaceableCollection>(_ cells: Cells) -> Cells {
            var cells = cells
            cells.removeAll(keepingCapacity: false)
            return cells
        }
        #expect(emptied(section) == expected([]))
    }

    private func expected(_ cells: [Int], badges: [Int: String]) -> Section {
        var section = expected(cells)
        section.supplementaryViews = [:]
        for (item, badge) in badges { section[SupplementaryViewSectionKey(kind: "badge", item: item)] = badge }
        return section
    }

    @Test func filteringASectionKeepsItsIDAndViews() {
        #expect(section.filter { $0 != 3 } == expected([1, 2]))
        let cells: [Int] = section.filter { $0 != 2 }
        #expect(cells == [1, 3])
    }

    @Test func addingCellsToASectionKeepsItsIDAndViews() {
        #expect(section + [4] == expected([1, 2, 3, 4]))
        #expect(section + (4...5) == expected([1, 2, 3, 4, 5]))
        #expect([0] + section == expected([0, 1, 2, 3], badges: [2: "new"]))
        #expect(sequence(first: 0) { $0 < 1 ? $0 + 1 : nil } + section == expected([0, 1, 1, 2, 3], badges: [3: "new"]))
        var longer = section
        longer += [4]
        #expect(longer == expected([1, 2, 3, 4]))
    }

    @Test func theSumOfTwoSectionsHasTheIDHeaderAndFooterOfTheFirstSection() {
        #expect(section + Section(id: "b", header: "other", cells: [4]) == expected([1, 2, 3, 4]))
    }

    @Test func theSumOfTwoSectionsKeepsTheSupplementaryViewsOfTheCellsOfBothSections() {
        let left = expected([1, 2, 3], badges: [1: "new", 3: "sky"])
        let right = expected([4, 5], badges: [0: "of 4", 1: "of 5", 9: "sea"])
        let both = expected([1, 2, 3, 4, 5], badges: [1: "new", 3: "of 4", 4: "of 5"])
        #expect(left + right == both)
        func sum<Cells: ModelSection>(_ left: Cells, _ right: Cells) -> Cells { left + right }
        #expect(sum(left, right) == both)
        let tables = [[1], [2]].map { TableViewSection<String, Int>(id: "a", header: "H", cells: $0) }
        #expect(tables[0] + tables[1] == TableViewSection(id: "a", header: "H", cells: [1, 2]))
    }

    @Test func applyingADifferenceToASectionKeepsItsIDAndViews() {
        let difference = [1, 2, 4].difference(from: [1, 2, 3])
        #expect(section.applying(difference) == expected([1, 2, 4]))
        #expect(Section().applying(difference) == nil)
    }

    @Test func aSupplementaryViewMovesWithItsCell() {
        #expect(section.filter { $0 != 1 } == expected([2, 3], badges: [0: "new"]))
        #expect(section.applying([0, 2, 3].difference(from: [1, 2, 3])) == expected([0, 2, 3], badges: [1: "new"]))
        let moves = [2, 1, 3].difference(from: [1, 2, 3]).inferringMoves()
        #expect(section.applying(moves) == expected([2, 1, 3], badges: [0: "new"]))
    }

    @Test func aSupplementaryViewIsRemovedWithItsCell() {
        #expect(section.filter { $0 != 2 } == expected([1, 3], badges: [:]))
        #expect(section.applying([1, 3].difference(from: [1, 2, 3])) == expected([1, 3], badges: [:]))
    }

    @Test func aSupplementaryViewWithoutACellKeepsItsItemIndex() {
        let section = expected([1, 2, 3], badges: [1: "new", 9: "sky"])
        #expect(section.filter { $0 > 1 } == expected([2, 3], badges: [0: "new", 9: "sky"]))
        #expect([0] + section == expected([0, 1, 2, 3], badges: [2: "new", 9: "sky"]))
    }

    @Test func aMovedSupplementaryViewReplacesTheViewAtItsNewIndexIfThatViewHasNoCell() {
        let section = expected([1, 2, 3], badges: [2: "new", 3: "sky"])
        #expect([0] + section == expected([0, 1, 2, 3], badges: [3: "new"]))
    }
}
