import DocumentTexts
import SeededRandom
import Testing

@testable import ScreenWire

@Suite("Applying changesets as a client") struct ApplyingTests {
    private let list = "a: 1 2 3 | b: 4 5"

    private func applied(_ stages: String) throws -> String {
        try DocumentTexts.appliedByClient(DocumentTexts.changeset(stages), to: DocumentTexts.snapshot(list))
    }

    private func ids(_ sections: [SnapshotTree.Section]) -> String {
        sections.map { "\($0.id): \($0.cells.map(\.id).joined(separator: " "))" }.joined(separator: " | ")
    }

    static let seeds = Seeds.first(100)

    @Test(arguments: seeds) func applyingAChangesetAsAClientResultsInTheTargetSnapshot(seed: UInt64) throws {
        var documents = RandomSnapshots(seed: seed)
        let (source, target) = (documents.next(version: "v1"), documents.next(version: "v2"))
        let changeset = try DocumentTexts.changeset(from: source, to: target)
        #expect(try DocumentTexts.appliedByClient(changeset, to: source) == RandomSnapshots.written(target), "\(changeset)")
    }

    @Test(arguments: seeds) func aDamagedChangesetResultsInAValidSnapshotOrChangesNothing(seed: UInt64) throws {
        var documents = RandomSnapshots(seed: seed)
        let (source, target) = (documents.next(version: "v1"), documents.next(version: "v2"))
        let changeset = try DocumentTexts.changeset(from: source, to: target)
        for _ in 0..<20 {
            let damaged = documents.damaged(changeset)
            guard let read = try? DocumentTexts.changeset(read: damaged) else { continue }
            var tree = try DocumentTexts.tree(source)
            let isApplied = (try? tree.apply(read)) != nil
            let after = String(decoding: tree.document().bytes, as: UTF8.self)
            #expect(isApplied || after == RandomSnapshots.written(source), "\(damaged)")
            #expect(try DocumentTexts.rewritten(after) == after, "\(damaged)")
            if let judged = try? DocumentTexts.applied(damaged, to: source) { #expect(isApplied && after == judged, "\(damaged)") }
        }
    }

    @Test(arguments: [
        (#"{"moveCells":[[0,1,0,0,2]]}"#, "a: 2 3 1 | b: 4 5"),
        (#"{"moveCells":[[0,1,0,1,1]]}"#, "a: 1 2 3 | b: 4 5"),
        (#"{"moveSections":[[0,1],[1,0]]}"#, "b: 4 5 | a: 1 2 3"),
        (#"{"updateCells":[{"at":[0,0],"cell":{"id":"1","type":"row"}}]}"#, "a: 1 2 3 | b: 4 5"),
        (#"{"updateSections":[{"at":1}]}"#, "a: 1 2 3 | b: 4 5"),
        (#"{"deleteCells":[[0,0,1]],"insertCells":[{"at":[1,0],"cells":[{"id":"1","type":"row"}]}]}"#, "a: 2 3 | b: 1 4 5"),
    ])
    func aClientAppliesAChangesetWithUnnecessaryOperations(stages: String, result: String) throws {
        #expect(try applied(stages) == DocumentTexts.snapshot(result, version: "v2"))
        #expect(throws: DocumentFaults.self) {
            try DocumentTexts.applied(DocumentTexts.changeset(stages), to: DocumentTexts.snapshot(list))
        }
    }

    @Test(arguments: [
        (#"{"updateCells":[{"at":[0,3],"cell":{"id":"1","type":"t"}}]}"#, Refusal("/stages/0/updateCells/0", .outOfBounds(count: 3))),
        (#"{"updateCells":[{"at":[2,0],"cell":{"id":"1","type":"t"}}]}"#, Refusal("/stages/0/updateCells/0", .outOfBounds(count: 2))),
        (
            #"{"updateCells":[{"at":[0,1],"cell":{"id":"3","type":"t"}}]}"#,
            Refusal("/stages/0/updateCells/0/cell/id", .unexpectedText(found: "3", expected: ["2"]))
        ),
        (
            #"{"updateCells":[{"at":[0,0],"cell":{"id":"1","type":"t"}},{"at":[0,0],"cell":{"id":"1","type":"u"}}]}"#,
            Refusal("/stages/0/updateCells/1", .sourceTwice)
        ),
        (#"{"deleteCells":[[0,2,2]]}"#, Refusal("/stages/0/deleteCells/0", .outOfBounds(count: 3))),
        (#"{"deleteCells":[[0,0,1]],"moveCells":[[0,0,1,0,1]]}"#, Refusal("/stages/0/moveCells/0", .sourceTwice)),
        (#"{"moveCells":[[0,0,1,0,1],[0,1,1,0,1]]}"#, Refusal("/stages/0/moveCells/1", .targetTwice)),
        (#"{"deleteSections":[1,0]}"#, Refusal("/stages/0/deleteSections/1", .notAscending)),
        (#"{"updateSections":[{"at":2}]}"#, Refusal("/stages/0/updateSections/0", .outOfBounds(count: 2))),
        (
            #"{"insertCells":[{"at":[0,0],"cells":[{"id":"5","type":"t"}]}]}"#,
            Refusal("/stages/0/insertCells/0/cells/0/id", .insertsExistingID("5"))
        ),
        (
            #"{"insertSections":[{"at":0,"section":{"id":"b","cells":[]}}]}"#,
            Refusal("/stages/0/insertSections/0/section/id", .insertsExistingID("b"))
        ),
        (
            #"{"deleteSections":[0]},{"deleteCells":[[0,0,1]]}"#,
            Refusal("/stages/1", .stageOutOfOrder(["deleteCells", "insertCells", "moveCells"], after: ["deleteSections", "moveSections"]))
        ),
    ])
    func aChangesetThatDoesNotFitTheSnapshotIsRejected(stages: String, refusal: Refusal) throws {
        #expect(try Refusal.list { try applied(stages) } == [refusal])
    }

    @Test(arguments: [
        (#"{"kind":"changeset","screen":"digits","from":"v1","version":"v2","stages":[]}"#, "/screen"),
        (#"{"kind":"changeset","screen":"letters","from":"v0","version":"v2","stages":[]}"#, "/from"),
    ])
    func aChangesetOfAnotherScreenOrVersionIsRejected(changeset: String, pointer: String) throws {
        let refused = try Refusal.list { try DocumentTexts.appliedByClient(changeset, to: DocumentTexts.snapshot(list)) }
        #expect(refused.map(\.pointer) == [pointer])
    }

    @Test(arguments: [
        #"{"moveCells":[[0,0,0,1,9]]}"#, #"{"insertSections":[{"at":0,"section":{"id":"c","cells":[]}}]},{"deleteCells":[[9,0,1]]}"#,
        #"{"insertCells":[{"at":[1,0],"cells":[{"id":"5","type":"t"}]}]},{"deleteSections":[0]}"#, #"{"updateSections":[{"at":9}]}"#,
    ])
    func aChangesetThatFailsInALaterStageChangesNothing(stages: String) throws {
        let update = #"{"updateCells":[{"at":[0,0],"cell":{"id":"1","type":"t"}},{"at":[1,1],"cell":{"id":"5","type":"t"}}]},"#
        var tree = try DocumentTexts.tree(DocumentTexts.snapshot(list))
        let changeset = try DocumentTexts.changeset(read: DocumentTexts.changeset(update + stages))
        #expect(throws: DocumentFaults.self) { try tree.apply(changeset) }
        #expect(String(decoding: tree.document().bytes, as: UTF8.self) == DocumentTexts.snapshot(list))
    }

    @Test func anUpdateOfACellCopiesNoOtherCell() throws {
        let ids = (0..<2_000).map { "\($0)" }.joined(separator: " ")
        var tree = try DocumentTexts.tree(DocumentTexts.snapshot("a: \(ids)"))
        func buffer() -> UnsafeRawPointer? { tree.sections[0].cells.blocks[0].withUnsafeBytes(\.baseAddress) }
        let before = buffer()
        let stages = #"{"updateCells":[{"at":[0,1000],"cell":{"id":"1000","type":"new"}}]}"#
        try tree.apply(DocumentTexts.changeset(read: DocumentTexts.changeset(stages)))
        #expect(tree.sections[0].cells[1000].type == "new")
        #expect(buffer() == before)
    }

    @Test func anUpdateOfACellThatAListViewHoldsCopiesAFewCells() throws {
        let ids = (0..<20_000).map { "\($0)" }.joined(separator: " ")
        var tree = try DocumentTexts.tree(DocumentTexts.snapshot("a: \(ids)"))
        let held = tree
        func blocks(_ tree: SnapshotTree) -> [UnsafeRawPointer?] { tree.sections[0].cells.blocks.map { $0.withUnsafeBytes(\.baseAddress) } }
        let stages = #"{"updateCells":[{"at":[0,10000],"cell":{"id":"10000","type":"new"}}]}"#
        try tree.apply(DocumentTexts.changeset(read: DocumentTexts.changeset(stages)))
        #expect(tree.sections[0].cells[10_000].type == "new" && held.sections[0].cells[10_000].type == "row")
        #expect(zip(blocks(tree), blocks(held)).count { $0 != $1 } == 1 && blocks(tree).count == 5)
        #expect(tree.sections[0].cells.map(\.id) == (0..<20_000).map(String.init))
    }

    @Test func aCopyOfASnapshotDoesNotChangeWhenAChangesetIsAppliedToTheOriginal() throws {
        var tree = try DocumentTexts.tree(DocumentTexts.snapshot(list))
        let copy = tree
        let stages = #"{"updateCells":[{"at":[0,0],"cell":{"id":"1","type":"t"}}]}"#
        try tree.apply(DocumentTexts.changeset(read: DocumentTexts.changeset(stages)))
        #expect(copy.sections[0].cells[0].type == "row" && tree.sections[0].cells[0].type == "t")
    }

    @Test func cellsKeepTheirObjectsIfTheyAreMovedOrIfTheirNewContentIsEqual() throws {
        var tree = try DocumentTexts.tree(DocumentTexts.snapshot(list))
        let objects = Dictionary(uniqueKeysWithValues: tree.sections.flatMap(\.cells).map { ($0.id, $0.object) })
        let stages =
            #"{"updateCells":[{"at":[0,0],"cell":{"id":"1","type":"row"}},{"at":[0,1],"cell":{"id":"2","type":"t"}}]},"#
            + #"{"deleteCells":[[1,1,1]],"insertCells":[{"at":[0,0],"cells":[{"id":"9","type":"row"}]}],"moveCells":[[0,2,1,0,1]]},"#
            + #"{"moveSections":[[1,0]]}"#
        try tree.apply(DocumentTexts.changeset(read: DocumentTexts.changeset(stages)))
        #expect(ids(tree.sections) == "b: 3 4 | a: 9 1 2")
        let kept = tree.sections.flatMap(\.cells).filter { objects[$0.id] === $0.object }
        #expect(kept.map(\.id) == ["3", "4", "1"])
    }

    @Test func anUpdateOfASectionKeepsTheHeaderObjectIfTheHeaderIsUnchanged() throws {
        let views = #""header":{"type":"h"},"footer":{"type":"f"}"#
        var tree = try DocumentTexts.tree(DocumentTexts.snapshot(list).replacing(#""id":"b","#, with: #""id":"b",\#(views),"#))
        let (header, footer) = (tree.sections[1].header?.object, tree.sections[1].footer?.object)
        let stages = #"{"updateSections":[{"at":1,"header":{"type":"h"},"footer":{"type":"g"}}]}"#
        try tree.apply(DocumentTexts.changeset(read: DocumentTexts.changeset(stages)))
        #expect(tree.sections[1].header?.object === header)
        #expect(tree.sections[1].footer?.object !== footer && tree.sections[1].footer?.type == "g")
    }

    @Test func aSnapshotReusesObjectsOfAnEarlierSnapshotIfTheirContentIsEqual() throws {
        func text(_ list: String, header: String) -> String {
            DocumentTexts.snapshot(list).replacing(#""id":"b","#, with: #""id":"b","header":{"type":"\#(header)"},"footer":{"type":"f"},"#)
        }
        let earlier = try DocumentTexts.tree(text("a: 1 2 3 | b: 4", header: "h"))
        let document = text("b: 3 5 1 | c: 2", header: "i").replacing(#""id":"1","type":"row""#, with: #""id":"1","type":"new""#)
        var later = try DocumentTexts.tree(document)
        later.reuse(earlier)
        #expect(try String(decoding: later.document().bytes, as: UTF8.self) == DocumentTexts.rewritten(document))
        let objects = earlier.sections.flatMap(\.cells).map(\.object)
        let reused = later.sections.flatMap(\.cells).filter { cell in objects.contains { $0 === cell.object } }
        #expect(reused.map(\.id) == ["3", "2"])
        #expect(later.sections[0].footer?.object === earlier.sections[1].footer?.object)
        #expect(later.sections[0].header?.type == "i")
    }

    @Test func applyingAChangesetByStagesReturnsTheSnapshotAfterEachStage() throws {
        var tree = try DocumentTexts.tree(DocumentTexts.snapshot(list))
        let stages =
            #"{"updateCells":[{"at":[0,0],"cell":{"id":"1","type":"t"}}]},{"moveCells":[[0,0,1,0,3]]},{"deleteSections":[0]}"#
        let text = DocumentTexts.changeset(stages).replacing(#""stages""#, with: #""title":"T","stages""#)
        let changeset = try DocumentTexts.changeset(read: text)
        let played = try tree.applyByStages(changeset)
        #expect(played.map { ids($0.snapshot.sections) } == [list, "a:  | b: 1 2 3 4 5", "b: 1 2 3 4 5"])
        #expect(played.map(\.snapshot.version) == ["v1", "v1", "v2"])
        #expect(played.map(\.snapshot.title) == [nil, nil, "T"])
        #expect(played.map(\.stage) == changeset.stages.map(\.operations))
        #expect(played.last?.snapshot.document().bytes == tree.document().bytes)
        #expect(played[1].snapshot.sections[1].cells[0].type == "t")
    }

    @Test func aChangesetWithoutStagesChangesTheVersionAndTheTitle() throws {
        var tree = try DocumentTexts.tree(DocumentTexts.snapshot(list))
        let changeset = DocumentTexts.changeset("").replacing(#""stages""#, with: #""title":"New","stages""#)
        #expect(try tree.applyByStages(DocumentTexts.changeset(read: changeset)).isEmpty)
        #expect(tree.version == "v2" && tree.title == "New")
    }
}
