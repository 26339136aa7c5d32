import ScreenDiff
import SeededRandom
import Testing

@testable import ScreenService

@Suite("Repeated ids") struct RepeatedIDsTests {
    private func ids(_ ids: String...) -> String {
        var unique = UniqueIDs()
        return ids.map { unique.unique($0, .fixed).id }.joined(separator: " ")
    }

    @Test func aRepeatedIDIsExtendedByTheFirstUnusedNumber() {
        #expect(ids("a", "b", "a", "a", "b") == "a b a#2 a#3 b#2")
        #expect(ids("a", "a#2", "a", "a#2", "a") == "a a#2 a#3 a#2#2 a#4")
        #expect(ids("a#3", "a", "a", "a", "a") == "a#3 a a#2 a#4 a#5")
        #expect(ids("a", "a", "a#2") == "a a#2 a#2#2")
        #expect(ids("", "", "") == " #2 #3")
    }

    @Test func canonicallyEquivalentIDsAreNotRenamed() {
        var unique = UniqueIDs()
        for id in ["\u{E9}", "e\u{301}"] { #expect(Array(unique.unique(id, .fixed).id.utf8) == Array(id.utf8)) }
        #expect(unique.renamedCount == 0)
    }

    @Test func repeatedIDsOfCellsAndSectionsBecomeUnique() {
        let rendered = List(["a": "1 2", "a": "1 a", "a#2": "2", "b": "1"]).renderedTable()
        let ids = rendered.text.matches(of: #/"id":"([^"]*)"/#).map { String($0.output.1) }
        #expect(ids == ["a", "1", "2", "a#2", "1#2", "a", "a#2#2", "2#2", "b", "1#3"])
        #expect(rendered.renamedCount == 5)
        #expect(Set(rendered.outline.cells.map(\.id)).count == 6)
        #expect(Set(rendered.outline.sections.map(\.id)).count == 4)
    }

    @Test func aSupplementaryViewRefersToTheNewIDOfARenamedCell() {
        var list = List(["a": "1", "b": "1"])
        list.sections[1].rows[0].badge = Label("second")
        #expect(list.renderedCollection().text.contains(#""supplementary":[{"kind":"badge","cell":"1#2","#))
    }

    @Test func anOutlineContainsTheHashOfTheIDThatIsWrittenForACell() {
        var unique = UniqueIDs()
        _ = unique.unique("a", .fixed)
        #expect(unique.unique("a", .fixed).hash == ContentHash.fixed.hash("a#2"))
        #expect(List(["s": "a"]).renderedTable().outline.cells[0].id == ContentHash.fixed.hash("a"))
    }

    @Test(arguments: Seeds.first(3)) func manyRepeatedIDsBecomeUnique(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var unique = UniqueIDs()
        var taken: Set<String> = []
        var renamedCount = 0
        for _ in 0..<3000 {
            let number = Int.random(in: 0..<400, using: &generator)
            let id = Int.random(in: 0..<4, using: &generator) == 0 ? "c\(number)#2" : "c\(number)"
            var expected = id
            var next = 2
            while taken.contains(expected) {
                expected = "\(id)#\(next)"
                next += 1
            }
            if expected != id { renamedCount += 1 }
            taken.insert(expected)
            let given = unique.unique(id, .fixed)
            #expect(given.id == expected)
        }
        #expect(unique.renamedCount == renamedCount)
    }
}
