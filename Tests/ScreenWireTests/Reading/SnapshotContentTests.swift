import DocumentTexts
import ScreenModel
import ScreenWire
import Testing

@Suite("Public members of a snapshot") struct SnapshotContentTests {
    private func tree(_ section: String) throws -> SnapshotTree {
        try DocumentTexts.tree(
            #"{"kind":"snapshot","screen":"s","version":"v1","layout":"collection","title":"T","sections":[{"id":"a",\#(section)}]}"#)
    }

    private func cell(_ members: String) throws -> SnapshotTree.Cell {
        try tree(#""cells":[{"id":"1","type":"row","n":9007199254740993\#(members)}]"#).sections[0].cells[0]
    }

    @Test func aSnapshotIsReadWithItsSectionsCellsAndViews() throws {
        let tree = try tree(
            #""header":{"type":"h"},"cells":[{"id":"1","type":"row","n":1}],"footer":{"type":"f"},"#
                + #""supplementary":[{"kind":"badge","cell":"1","view":{"type":"b"}},{"kind":"line","item":2,"view":{"type":"l"}}]"#)
        #expect((tree.screen, tree.version, tree.layout, tree.title) == ("s", "v1", .collection, "T"))
        let section = tree.sections[0]
        #expect((section.id, section.header?.type, section.footer?.type) == ("a", "h", "f"))
        #expect(section.cells.map(\.id) == ["1"] && section.cells.map(\.type) == ["row"])
        #expect(section.cells[0].content == ["id": "1", "type": "row", "n": 1])
        #expect(section.supplementary.map(\.kind) == ["badge", "line"])
        #expect(section.supplementary.map(\.cell) == ["1", nil] && section.supplementary.map(\.item) == [nil, 2])
        #expect(section.supplementary.map(\.view.type) == ["b", "l"])
    }

    @Test func theTraitsOfACellAreNilOrEmptyIfItsJSONContainsNone() throws {
        let cell = try cell("")
        #expect(cell.size == nil && cell.action == nil && cell.actions == [] && cell.link == nil && !cell.isSelectable)
        guard cell.fallback == nil else { throw Unexpected() }
    }

    @Test func theTraitsOfACellAreReadAsTypedValues() throws {
        let cell = try cell(
            #","size":{"width":1.5,"height":44},"action":{"name":"weigh","input":{"kg":12345678901234567890.10}},"#
                + #""actions":[{"name":"cancel","title":"Cancel","destructive":true},"#
                + #"{"name":"x","title":"X","disabled":true,"input":{"a":[1]}}],"#
                + #""link":{"screen":"artist","parameters":{"album":"1","q":"é"}}"#)
        #expect(cell.size == Size(width: 1.5, height: 44))
        #expect(cell.action == ScreenAction("weigh", input: ["kg": .number("12345678901234567890.10")]))
        #expect(
            cell.actions == [
                OfferedAction("cancel", title: "Cancel", isDestructive: true),
                OfferedAction("x", title: "X", input: ["a": [1]], isDisabled: true),
            ])
        #expect(cell.link == ScreenLink("artist", parameters: ["album": "1", "q": "é"]))
        #expect(cell.isSelectable)
        #expect(try self.cell(#","link":{"screen":"artist"}"#).isSelectable)
    }

    @Test(arguments: [
        #","size":{"width":1}"#, #","size":7"#, #","size":{"height":1e999}"#, #","action":{"input":{}}"#,
        #","action":{"name":"a","input":[]}"#,
        #","actions":{}"#, #","actions":[{"name":"a"},7]"#, #","link":{"parameters":{}}"#, #","link":{"screen":"s","parameters":{"a":1}}"#,
    ])
    func aMalformedTraitOfACellIsTreatedAsAbsent(members: String) throws {
        let cell = try cell(members)
        #expect(cell.size == nil && cell.action == nil && cell.actions == [] && cell.link == nil && !cell.isSelectable)
    }

    @Test func aFallbackIsReadAsAViewUnlessItIsNull() throws {
        guard case .nothing? = try cell(#","fallback":null"#).fallback else { throw Unexpected() }
        let cell = try cell(#","fallback":{"type":"b","fallback":null,"link":null}"#)
        guard case .view(let view)? = cell.fallback else { throw Unexpected() }
        #expect(view.type == "b" && view.content == ["type": "b", "fallback": nil])
        guard case .nothing? = view.fallback else { throw Unexpected() }
    }

    @Test func aDocumentIsReadAsASnapshotOrAsAChangeset() throws {
        let snapshot = DocumentTexts.snapshot("a: 1").replacing(#""screen""#, with: #""reason":"unknown-version","screen""#)
        let document = try ScreenDocument(Array(snapshot.utf8), limit: 1_000)
        guard case .snapshot(let tree, .unknownVersion?) = document else { throw Unexpected() }
        #expect(tree.version == "v1")
        let changeset = Array(DocumentTexts.changeset("").utf8)
        guard case .changeset(let read) = try ScreenDocument(changeset, limit: 1_000) else { throw Unexpected() }
        #expect((read.screen, read.from, read.version) == ("letters", "v1", "v2"))
        let limit = changeset.count - 1
        #expect(throws: JSONSyntaxError.self) { try ScreenDocument(changeset, limit: limit) }
        #expect(throws: DocumentFaults.self) { try ScreenDocument(Array(#"{"kind":"poem"}"#.utf8), limit: 100) }
    }

    private struct Unexpected: Error {}
}
