import ScreenDiff
import ScreenWire
import Testing

@Suite("Changeset documents") struct ChangesetDocumentTests {
    /// Two sections: `a` has a header, a footer and three cells, `b` one cell and no views.
    let target = SnapshotDocument.sample([
        .init(id: "a", header: #"{"type":"h"}"#, cells: ["1", "2", "3"], footer: #"{"type":"f"}"#),
        .init(id: "b", cells: ["4"]),
        .init(id: "c", cells: []),
    ])

    private func stages(_ stages: Stage..., title: Bool = false) throws -> String {
        let bytes = try #require(ChangesetDocument.bytes(from: "old", isTitleChanged: title, stages: stages, to: target))
        let text = String(decoding: bytes, as: UTF8.self)
        let opening = #"{"kind":"changeset","screen":"letters","from":"old","version":"new","stages":"#
        guard text.hasPrefix(opening) else { return text }
        return String(text.dropFirst(opening.count).dropLast())
    }

    @Test func withoutStagesItSaysThatNothingChanged() throws {
        #expect(try stages() == "[]")
    }

    @Test func aTitleIsWrittenOnlyIfItChanged() throws {
        let opening = #"{"kind":"changeset","screen":"letters","from":"old","version":"new","title":"A \"title\"","stages":[]}"#
        #expect(try stages(title: true) == opening)
    }

    @Test func updateCellsCarriesTheCellAsTheTargetHasIt() throws {
        var stage = Stage()
        stage.updateCells = [
            CellUpdate(place: CellPlace(section: 4, item: 9), target: CellPlace(section: 1, item: 0)),
            CellUpdate(place: CellPlace(section: 5, item: 0), target: CellPlace(section: 0, item: 2)),
        ]
        #expect(
            try stages(stage)
                == #"[{"updateCells":[{"at":[4,9],"cell":{"id":"4","type":"row"}},{"at":[5,0],"cell":{"id":"3","type":"row"}}]}]"#
        )
    }

    @Test func insertSectionsCarriesViewsAndTheNewCellsAlone() throws {
        var stage = Stage()
        stage.insertSections = [
            SectionInsert(place: 7, target: 0, newItems: [0..<1, 2..<3]), SectionInsert(place: 8, target: 1, newItems: []),
            SectionInsert(place: 9, target: 1, newItems: [0..<1]),
        ]
        let a = #"{"id":"a","header":{"type":"h"},"cells":[{"id":"1","type":"row"},{"id":"3","type":"row"}],"footer":{"type":"f"}}"#
        let b = #"{"id":"b","cells":[{"id":"4","type":"row"}]}"#
        #expect(
            try stages(stage)
                == #"[{"insertSections":[{"at":7,"section":\#(a)},{"at":8,"section":{"id":"b","cells":[]}},{"at":9,"section":\#(b)}]}]"#
        )
    }

    @Test func neighbouringNewCellsOfASectionKeepTheirCommas() throws {
        var stage = Stage()
        stage.insertSections = [SectionInsert(place: 0, target: 0, newItems: [1..<3])]
        #expect(try stages(stage).contains(#""cells":[{"id":"2","type":"row"},{"id":"3","type":"row"}],"footer""#))
    }

    @Test func deleteCellsInsertCellsAndMoveCellsShareAStage() throws {
        var stage = Stage()
        stage.deleteCells = [CellRun(place: CellPlace(section: 0, item: 2), count: 3), CellRun(place: CellPlace(section: 1, item: 0), count: 1)]
        stage.insertCells = [
            CellInsert(run: CellRun(place: CellPlace(section: 6, item: 1), count: 2), targetSection: 0),
            CellInsert(run: CellRun(place: CellPlace(section: 8, item: 0), count: 1), targetSection: 1),
        ]
        stage.moveCells = [CellMove(source: CellPlace(section: 1, item: 2), destination: CellPlace(section: 3, item: 4), count: 5)]
        #expect(
            try stages(stage)
                == #"[{"deleteCells":[[0,2,3],[1,0,1]],"insertCells":[{"at":[6,1],"cells":[{"id":"2","type":"row"},{"id":"3","type":"row"}]},"#
                + #"{"at":[8,0],"cells":[{"id":"4","type":"row"}]}],"moveCells":[[1,2,3,4,5]]}]"#
        )
    }

    @Test func deleteSectionsAndMoveSectionsAreNumbers() throws {
        var stage = Stage()
        stage.deleteSections = [1, 12]
        stage.moveSections = [SectionMove(source: 3, destination: 0), SectionMove(source: 4, destination: 10)]
        #expect(try stages(stage) == #"[{"deleteSections":[1,12],"moveSections":[[3,0],[4,10]]}]"#)
    }

    @Test func updateSectionsCarriesAllViewsAndNoCells() throws {
        var stage = Stage()
        stage.updateSections = [0, 1]
        #expect(try stages(stage) == #"[{"updateSections":[{"at":0,"header":{"type":"h"},"footer":{"type":"f"}},{"at":1}]}]"#)
    }

    @Test func stagesKeepTheirOrder() throws {
        var first = Stage()
        first.deleteCells = [CellRun(place: CellPlace(section: 0, item: 0), count: 1)]
        var second = Stage()
        second.deleteSections = [0]
        #expect(try stages(first, second) == #"[{"deleteCells":[[0,0,1]]},{"deleteSections":[0]}]"#)
    }

    @Test func aDocumentOfTheLimitIsWrittenAndOneByteLessIsNot() throws {
        var stage = Stage()
        stage.deleteCells = (0..<50).map { CellRun(place: CellPlace(section: 0, item: 2 * $0), count: 1) }
        var views = Stage()
        views.updateSections = [0]
        for stages in [[], [stage], [stage, views]] {
            let whole = try #require(ChangesetDocument.bytes(from: "old", isTitleChanged: true, stages: stages, to: target))
            func limited(_ limit: Int) -> [UInt8]? {
                ChangesetDocument.bytes(from: "old", isTitleChanged: true, stages: stages, to: target, limit: limit)
            }
            #expect(limited(whole.count) == whole)
            for limit in [whole.count - 1, whole.count - 2, whole.count / 2, 1, 0] { #expect(limited(limit) == nil) }
        }
    }

    @Test(arguments: [SnapshotReason.initial, .unknownVersion, .smaller])
    func aSnapshotSaysWhyItIsNoChangeset(reason: SnapshotReason) {
        let bytes = target.bytes(reason: reason)
        let plain = String(decoding: target.bytes, as: UTF8.self)
        let word = [SnapshotReason.initial: "initial", .unknownVersion: "unknown-version", .smaller: "smaller"][reason]!
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == plain.replacing(#"{"kind":"snapshot","#, with: #"{"kind":"snapshot","reason":"\#(word)","#, maxReplacements: 1)
        )
        #expect(target.byteCount(reason: reason) == bytes.count)
    }
}

extension SnapshotDocument {
    struct SampleSection {
        let id: String
        var header: String?
        var cells: [String]
        var footer: String?
    }

    /// A document of screen `letters`, put together by hand, so that nothing of rendering is in it.
    static func sample(_ sections: [SampleSection]) -> SnapshotDocument {
        var text = #"{"kind":"snapshot","screen":"letters","version":"new","layout":"table","title":"A \"title\"","sections":["#
        var spans: [Span] = []
        var parts: [Section] = []
        func span(_ part: String) -> Span {
            let start = text.utf8.count
            text += part
            return Span(start..<text.utf8.count)
        }
        for (index, section) in sections.enumerated() {
            if index > 0 { text += "," }
            let start = text.utf8.count
            text += #"{"id":"\#(section.id)""#
            let header = span(section.header.map { #","header":\#($0)"# } ?? "")
            text += #","cells":["#
            let head = Span(start..<text.utf8.count)
            let first = spans.count
            for (item, cell) in section.cells.enumerated() {
                if item > 0 { text += "," }
                spans.append(span(#"{"id":"\#(cell)","type":"row"}"#))
            }
            text += "]"
            let tail = span(section.footer.map { #","footer":\#($0)"# } ?? "")
            text += "}"
            parts.append(Section(cells: first..<spans.count, head: head, header: header, tail: tail))
        }
        text += "]}"
        return SnapshotDocument(
            bytes: Array(text.utf8), screen: "letters", version: "new", title: #"A "title""#, sections: parts, cells: spans
        )
    }
}
