import ScreenDiff
import ScreenModel
import ScreenWire
import SeededRandom
import Synchronization
import Testing

@testable import ScreenService

/// Tests that cells are copied if they equal cells of the previous snapshot. The result must equal the result of a rendering
/// without a previous snapshot.
@Suite struct RenderingAgainTests {
    @Test(arguments: Seeds.first(30)) func copyingUnchangedCellsDoesNotChangeTheSnapshot(seed: UInt64) {
        var lists = SeededLists(seed: seed, sections: 5, rowsAtOnce: 5)
        var generator = SeededGenerator(seed: seed)
        let tables = Renderings(of: lists.next().table)
        let collections = Renderings(of: lists.list.collection)
        for _ in 0..<60 {
            let list = lists.next().repeatingIDs(using: &generator)
            #expect(tables.next(list.table), "RELIST_SEED=\(seed): \(list)")
            #expect(collections.next(list.collection), "RELIST_SEED=\(seed): \(list)")
        }
    }

    @Test(arguments: Seeds.first(100)) func copyingCellsWithRepeatedIDsDoesNotChangeTheSnapshot(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var list = List(["a": "1 2", "b": "3"])
        let renderings = Renderings(of: list.collection)
        for _ in 0..<60 {
            let isUnique = Int.random(in: 0..<3, using: &generator) > 0
            var ids = (0..<14).map { $0 < 10 ? "\($0)" : "\($0 - 10)#2" }.shuffled(using: &generator)
            if !isUnique { ids = ids.map { _ in "\(Int.random(in: 0..<6, using: &generator))" } }
            list.sections = (0..<Int.random(in: 0...4, using: &generator)).map { number in
                let rows = ids.prefix(Int.random(in: 0...5, using: &generator)).map { id in
                    Row(id: id, text: Int.random(in: 0..<8, using: &generator) == 0 ? "other" : "", badge: Label(id))
                }
                ids.removeFirst(rows.count * (isUnique ? 1 : 0))
                return List.Group(id: "s\(number % 3)", rows: rows)
            }
            #expect(renderings.next(list.collection), "RELIST_SEED=\(seed): \(list)")
        }
    }

    @Test func aCellReceivesANewIDIfAPrecedingNewCellHasTheSameID() {
        let renderings = Renderings(of: List(["a": "1 2 3"]).table)
        #expect(renderings.next(List(["a": "3 1 2 3"]).table))
        #expect(renderings.next(List(["a": "1 2 3"]).table))
        #expect(renderings.next(List(["a": "1 2", "b": "2 3"]).table))
    }

    @Test func onlyChangedCellsAreWrittenAgain() {
        let cells = (0..<100).map { CountedCell(id: "\($0)", text: "text") }
        let renderings = Renderings(of: table(cells))
        func written(_ change: (inout [CountedCell]) -> Void) -> Int {
            var changed = cells
            change(&changed)
            CountedCell.writings.withLock { $0 = 0 }
            _ = renderings.render(table(changed))
            defer { _ = renderings.render(table(cells)) }
            return CountedCell.writings.withLock { $0 }
        }
        #expect(written { _ in } == 0)
        #expect(written { $0[40].text = "another" } == 1)
        #expect(written { $0.insert(CountedCell(id: "new", text: ""), at: 40) } == 1)
        #expect(written { $0.remove(at: 40) } == 0)
        #expect(written { $0.insert($0.remove(at: 40), at: 7) } == 0)
        #expect(written { $0.reverse() } == 0)
        #expect(written { cells in for index in cells.indices { cells[index].text = "another" } } == 100)
    }

    @Test func aRenderingComparesEachCellAtMostFourTimes() {
        let cells = (0..<1000).map { ComparedCell(id: "\($0)") }
        let renderings = Renderings(of: table(cells))
        let before = ComparedCell.comparisons.load(ordering: .relaxed)
        _ = renderings.render(table(cells + cells))
        #expect(ComparedCell.comparisons.load(ordering: .relaxed) - before <= 4 * 2 * cells.count)
    }

    @Test func cellsThatAreNotEquatableAreAlwaysWrittenAgain() {
        let renderings = Renderings(of: table([Opaque()]))
        #expect(renderings.render(table([Opaque()])).text.contains(#""number":2"#))
    }

    @Test func cellsWhoseEqualityCannotBeDeterminedAreAlwaysWrittenAgain() {
        let content = table([Ticking()])
        let renderings = Renderings(of: content)
        Ticking.number.store(1, ordering: .relaxed)
        #expect(renderings.next(content))
    }

    @Test func allCellsAreWrittenAgainIfTheFrameOfTheContentChanges() {
        func content(_ width: Double) -> ScreenContent<TableViewModel<Never, SizedCell>> {
            ScreenContent(title: "", frame: Size(width: width, height: 100), model: TableViewModel(cells: [SizedCell(id: "a")]))
        }
        let renderings = Renderings(of: content(100))
        #expect(renderings.next(content(200)))
    }

    @Test func cellsWithEqualIDsButDifferentTypesAreNotCopied() {
        let renderings = Renderings(of: table([AnyCell(Row(id: "1")), AnyCell(ComparedCell(id: "1")), AnyCell(ComparedCell(id: "2"))]))
        let changes: [[AnyCell]] = [
            [AnyCell(ComparedCell(id: "1")), AnyCell(Row(id: "2")), AnyCell(ComparedCell(id: "3"))],
            [AnyCell(Row(id: "1")), AnyCell(ComparedCell(id: "2")), AnyCell(ComparedCell(id: "3"))],
            [AnyCell(ComparedCell(id: "3")), AnyCell(ComparedCell(id: "2")), AnyCell(Row(id: "1"))],
            [AnyCell(SizedCell(id: "3")), AnyCell(ComparedCell(id: "2")), AnyCell(Row(id: "1"))],
        ]
        for cells in changes { #expect(renderings.next(table(cells))) }
    }

    private func table<Cell: CellContent>(_ cells: [Cell]) -> ScreenContent<TableViewModel<Never, Cell>> {
        ScreenContent(title: "", model: TableViewModel(cells: cells))
    }
}

/// Tests with strings that are equal by `==` although their bytes differ. Cells with such strings have different renderings.
extension RenderingAgainTests {
    @Test(arguments: [("\u{E9}", "e\u{301}"), ("K", "\u{212A}"), ("\u{212A}", "K")])
    func idsOfCellsAreComparedByTheirBytes(id: String, equivalent: String) {
        let (first, second) = (Row(id: id, badge: Label("a")), Row(id: equivalent, badge: Label("a")))
        var list = List(["s": ""])
        for rows in [[first], [second, first], [first, second], [second]] {
            list.sections[0].rows = [Row(id: "plain"), first]
            let renderings = Renderings(of: list.collection)
            list.sections[0].rows = [Row(id: "plain")] + rows
            #expect(renderings.next(list.collection), "\(rows)")
            list.sections[0].rows.removeFirst()
            #expect(renderings.next(list.collection), "\(rows)")
        }
    }

    @Test(arguments: [("\u{E9}", "e\u{301}"), ("K", "\u{212A}"), ("\u{212A}", "K"), (";", "\u{37E}"), ("`", "\u{1FEF}")])
    func textsInCellsAreComparedByTheirBytes(text: String, equivalent: String) {
        var list = List(["s": "1 2 3"])
        list.sections[0].rows[1].text = text
        let renderings = Renderings(of: list.collection)
        list.sections[0].rows[1].text = equivalent
        #expect(renderings.next(list.collection))
        list.sections[0].rows[0].text = text
        #expect(renderings.next(list.collection))
    }

    @Test func anASCIICharacterIsPlainUnlessItHasACanonicalEquivalent() {
        let ascii = Set((UInt8.min..<0x80).map { String(UnicodeScalar($0)) })
        let equivalents = (0x80...0x10FFFF).compactMap(UnicodeScalar.init).map { String($0) }.filter(ascii.contains)
        #expect(equivalents.map { Array($0.utf8) } == ["\u{37E}", "\u{1FEF}", "\u{212A}"].map { Array($0.utf8) })
        #expect(ascii.filter { !Array($0.utf8).isPlain(in: 0..<1) } == Set(equivalents))
    }
}

extension List {
    /// Returns a copy of this list. In one of four cases, a random cell of the copy has the id of another cell.
    fileprivate func repeatingIDs(using generator: inout SeededGenerator) -> List {
        var list = self
        guard Int.random(in: 0..<4, using: &generator) == 0, let id = sections.flatMap(\.rows).randomElement(using: &generator)?.id,
            let section = list.sections.indices.filter({ !list.sections[$0].rows.isEmpty }).randomElement(using: &generator)
        else { return list }
        let item = Int.random(in: list.sections[section].rows.indices, using: &generator)
        list.sections[section].rows[item].id = id
        return list
    }
}

/// A type of cells that counts how often its cells are written.
private struct CountedCell: CellContent, Equatable {
    static let writings = Mutex(0)

    let id: String
    var text: String

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("text") { cell in
            writings.withLock { $0 += 1 }
            return cell.text
        }
    }
}

/// A type of cells that counts how often two of its cells are compared.
private struct ComparedCell: CellContent, Equatable {
    static let comparisons = Atomic(0)
    let id: String

    static func == (a: ComparedCell, b: ComparedCell) -> Bool {
        comparisons.add(1, ordering: .relaxed)
        return a.id == b.id
    }

    static func fields(_ field: inout some FieldVisitor<Self>) {}
}

/// A type of cells that are not `Equatable`. It counts how often its cells are written.
private struct Opaque: CellContent {
    static let writings = Mutex(0)
    let id = "opaque"

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("number") { _ in
            writings.withLock {
                $0 += 1; return $0
            }
        }
    }
}

/// A type of cells that write the value of a static property. If the value changes, equal cells are written differently.
private struct Ticking: CellContent, Equatable {
    static let number = Atomic(0)
    var id: String { "ticking" }

    func isKnownEqual(to other: Ticking) -> Bool { false }

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("number") { _ in number.load(ordering: .relaxed) }
    }
}

private struct SizedCell: CellContent, Sized, Equatable {
    let id: String

    func preferredSize(in frame: Size) -> Size { Size(width: frame.width, height: 10) }
    static func fields(_ field: inout some FieldVisitor<Self>) {}
}
