import ScreenDiff
import ScreenModel
@testable import ScreenService
import ScreenWire
import SeededRandom
import Synchronization
import Testing

/// What a view showed before is taken over, as far as it is the same.
@Suite struct RenderingAgainTests {
    @Test(arguments: Seeds.first(30)) func whatIsTakenOverIsAsItWouldBeWrittenAnew(seed: UInt64) {
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

    @Test func onlyCellsThatChangedAreWritten() {
        let cells = (0..<100).map { CountedCell(id: "\($0)", text: "text") }
        let renderings = Renderings(of: CountedCell.content(cells))
        func written(_ change: (inout [CountedCell]) -> Void) -> Int {
            var changed = cells
            change(&changed)
            CountedCell.writings.withLock { $0 = 0 }
            _ = renderings.render(CountedCell.content(changed))
            defer { _ = renderings.render(CountedCell.content(cells)) }
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

    @Test func cellsThatCannotBeComparedAreWritten() {
        struct Opaque: CellContent {
            let id = "opaque"
            static func fields(_ field: inout some FieldVisitor<Self>) {
                field("number") { _ in CountedCell.opaqueWritings.withLock { $0 += 1; return $0 } }
            }
        }
        let renderings = Renderings(of: ScreenContent(title: "", model: TableViewModel<Never, Opaque>(cells: [Opaque()])))
        let again = renderings.render(ScreenContent(title: "", model: TableViewModel(cells: [Opaque()])))
        #expect(again.text.contains(#""number":2"#))
    }

    @Test func inAnotherFrameAllIsWritten() {
        func content(_ width: Double) -> ScreenContent<TableViewModel<Never, SizedCell>> {
            ScreenContent(title: "", frame: Size(width: width, height: 100), model: TableViewModel(cells: [SizedCell(id: "a")]))
        }
        let renderings = Renderings(of: content(100))
        #expect(renderings.next(content(200)))
    }

    @Test func cellsOfOtherTypesUnderOneIDAreOthers() {
        func content(_ cell: AnyCell) -> ScreenContent<TableViewModel<Never, AnyCell>> {
            ScreenContent(title: "", model: TableViewModel(cells: [cell]))
        }
        let renderings = Renderings(of: content(AnyCell(Row(id: "a"))))
        #expect(renderings.next(content(AnyCell(SizedCell(id: "a")))))
        #expect(renderings.next(content(AnyCell(Row(id: "a")))))
    }

    @Test func aCellThatTakesTheIDOfALaterOneRenamesThatOne() {
        let renderings = Renderings(of: List(["a": "1 2 3"]).table)
        #expect(renderings.next(List(["a": "3 1 2 3"]).table))
        #expect(renderings.next(List(["a": "1 2 3"]).table))
        #expect(renderings.next(List(["a": "1 2", "b": "2 3"]).table))
    }
}

extension List {
    /// The same, in which now and then cells have the ids of others.
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

private struct CountedCell: CellContent, Equatable {
    static let writings = Mutex(0)
    static let opaqueWritings = Mutex(0)

    let id: String
    var text: String

    static func content(_ cells: [CountedCell]) -> ScreenContent<TableViewModel<Never, CountedCell>> {
        ScreenContent(title: "", model: TableViewModel(cells: cells))
    }

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("text") { cell in
            writings.withLock { $0 += 1 }
            return cell.text
        }
    }
}

private struct SizedCell: CellContent, Sized, Equatable {
    let id: String

    func preferredSize(in frame: Size) -> Size { Size(width: frame.width, height: 10) }
    static func fields(_ field: inout some FieldVisitor<Self>) {}
}
