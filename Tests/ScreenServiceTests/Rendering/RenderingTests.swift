import ScreenDiff
import ScreenModel
import ScreenWire
import Testing

@testable import ScreenService

@Suite("Rendering") struct RenderingTests {
    @Test func aTableIsRenderedToADocument() {
        var list = List(["": "1", "b": "2 3", "c": ""])
        list.title = "A \"title\" – 100 %"
        list.sections[0].header = Label("head")
        list.sections[0].rows[0] = Row(id: "1", text: "é\n", number: 2.5, tags: ["x", "y"])
        list.sections[2].footer = Label("foot")
        let rendered = list.renderedTable()
        #expect(
            rendered.text == #"{"kind":"snapshot","screen":"letters","version":"\#(rendered.version)","layout":"table","#
                + #""title":"A \"title\" – 100 %","sections":[{"id":"","header":{"type":"label","text":"head"},"cells":["#
                + #"{"id":"1","type":"row","text":"é\n","number":2.5,"tags":["x","y"]}]},{"id":"b","cells":["#
                + #"{"id":"2","type":"row","text":"","number":null},{"id":"3","type":"row","text":"","number":null}]},"#
                + #"{"id":"c","cells":[],"footer":{"type":"label","text":"foot"}}]}"#
        )
        #expect(rendered.document.version == rendered.version.description)
        #expect(rendered.renamedCount == 0)
    }

    @Test func aModelWithoutSectionsIsRendered() {
        let rendered = List().renderedCollection(of: "x")
        #expect(
            rendered.text
                == #"{"kind":"snapshot","screen":"x","version":"\#(rendered.version)","layout":"collection","title":"Letters","sections":[]}"#
        )
    }

    @Test func aCollectionIsRenderedWithSizesAndActionsAndLinksAndSupplementaryViews() {
        let section = CollectionViewSection<AnyView, AnyCell>(
            id: "s", header: AnyView(Banner()),
            supplementaryViews: [
                SupplementaryViewSectionKey(kind: "badge", item: 1): AnyView(Label("of b")),
                SupplementaryViewSectionKey(kind: "badge", item: 0): AnyView(Label("of c")),
                SupplementaryViewSectionKey(kind: "badge", item: 9): AnyView(Label("of no cell")),
                SupplementaryViewSectionKey(kind: "aura", item: 0): AnyView(Label("aura")),
                SupplementaryViewSectionKey(kind: "badge", item: 3): AnyView(Label("of no cell, too")),
            ],
            cells: [AnyCell(Tile(id: "c")), AnyCell(Entry(id: "b")), AnyCell(Row(id: "a"))]
        )
        let content = ScreenContent(title: "T", frame: Size(width: 300, height: 600), model: CollectionViewModel(sections: [section]))
        let rendered = SnapshotWriter.render(content, of: "mixed", hash: .fixed)
        #expect(
            rendered.sectionsText == #"{"id":"s","header":{"type":"banner","size":{"height":30}},"cells":["#
                + #"{"id":"c","type":"tile","size":{"width":150,"height":120.5},"action":{"name":"open","input":{"id":"c"}}},"#
                + #"{"id":"b","type":"entry","actions":[{"name":"delete","title":"Delete","disabled":true},{"name":"move","title":"Move","input":{"to":1}}],"#
                + #""link":{"screen":"artist","parameters":{"width":"300","album":"b"}}},{"id":"a","type":"row","text":"","number":null}],"#
                + #""supplementary":[{"kind":"aura","cell":"c","view":{"type":"label","text":"aura"}},"#
                + #"{"kind":"badge","cell":"b","view":{"type":"label","text":"of b"}},{"kind":"badge","cell":"c","view":{"type":"label","text":"of c"}},"#
                + #"{"kind":"badge","item":3,"view":{"type":"label","text":"of no cell, too"}},{"kind":"badge","item":9,"view":{"type":"label","text":"of no cell"}}]}"#
        )
    }

    @Test func aSnapshotContainsNoSizesIfItsContentHasNoFrame() {
        let content = ScreenContent(title: "T", model: TableViewModel<Banner, Tile>(cells: [Tile(id: "c")]))
        #expect(!SnapshotWriter.render(content, of: "mixed", hash: .fixed).text.contains("size"))
    }

    @Test func renderingAModelAgainResultsInTheSameBytes() {
        var list = List(["a": (0..<40).map { "c\($0)" }.joined(separator: " ")])
        for item in 0..<40 { list.sections[0].rows[item].badge = Label("\(item)") }
        let first = list.renderedCollection()
        for _ in 0..<5 { #expect(list.renderedCollection().document.bytes == first.document.bytes) }
    }

    @Test func movingACellWithinItsSectionDoesNotChangeTheViewsOfTheSection() {
        var list = List(["a": "1 2 3", "b": "4"])
        for section in 0..<2 {
            list.sections[section].header = Label("h")
            for item in list.sections[section].rows.indices { list.sections[section].rows[item].badge = Label("badge") }
        }
        let moved = list.with { $0.sections[0].rows.swapAt(0, 2) }
        let movedAcross = list.with { $0.sections[1].rows.append($0.sections[0].rows.removeLast()) }
        let views = list.renderedCollection().outline.sections.map(\.views)
        #expect(moved.renderedCollection().outline.sections.map(\.views) == views)
        #expect(moved.renderedCollection().version != list.renderedCollection().version)
        let others = movedAcross.renderedCollection().outline.sections.map(\.views)
        #expect(others[0] != views[0] && others[1] != views[1])
    }

    @Test func aHeaderAndAFooterWithEqualContentHaveDifferentFingerprints() {
        let list = List(["a": "", "b": ""]).with {
            $0.sections[0].header = Label("x")
            $0.sections[1].footer = Label("x")
        }
        let views = list.renderedTable().outline.sections.map(\.views)
        #expect(views[0] != views[1])
    }
}

private struct Tile: CellContent, Sized, Selectable {
    let id: String

    var whenSelected: Selection { .action(ScreenAction("open", input: ["id": .string(id)])) }
    func preferredSize(in frame: Size) -> Size { Size(width: frame.width.map { $0 / 2 }, height: 120.5) }
    static func fields(_ field: inout some FieldVisitor<Self>) {}
}

private struct Entry: CellContent {
    let id: String

    var selection: Selection? { .link(ScreenLink("artist", parameters: ["width": "300", "album": id])) }
    var actions: [OfferedAction] {
        [OfferedAction("delete", title: "Delete", isDisabled: true), OfferedAction("move", title: "Move", input: ["to": 1])]
    }
    static func fields(_ field: inout some FieldVisitor<Self>) {}
}

private struct Banner: ViewContent, Sized {
    func preferredSize(in frame: Size) -> Size { Size(height: 30) }
    static func fields(_ field: inout some FieldVisitor<Self>) {}
}
