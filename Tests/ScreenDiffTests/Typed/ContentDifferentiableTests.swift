import ScreenDiff
import ScreenModel
import Testing

/// Tests that cells are paired by their ids, and that cells and views are compared by their JSON.
@Suite struct ContentElements {
    typealias Model = TableViewModel<AnyView, AnyCell>

    private func stages(_ source: [AnyCell], _ target: [AnyCell]) -> [String] {
        Model(cells: source).changeset(to: Model(cells: target)).stages.map(\.debugDescription)
    }

    @Test func typeErasedCellsAreIdentifiedByTheirIDs() {
        let source = [AnyCell(TextCell(id: "1", text: "a")), AnyCell(SwitchCell(id: "2", isOn: false))]
        #expect(stages(source, source) == [])
        #expect(stages(source, [AnyCell(TextCell(id: "1", text: "b")), source[1]]) == ["  updateCells [0, 0]"])
        #expect(stages(source, [AnyCell(SwitchCell(id: "1", isOn: false)), source[1]]) == ["  updateCells [0, 0]"])
        #expect(stages(source, source.reversed()) == ["  moveCells [0, 0]→[0, 1]"])
    }

    @Test func propertiesThatACellDoesNotWriteToItsJSONAreNotCompared() {
        #expect(stages([AnyCell(TextCell(id: "1", text: "a", loadedAt: 1))], [AnyCell(TextCell(id: "1", text: "a", loadedAt: 2))]) == [])
    }

    @Test func theSelectionsAndSizesOfCellsAreCompared() {
        let cell = TextCell(id: "1", text: "a")
        var linked = cell
        linked.link = "posts"
        var tall = cell
        tall.height = 10
        for other in [linked, tall] { #expect(stages([AnyCell(cell)], [AnyCell(other)]) == ["  updateCells [0, 0]"]) }
    }

    @Test func cellsAreDifferentIfTheirSizesDifferForAtLeastOneFrame() {
        for (old, new) in [(400.0, 500.0), (300, 200)] {
            let cells = [old, new].map { AnyCell(FramedCell(id: "1", width: $0)) }
            #expect(stages([cells[0]], [cells[1]]) == ["  updateCells [0, 0]"])
        }
        let cells = [1.0, 2].map { AnyCell(FramedCell(id: "1", width: 100, unframed: $0)) }
        #expect(stages([cells[0]], [cells[1]]) == ["  updateCells [0, 0]"])
    }

    @Test func theFallbacksOfCellsAreCompared() {
        let fallbacks: [Fallback?] = [nil, .nothing, .view(TextCell(id: "1", text: "a")), .view(TextCell(id: "1", text: "b"))]
        for (number, old) in fallbacks.enumerated() {
            for (other, new) in fallbacks.enumerated() {
                let cells = [old, new].map { AnyCell(NewCell(id: "1", fallback: $0)) }
                #expect(stages([cells[0]], [cells[1]]) == (number == other ? [] : ["  updateCells [0, 0]"]))
            }
        }
    }

    @Test func cellsOfAContentEquatableTypeAreComparedByTheirOwnFunction() {
        #expect(stages([AnyCell(SwitchCell(id: "2", isOn: false))], [AnyCell(SwitchCell(id: "2", isOn: true))]) == [])
    }

    @Test func aVariantIsComparedLikeTheCellThatItWraps() {
        #expect(SomeCell(SwitchCell(id: "2", isOn: false)).isContentEqual(to: SomeCell(SwitchCell(id: "2", isOn: true))))
        #expect(!SomeCell(SwitchCell(id: "2", isOn: false)).isContentEqual(to: SomeCell(TextCell(id: "2", text: "a"))))
        #expect(!SomeCell(TextCell(id: "1", text: "a")).isContentEqual(to: SomeCell(TextCell(id: "1", text: "b"))))
        #expect(SomeCell(TextCell(id: "1", text: "a")).differenceIdentifier == "1")
    }

    @Test func theAdditionalFieldsOfAVariantAreCompared() {
        let cell = SwitchCell(id: "1", isOn: false)
        #expect(MarkedCell(cell: cell, isMarked: true).isContentEqual(to: MarkedCell(cell: cell, isMarked: true)))
        #expect(!MarkedCell(cell: cell, isMarked: false).isContentEqual(to: MarkedCell(cell: cell, isMarked: true)))
    }

    @Test func anEquatableVariantIsComparedByItsEqualityOperator() {
        #expect(EqualCell.text("a", loadedAt: 1).isContentEqual(to: .text("a", loadedAt: 1)))
        #expect(!EqualCell.text("a", loadedAt: 1).isContentEqual(to: .text("a", loadedAt: 2)))
        #expect(EqualCell.text("a", loadedAt: 1).differenceIdentifier == "a")
    }

    @Test func theContentsOfTypeErasedHeadersAreCompared() {
        func model(_ header: AnyView?) -> Model { Model(section: Model.Section(id: "a", header: header, cells: [])) }
        let header = AnyView(TextCell(id: "1", text: "a"))
        #expect(model(header).changeset(to: model(header)).isEmpty)
        #expect(model(header).changeset(to: model(AnyView(TextCell(id: "1", text: "b")))).count == 1)
        #expect(model(header).changeset(to: model(nil)).count == 1)
    }

    @Test func cellsOfATypeThatConformsToDifferentiableAreIdentifiedByTheirIDs() {
        let source = [TextCell(id: "1", text: "a"), TextCell(id: "2", text: "b")]
        let target = [TextCell(id: "2", text: "c"), TextCell(id: "1", text: "a")]
        let changeset = StagedChangeset(source: source, target: target)
        #expect(changeset.stages.map(\.debugDescription) == ["  updateCells [0, 1]", "  moveCells [0, 0]→[0, 1]"])
        #expect(HashableCell(id: "1").differenceIdentifier == "1")
    }
}

private struct NewCell: CellContent {
    let id: String
    let fallback: Fallback?

    static func fields(_ field: inout some FieldVisitor<Self>) {}
}

private struct TextCell: CellContent, Differentiable {
    var id: String
    var text: String
    var loadedAt = 0
    var link: String?
    var height = 5.0

    var selection: Selection? { link.map { .link(ScreenLink($0)) } }

    func size(in frame: Size?) -> Size? { frame.map { Size(width: $0.width, height: height) } }

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("text", \.text)
    }
}

/// A cell that is as wide as its frame, but not wider than a maximum.
private struct FramedCell: CellContent {
    var id: String
    var width: Double
    var unframed = 0.0

    func size(in frame: Size?) -> Size? { Size(width: frame.map { min($0.width ?? 0, width) } ?? unframed, height: 5) }

    static func fields(_ field: inout some FieldVisitor<Self>) {}
}

/// A cell whose content is equal to the content of any other cell of its type.
private struct SwitchCell: CellContent, ContentEquatable {
    var id: String
    var isOn: Bool

    func isContentEqual(to source: SwitchCell) -> Bool { true }

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("isOn", \.isOn)
    }
}

private struct HashableCell: CellContent, Hashable, Differentiable {
    var id: String

    static func fields(_ field: inout some FieldVisitor<Self>) {}
}

private struct SomeCell: CellVariant, Differentiable {
    let cell: any CellContent

    init(_ cell: any CellContent) {
        self.cell = cell
    }
}

private enum EqualCell: CellVariant, Differentiable, Hashable {
    case text(String, loadedAt: Int)

    var cell: any CellContent {
        switch self {
        case .text(let text, let loadedAt): TextCell(id: text, text: text, loadedAt: loadedAt)
        }
    }
}

/// A variant that writes a field in addition to the fields of its cell.
private struct MarkedCell: CellVariant, Differentiable {
    let cell: any CellContent
    let isMarked: Bool

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("isMarked", \.isMarked)
        field.dynamic { marked, writer in marked.cell.writeFields(to: &writer) }
    }
}
