import ScreenModel
import Testing

/// A section is a collection of its cells, in tables and in collections alike.
struct SectionTests {
    typealias Section = TableViewSection<String, Int>

    @Test func aSectionWithoutAHeaderReadsNil() {
        let section = Section(cells: [1])
        #expect(section.header == nil)
        #expect(section.footer == nil)
        #expect(section.id == "")
    }

    @Test func anEmptySectionHasNothing() {
        #expect(Section().isEmpty)
        #expect(Section() == Section(id: "", header: nil, footer: nil, cells: []))
    }

    @Test func aSectionHoldsWhatItWasGiven() {
        let section = Section(id: "a", header: "header", footer: "footer", cells: [1, 2])
        #expect(section.id == "a")
        #expect(section.header == "header")
        #expect(section.footer == "footer")
        #expect(section.cells == [1, 2])
    }

    @Test func itsElementsAreItsCells() {
        let section = Section(cells: [1, 2, 3])
        #expect(Array(section) == [1, 2, 3])
        #expect(section.count == 3)
        #expect(section.indices == 0..<3)
        #expect(Array(section[1...]) == [2, 3])
        #expect(Array(section.reversed()) == [3, 2, 1])
    }

    @Test func aCellIsChangedThroughItsIndex() {
        var section = Section(id: "a", header: "header", cells: [3, 1, 2])
        section[0] += 10
        section.swapAt(1, 2)
        #expect(section == Section(id: "a", header: "header", cells: [13, 2, 1]))
        section.sort()
        #expect(section.cells == [1, 2, 13])
    }

    @Test func replacingARangeKeepsTheRest() {
        var section = Section(id: "a", header: "header", footer: "footer", cells: [1, 2, 3])
        section.replaceSubrange(1..<2, with: [7, 8])
        section.append(9)
        section.remove(at: 0)
        section.insert(contentsOf: [5, 6], at: 0)
        #expect(
            section == Section(id: "a", header: "header", footer: "footer", cells: [5, 6, 7, 8, 3, 9])
        )
        section.removeAll { $0 > 5 }
        #expect(section.cells == [5, 3])
    }

    @Test func aSectionIsMadeOfASequence() {
        #expect(Section(1...3) == Section(cells: [1, 2, 3]))
    }

    @Test func equalSectionsHashAlike() {
        let sections = [
            Section(id: "a", cells: [1]), Section(id: "a", cells: [1]), Section(id: "b", cells: [1]),
            Section(id: "a", cells: [2]), Section(id: "a", header: "", cells: [1]),
            Section(id: "a", footer: "", cells: [1]),
        ]
        #expect(Set(sections).count == 5)
    }

    @Test func aSectionWithoutHeadersIsOfNever() {
        let section = TableViewSection<Never, Int>(id: "a", cells: [1])
        #expect(section.header == nil)
        #expect(Set([section, section]).count == 1)
    }
}
