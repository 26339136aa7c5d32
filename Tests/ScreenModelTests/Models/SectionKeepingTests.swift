import ScreenModel
import Testing

/// A section stays the section that it is, whatever is done to its cells.
struct SectionKeepingTests {
    typealias Section = CollectionViewSection<String, Int>

    let section = Section(
        id: "a", header: "H", footer: "F",
        supplementaryViews: [SupplementaryViewSectionKey(kind: "badge", item: 1): "new"], cells: [1, 2, 3]
    )

    private func sections(of cells: [Int]) -> Section {
        var section = section
        section.cells = cells
        return section
    }

    @Test(arguments: [false, true]) func removingAllCellsKeepsWhatStandsAroundThem(keepingCapacity: Bool) {
        var emptied = section
        emptied.removeAll(keepingCapacity: keepingCapacity)
        #expect(emptied == sections(of: []))
        var table = TableViewSection<String, Int>(id: "a", header: "H", footer: "F", cells: [1])
        table.removeAll()
        #expect(table == TableViewSection(id: "a", header: "H", footer: "F", cells: []))
    }

    @Test func genericCodeRemovesAllCellsAlike() {
        func emptied<Cells: RangeReplaceableCollection>(_ cells: Cells) -> Cells {
            var cells = cells
            cells.removeAll(keepingCapacity: false)
            return cells
        }
        #expect(emptied(section) == sections(of: []))
    }

    private func sections(of cells: [Int], badges: [Int: String]) -> Section {
        var section = sections(of: cells)
        section.supplementaryViews = [:]
        for (item, badge) in badges { section[SupplementaryViewSectionKey(kind: "badge", item: item)] = badge }
        return section
    }

    @Test func filteringKeepsWhatStandsAroundTheCells() {
        #expect(section.filter { $0 != 3 } == sections(of: [1, 2]))
        let cells: [Int] = section.filter { $0 != 2 }
        #expect(cells == [1, 3])
    }

    @Test func addingCellsKeepsWhatStandsAroundThem() {
        #expect(section + [4] == sections(of: [1, 2, 3, 4]))
        #expect(section + (4...5) == sections(of: [1, 2, 3, 4, 5]))
        #expect([0] + section == sections(of: [0, 1, 2, 3], badges: [2: "new"]))
        #expect(sequence(first: 0) { $0 < 1 ? $0 + 1 : nil } + section == sections(of: [0, 1, 1, 2, 3], badges: [3: "new"]))
        var longer = section
        longer += [4]
        #expect(longer == sections(of: [1, 2, 3, 4]))
    }

    @Test func ofTwoSectionsTheLeftOneStays() {
        #expect(section + Section(id: "b", header: "other", cells: [4]) == sections(of: [1, 2, 3, 4]))
    }

    @Test func theViewsOfTheRightSectionsCellsGoAlong() {
        let left = sections(of: [1, 2, 3], badges: [1: "new", 3: "sky"])
        let right = sections(of: [4, 5], badges: [0: "of 4", 1: "of 5", 9: "sea"])
        let both = sections(of: [1, 2, 3, 4, 5], badges: [1: "new", 3: "of 4", 4: "of 5"])
        #expect(left + right == both)
        func sum<Cells: ModelSection>(_ left: Cells, _ right: Cells) -> Cells { left + right }
        #expect(sum(left, right) == both)
        let tables = [[1], [2]].map { TableViewSection<String, Int>(id: "a", header: "H", cells: $0) }
        #expect(tables[0] + tables[1] == TableViewSection(id: "a", header: "H", cells: [1, 2]))
    }

    @Test func aDifferenceOfCellsKeepsWhatStandsAroundThem() {
        let difference = [1, 2, 4].difference(from: [1, 2, 3])
        #expect(section.applying(difference) == sections(of: [1, 2, 4]))
        #expect(Section().applying(difference) == nil)
    }

    @Test func aViewGoesAlongWithItsCell() {
        #expect(section.filter { $0 != 1 } == sections(of: [2, 3], badges: [0: "new"]))
        #expect(section.applying([0, 2, 3].difference(from: [1, 2, 3])) == sections(of: [0, 2, 3], badges: [1: "new"]))
        let moves = [2, 1, 3].difference(from: [1, 2, 3]).inferringMoves()
        #expect(section.applying(moves) == sections(of: [2, 1, 3], badges: [0: "new"]))
    }

    @Test func aViewGoesWithItsCell() {
        #expect(section.filter { $0 != 2 } == sections(of: [1, 3], badges: [:]))
        #expect(section.applying([1, 3].difference(from: [1, 2, 3])) == sections(of: [1, 3], badges: [:]))
    }

    @Test func aViewOfNoCellStaysAtItsPlace() {
        let section = sections(of: [1, 2, 3], badges: [1: "new", 9: "sky"])
        #expect(section.filter { $0 > 1 } == sections(of: [2, 3], badges: [0: "new", 9: "sky"]))
        #expect([0] + section == sections(of: [0, 1, 2, 3], badges: [2: "new", 9: "sky"]))
    }

    @Test func aCellsViewStandsWhereOneOfNoCellWas() {
        let section = sections(of: [1, 2, 3], badges: [2: "new", 3: "sky"])
        #expect([0] + section == sections(of: [0, 1, 2, 3], badges: [3: "new"]))
    }
}
