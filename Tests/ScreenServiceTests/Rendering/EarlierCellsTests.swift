import ScreenModel
@testable import ScreenService
import ScreenWire
import SeededRandom
import Synchronization
import Testing

/// What is taken over from what a view showed before is what would be written anew.
@Suite("Earlier cells") struct EarlierCellsTests {
    @Test(arguments: Seeds.first(100)) func listsOfFewIDsThatRepeatAreAsWrittenAnew(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var list = List(["a": "1 2", "b": "3"])
        var collection = Shown(list.collection)
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
            collection.show(list.collection)
        }
    }

    @Test func soAreMixedCellsOfOneIDAndSeveralTypes() {
        var shown = Shown(mixed([AnyCell(Row(id: "1")), AnyCell(Compared(id: "1")), AnyCell(Compared(id: "2"))]))
        shown.show(mixed([AnyCell(Compared(id: "1")), AnyCell(Row(id: "2")), AnyCell(Compared(id: "3"))]))
        shown.show(mixed([AnyCell(Row(id: "1")), AnyCell(Compared(id: "2")), AnyCell(Compared(id: "3"))]))
        shown.show(mixed([AnyCell(Compared(id: "3")), AnyCell(Compared(id: "2")), AnyCell(Row(id: "1"))]))
    }

    @Test func idsAreToldApartByTheirBytes() {
        for (id, twin) in [("\u{E9}", "e\u{301}"), ("K", "\u{212A}"), ("\u{212A}", "K")] {
            let (first, second) = (Row(id: id, badge: Label("a")), Row(id: twin, badge: Label("a")))
            var list = List(["s": ""])
            for rows in [[first], [second, first], [first, second], [second]] {
                list.sections[0].rows = [Row(id: "plain"), first]
                var shown = Shown(list.collection)
                list.sections[0].rows = [Row(id: "plain")] + rows
                shown.show(list.collection)
                list.sections[0].rows.removeFirst()
                shown.show(list.collection)
            }
        }
    }

    @Test func soAreTexts() {
        for (text, twin) in [("\u{E9}", "e\u{301}"), ("K", "\u{212A}"), ("\u{212A}", "K"), (";", "\u{37E}"), ("`", "\u{1FEF}")] {
            var list = List(["s": "1 2 3"])
            list.sections[0].rows[1].text = text
            var shown = Shown(list.collection)
            list.sections[0].rows[1].text = twin
            shown.show(list.collection)
            list.sections[0].rows[0].text = text
            shown.show(list.collection)
        }
    }

    @Test func aPlainTextHasNoTwin() {
        let plain = Set((UInt8.min..<0x80).map { String(UnicodeScalar($0)) })
        let twins = (0x80...0x10FFFF).compactMap(UnicodeScalar.init).map { String($0) }.filter(plain.contains)
        #expect(twins.map { Array($0.utf8) } == ["\u{37E}", "\u{1FEF}", "\u{212A}"].map { Array($0.utf8) })
        #expect(plain.filter { !Array($0.utf8).isPlain(in: 0..<1) } == Set(twins))
    }

    @Test func whatATypeStatesCountsInAListThatIsTheSame() {
        let content = ScreenContent(title: "", model: TableViewModel<Never, Ticking>(cells: [Ticking()]))
        var shown = Shown(content)
        Ticking.number.store(1, ordering: .relaxed)
        shown.show(content)
    }

    @Test func repeatedCellsAreComparedAFewTimesEach() {
        let cells = (0..<1000).map { Compared(id: "\($0)") }
        var shown = Shown(ScreenContent(title: "", model: TableViewModel<Never, Compared>(cells: cells)))
        let before = Compared.comparisons.load(ordering: .relaxed)
        shown.show(ScreenContent(title: "", model: TableViewModel<Never, Compared>(cells: cells + cells)))
        #expect(Compared.comparisons.load(ordering: .relaxed) - before <= 4 * 2 * cells.count)
    }

    private func mixed(_ cells: [AnyCell]) -> ScreenContent<TableViewModel<Never, AnyCell>> {
        ScreenContent(title: "", model: TableViewModel(cells: cells))
    }
}

/// What a view shows, each time made from what it showed before.
private struct Shown<Model: RenderableModel> {
    private var model: Model
    private var rendered: RenderedSnapshot

    init(_ content: ScreenContent<Model>) {
        model = content.model
        rendered = SnapshotWriter.render(content, of: "screen", hash: .fixed)
    }

    mutating func show(_ content: ScreenContent<Model>, sourceLocation: SourceLocation = #_sourceLocation) {
        var writer = SnapshotWriter(content, of: "screen", hash: .fixed, after: rendered)
        writer.write(content.model, after: model)
        rendered = writer.finish(for: .everyone)
        model = content.model
        let anew = SnapshotWriter.render(content, of: "screen", hash: .fixed)
        #expect(rendered.document.bytes == anew.document.bytes, "\(rendered.text)\n\(anew.text)", sourceLocation: sourceLocation)
        #expect(rendered.outline == anew.outline, sourceLocation: sourceLocation)
        #expect(rendered.renamedCount == anew.renamedCount, sourceLocation: sourceLocation)
    }
}

/// A cell that counts how often two are compared.
private struct Compared: CellContent, Equatable {
    static let comparisons = Atomic(0)
    let id: String

    static func == (a: Compared, b: Compared) -> Bool {
        comparisons.add(1, ordering: .relaxed)
        return a.id == b.id
    }

    static func fields(_ field: inout some FieldVisitor<Self>) {}
}

/// A cell that says of itself that it is never known to show the same.
private struct Ticking: CellContent, Equatable {
    static let number = Atomic(0)
    var id: String { "ticking" }

    func isKnownEqual(to other: Ticking) -> Bool { false }

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("number") { _ in number.load(ordering: .relaxed) }
    }
}
