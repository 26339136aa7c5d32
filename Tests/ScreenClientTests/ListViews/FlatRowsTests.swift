import DocumentTexts
import ScreenDiff
import ScreenWire
import SeededRandom
import Testing

@testable import ScreenClient

@MainActor @Suite struct RowsWithoutSections {
    private let registry = CellRegistry()

    private func rows(_ sections: String) throws -> FlatRows {
        let text = #"{"kind":"snapshot","screen":"s","version":"v1","layout":"table","sections":[\#(sections)]}"#
        return FlatRows(ListModel(try DocumentTexts.tree(text), registry: registry).sections)
    }

    @Test func theRowsOfASectionAreItsHeaderItsCellsAndItsFooter() throws {
        let view = #"{"type":"day"}"#
        let first = #"{"id":"a","header":\#(view),"cells":[{"id":"1","type":"row"}],"footer":\#(view)}"#
        let rows = try rows(#"\#(first),{"id":"b","cells":[]},{"id":"c","cells":[{"id":"2","type":"row"}]}"#)
        #expect(rows.map(\.text) == ["header day", "1", "footer day", "2"])
        #expect((0..<4).map(rows.place) == [nil, CellPlace(section: 0, item: 0), nil, CellPlace(section: 2, item: 0)])
        #expect(rows.row(of: CellPlace(section: 2, item: 0)) == 3 && FlatRows().isEmpty)
    }

    /// The list view reads the content of a row only when the row is inserted or updated, so a missing operation leaves a wrong row.
    @Test(arguments: Seeds.first(200)) func theStagesOfTheServerBecomeOperationsOnRows(seed: UInt64) throws {
        var random = RandomSnapshots(seed: seed)
        var tree = try DocumentTexts.tree(random.next(version: "v1"))
        let source = FlatRows(ListModel(tree, registry: registry).sections)
        let changeset = try tree.changeset(to: DocumentTexts.tree(random.next(version: "v2")))
        let steps = try tree.steps(applying: ChangesetTree(JSONReader.read(changeset)), registry: registry)
        let update = ListUpdate(kind: .stages(steps), model: ListModel(tree, registry: registry))
        let view = WrittenRows(source)
        view.reload(using: update.flattened(from: source)) { view.data = $0 }
        #expect(view.rows == FlatRows(update.model.sections).map(\.content) && !view.isReloaded)
    }

    @Test func aRowThatMovesToAnotherSectionIsNotReinserted() throws {
        var tree = try DocumentTexts.tree(DocumentTexts.snapshot("a: 1 2 | b: 3"))
        let source = FlatRows(ListModel(tree, registry: registry).sections)
        let changeset = DocumentTexts.changeset(#"{"moveCells":[[0,0,1,1,1]]}"#)
        let steps = try tree.steps(applying: DocumentTexts.changeset(read: changeset), registry: registry)
        let changes = ListUpdate(kind: .stages(steps), model: ListModel(tree, registry: registry)).flattened(from: source)
        let move = ListOperation.moveCell(from: CellPlace(section: 0, item: 0), to: CellPlace(section: 0, item: 2))
        #expect(changes.flatMap { $0.operations(isSequential: true) } == [move])
    }
}

extension FlatRows.Row {
    fileprivate var text: String {
        switch self {
        case .cell(let cell): cell.id
        case .view(let view, let role): "\(role) \(view.type)"
        }
    }

    fileprivate var content: String {
        switch self {
        case .cell(let cell): "\(cell.id) \(cell.content)"
        case .view(let view, let role): "\(role) \(view.content)"
        }
    }
}

/// A list view without sections. It reads the content of a row only when the row is inserted or updated.
@MainActor private final class WrittenRows: BatchUpdating {
    var data: FlatRows
    private(set) var rows: [String]
    private(set) var isReloaded = false
    let isShown = true
    let isSequential = true

    init(_ data: FlatRows) {
        self.data = data
        rows = data.map(\.content)
    }

    func reloadData() { isReloaded = true }

    func performBatch(_ updates: () -> Void, completion: @escaping @MainActor (Bool) -> Void) {
        updates()
        completion(true)
    }

    func perform(_ operation: ListOperation) {
        switch operation {
        case .deleteCells(let places): for place in places.reversed() { rows.remove(at: place.item) }
        case .moveCell(let source, let target): rows.insert(rows.remove(at: source.item), at: target.item)
        case .insertCells(let places): for place in places { rows.insert(data[place.item].content, at: place.item) }
        case .reconfigureCells(let places), .reloadCells(let places): for place in places { rows[place.item] = data[place.item].content }
        case .deleteSections, .insertSections, .updateSections, .reloadSections, .moveSection: Issue.record("a list without sections")
        }
    }
}
