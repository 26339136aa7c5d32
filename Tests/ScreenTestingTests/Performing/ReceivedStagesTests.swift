import DocumentTexts
import ScreenClient
import ScreenDiff
import ScreenTesting
import ScreenWire
import Testing

/// Tests that stages from a server are performed unchanged.
@MainActor @Suite struct ReceivedStages {
    private struct Letter: Decodable, Sendable {
        /// The tests run on the main actor without a suspension, so no test counts the decodings of a different test.
        nonisolated(unsafe) static var decodings = 0

        let id: String
        let text: String?

        init(from decoder: any Decoder) throws {
            Self.decodings += 1
            let values = try decoder.container(keyedBy: CodingKeys.self)
            id = try values.decode(String.self, forKey: .id)
            text = try values.decodeIfPresent(String.self, forKey: .text)
        }

        private enum CodingKeys: CodingKey { case id, text }
    }

    private final class View: BatchUpdating {
        var operations: [[ListOperation]] = []
        var reloads = 0
        var isShown = true
        var isSequential = false

        func reloadData() { reloads += 1 }
        func perform(_ operation: ListOperation) { operations[operations.count - 1].append(operation) }
        func performBatch(_ updates: () -> Void, completion: @escaping @MainActor (Bool) -> Void) {
            operations.append([])
            updates()
            completion(true)
        }
    }

    private let registry = CellRegistry()

    /// Returns the changeset that a client has after it received stages for a snapshot.
    private func received(_ stages: String, for snapshot: String) throws -> StagedChangeset<ListModel.Sections> {
        var tree = try DocumentTexts.tree(snapshot)
        let changeset = try DocumentTexts.changeset(read: DocumentTexts.changeset(stages))
        return try tree.steps(applying: changeset, registry: registry).changeset
    }

    private func operations(_ stages: String, for snapshot: String) throws -> [[ListOperation]] {
        try received(stages, for: snapshot).map { $0.operations() }
    }

    @Test func aCellThatKeepsItsTypeIsReconfiguredAndACellThatChangesItsTypeIsReloaded() throws {
        let stage = #"{"updateCells":[{"at":[0,0],"cell":{"id":"1","type":"row","n":1}},{"at":[0,1],"cell":{"id":"2","type":"title"}}]}"#
        let expected: [ListOperation] = [.reconfigureCells([place(0, 0)]), .reloadCells([place(0, 1)])]
        #expect(try operations(stage, for: DocumentTexts.snapshot("a: 1 2")) == [expected])
    }

    @Test(arguments: [
        (#""header":{"type":"day","n":1}"#, true), (#""header":{"type":"week"}"#, false), ("", false),
        (#""header":{"type":"day"},"footer":{"type":"end"}"#, false),
        (#""header":{"type":"day"},"supplementary":[{"kind":"badge","cell":"1","view":{"type":"new"}}]"#, false),
    ])
    func aSectionIsReloadedIfAViewAppearsDisappearsOrChangesItsType(views: String, isInPlace: Bool) throws {
        let snapshot = DocumentTexts.snapshot("a: 1").replacing(#""id":"a","#, with: #""id":"a","header":{"type":"day"},"#)
        let stage = #"{"updateSections":[{"at":0\#(views.isEmpty ? "" : ",")\#(views)}]}"#
        #expect(try operations(stage, for: snapshot) == [[isInPlace ? .updateSections([0]) : .reloadSections([0])]])
    }

    @Test(arguments: [
        (#"{"kind":"badge","cell":"2","view":{"type":"new","n":1}}"#, true), (#"{"kind":"badge","cell":"2","view":{"type":"old"}}"#, false),
        (#"{"kind":"badge","cell":"1","view":{"type":"new"}}"#, false), (#"{"kind":"badge","item":2,"view":{"type":"new"}}"#, false),
        ("", false),
    ])
    func aSupplementaryViewIsComparedWithTheOldViewOfItsCell(view: String, isInPlace: Bool) throws {
        let badge = #""id":"a","supplementary":[{"kind":"badge","cell":"2","view":{"type":"new"}}],"#
        let snapshot = DocumentTexts.snapshot("a: 1 2").replacing(#""id":"a","#, with: badge)
        let stages = #"{"moveCells":[[0,1,0,0,1]]},{"updateSections":[{"at":0,"supplementary":[\#(view)]}]}"#
        #expect(try operations(stages, for: snapshot).last == [isInPlace ? .updateSections([0]) : .reloadSections([0])])
    }

    @Test func aSectionIsNotReloadedIfASupplementaryViewDisappearsWithItsCell() throws {
        let badge = #""id":"a","supplementary":[{"kind":"badge","cell":"2","view":{"type":"new"}}],"#
        let snapshot = DocumentTexts.snapshot("a: 1 2").replacing(#""id":"a","#, with: badge)
        let stages = #"{"deleteCells":[[0,1,1]]},{"updateSections":[{"at":0}]}"#
        #expect(try operations(stages, for: snapshot).last == [.updateSections([0])])
    }

    @Test func theStagesOfSeveralChangesetsArePerformedUnchanged() throws {
        var tree = try DocumentTexts.tree(DocumentTexts.snapshot("a: 1 2 | b: 3"))
        var steps: [ListUpdate.Step] = []
        func apply(_ stages: String, from: String, to: String) throws {
            let text = DocumentTexts.changeset(stages).replacing(#""v2""#, with: "\"\(to)\"").replacing(#""v1""#, with: "\"\(from)\"")
            steps += try tree.steps(applying: DocumentTexts.changeset(read: text), registry: registry)
        }
        registry.register(Letter.self, as: "row")
        var sections = ListModel(tree, registry: registry).sections
        let view = StrictListView(.collectionView, showing: { sections })
        let first = view.cells[0][0]
        try apply(#"{"moveCells":[[0,0,1,1,1]]}"#, from: "v1", to: "w")
        // An earlier stage moved the cell. The update of the cell is still performed in place.
        try apply(#"{"updateCells":[{"at":[1,1],"cell":{"id":"1","type":"row","text":"new"}}]},{"deleteSections":[0]}"#, from: "w", to: "x")
        var stages = 0
        var completions: [Bool] = []
        view.reload(
            using: steps.changeset,
            setData: { new in
                sections = new
                stages += 1
            }, completion: { completions.append($0) })
        #expect(stages == 3 && completions == [true])
        #expect(view.cells.map { $0.map(\.content.id) } == [["3", "1"]])
        #expect(view.cells[0][1] === first && first.content.value(as: Letter.self)?.text == "new")
    }

    @Test func aReceivedChangesetCanBeInterrupted() throws {
        let stages = #"{"updateCells":[{"at":[0,0],"cell":{"id":"1","type":"row","n":1}}]},{"deleteCells":[[0,1,2]]}"#
        let changeset = try received(stages, for: DocumentTexts.snapshot("a: 1 2 3"))
        let view = View()
        var shown: [[String]] = []
        var completions: [Bool] = []
        view.reload(using: changeset, interrupt: { $0.changeCount > 1 }, setData: { shown.append($0[0].cells.map(\.id)) }) {
            completions.append($0)
        }
        #expect(view.operations == [[.reconfigureCells([place(0, 0)])]] && view.reloads == 1)
        #expect(shown == [["1", "2", "3"], ["1"]] && completions == [true])
    }

    @Test func aReceivedChangesetWithoutStagesPerformsNothing() throws {
        let view = View()
        var completions: [Bool] = []
        let changeset = try received("", for: DocumentTexts.snapshot("a: 1"))
        view.reload(using: changeset, setData: { _ in Issue.record("nothing changes") }) { completions.append($0) }
        #expect(view.operations.isEmpty && view.reloads == 0 && completions == [true])
    }

    @Test(arguments: [("a: 1", 0), ("a: 1 | b: 2", 1)])
    func aViewWithoutSectionsIsReloadedIfTheListHasSeveralSections(list: String, reloads: Int) throws {
        let view = View()
        view.isSequential = true
        view.reload(using: try received(#"{"deleteCells":[[0,0,1]]}"#, for: DocumentTexts.snapshot(list))) { _ in }
        #expect(view.reloads == reloads)
    }

    @Test func anUpdateInALongListDecodesNoCellAndCopiesNoList() throws {
        registry.register(Letter.self, as: "row")
        let list = "a: " + (0..<100_000).map(String.init).joined(separator: " ")
        var tree = try DocumentTexts.tree(DocumentTexts.snapshot(list))
        func addresses(of cells: SnapshotTree.Cells) -> [UnsafeRawPointer?] { cells.blocks.map { $0.withUnsafeBytes(\.baseAddress) } }
        let blocks = addresses(of: tree.sections[0].cells)
        let stage = #"{"updateCells":[{"at":[0,70000],"cell":{"id":"70000","type":"row","text":"new"}}]}"#
        let steps = try tree.steps(applying: DocumentTexts.changeset(read: DocumentTexts.changeset(stage)), registry: registry)
        #expect(addresses(of: tree.sections[0].cells) == blocks)
        let changeset = steps.changeset
        let view = View()
        var sections = ListModel.Sections()
        Letter.decodings = 0
        view.reload(using: changeset) { sections = $0 }
        #expect(view.operations == [[.reconfigureCells([place(0, 70_000)])]] && Letter.decodings == 0)
        #expect(sections[0].cells[70_000].value(as: Letter.self)?.text == "new" && Letter.decodings == 1)
    }
}
