import ScreenModel
import Testing

/// Tests that a section is a collection of its cells.
struct SectionTests {
    typealias Section = TableViewSection<String, Int>

    @Test func aTableSectionIsCreatedWithItsViewsAndCells() {
        let section = Section(id: "a", header: "header", footer: "footer", cells: [1, 2])
        #expect(section.id == "a" && section.header == "header" && section.footer == "footer")
        #expect(section.cells == [1, 2])
        #expect(Section() == Section(id: "", header: nil, footer: nil, cells: []))
        #expect(Section(1...3) == Section(cells: [1, 2, 3]))
    }

    @Test func theElementsOfASectionAreItsCells() {
        let section = Section(cells: [1, 2, 3])
        #expect(Array(section) == [1, 2, 3])
        #expect(section.indices == 0..<3)
        #expect(Array(section[1...]) == [2, 3])
    }

    @Test func changingTheCellsOfASectionKeepsItsIDHeaderAndFooter() {
        var section = Section(id: "a", header: "header", footer: "footer", cells: [1, 2, 3])
        section.replaceSubrange(1..<2, with: [7, 8])
        section.append(9)
        section.remove(at: 0)
        section.insert(contentsOf: [5, 6], at: 0)
        section[0] += 10
        section.swapAt(1, 2)
        #expect(section == Section(id: "a", header: "header", footer: "footer", cells: [15, 7, 6, 8, 3, 9]))
        section.sort()
        section.removeAll { $0 > 7 }
        #expect(section == Section(id: "a", header: "header", footer: "footer", cells: [3, 6, 7]))
    }

    @Test func equalSectionsHaveEqualHashes() {
        let sections = [
            Section(id: "a", cells: [1]), Section(id: "a", cells: [1]), Section(id: "b", cells: [1]),
            Section(id: "a", cells: [2]), Section(id: "a", header: "", cells: [1]),
            Section(id: "a", footer: "", cells: [1]),
        ]
        #expect(Set(sections).count == 5)
    }
}
