import ScreenDiff
import ScreenModel
import Testing

@testable import ScreenWire

@Suite("Changeset documents") struct ChangesetDocumentTests {
    /// Section `a` has a header, three cells and a footer. Section `b` has one cell. Section `c` is empty.
    private let target: SnapshotDocument = {
        var writer = SnapshotDocumentWriter(screen: "letters", version: "new", layout: .table, title: #"A "title""#)
        for (id, cells) in [("a", ["1", "2", "3"]), ("b", ["4"]), ("c", [])] {
            writer.openSection(id: id)
            if id == "a" { writer.writeHeader { $0.write(raw: #"{"type":"h"}"#) } }
            writer.openCells()
            for cell in cells {
                writer.writeCell { json in
                    json.writeObject { cellJSON in
                        cellJSON.field("id", cell)
                        cellJSON.field("type", "row")
                    }
                }
            }
            writer.closeCells()
            if id == "a" { writer.writeFooter { $0.write(raw: #"{"type":"f"}"#) } }
            writer.closeSection()
        }
        writer.close()
        return writer.document()
    }()

    private func stages(_ stages: Stage..., title: Bool = false) throws -> String {
        let bytes = try #require(ChangesetDocument.bytes(from: "old", isTitleChanged: title, stages: stages, to: target))
        let text = String(decoding: bytes, as: UTF8.self)
        let opening = #"{"kind":"changeset","screen":"letters","from":"old","version":"new","stages":"#
        guard text.hasPrefix(opening) else { return text }
        return String(text.dropFirst(opening.count).dropLast())
    }

    @Test func aChangesetWithoutStagesHasAnEmptyArrayOfStages() throws {
        #expect(try stages() == "[]")
    }

    @Test func aChangesetContainsTheTitleIfItChanged() throws {
        let opening = #"{"kind":"changeset","screen":"letters","from":"old","version":"new","title":"A \"title\"","stages":[]}"#
        #expect(try stages(title: true) == opening)
    }

    @Test func anUpdateOfCellsContainsTheUpdatedCellsOfTheTargetSnapshot() throws {
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

    @Test func anInsertedSectionContainsItsViewsAndNewCellsButNotTheCellsThatMoveIntoIt() throws {
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

    @Test func consecutiveNewCellsOfASectionAreSeparatedByCommas() throws {
        var stage = Stage()
        stage.insertSections = [SectionInsert(place: 0, target: 0, newItems: [1..<3])]
        #expect(try stages(stage).contains(#""cells":[{"id":"2","type":"row"},{"id":"3","type":"row"}],"footer""#))
    }

    @Test func deletesAndInsertsAndMovesOfCellsAreWrittenInOneStage() throws {
        var stage = Stage()
        stage.deleteCells = [
            CellRun(place: CellPlace(section: 0, item: 2), count: 3), CellRun(place: CellPlace(section: 1, item: 0), count: 1),
        ]
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

    @Test func deletedAndMovedSectionsAreWrittenAsTheirIndices() throws {
        var stage = Stage()
        stage.deleteSections = [1, 12]
        stage.moveSections = [SectionMove(source: 3, destination: 0), SectionMove(source: 4, destination: 10)]
        #expect(try stages(stage) == #"[{"deleteSections":[1,12],"moveSections":[[3,0],[4,10]]}]"#)
    }

    @Test func anUpdateOfSectionsContainsAllViewsAndNoCells() throws {
        var stage = Stage()
        stage.updateSections = [0, 1]
        #expect(try stages(stage) == #"[{"updateSections":[{"at":0,"header":{"type":"h"},"footer":{"type":"f"}},{"at":1}]}]"#)
    }

    @Test func stagesAreWrittenInTheGivenOrder() throws {
        var first = Stage()
        first.deleteCells = [CellRun(place: CellPlace(section: 0, item: 0), count: 1)]
        var second = Stage()
        second.deleteSections = [0]
        #expect(try stages(first, second) == #"[{"deleteCells":[[0,0,1]]},{"deleteSections":[0]}]"#)
    }

    @Test func aChangesetLargerThanTheLimitIsNotWritten() throws {
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
    func theReasonFollowsTheKindInASnapshotDocument(reason: SnapshotReason) {
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
