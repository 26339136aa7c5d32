import DocumentTexts
import Testing

@testable import ScreenWire

@Suite("Applying changesets") struct PlaybackTests {
    private let list = "a: 1 2 3 | b: 4 5"

    private func applied(_ stages: String) throws -> String {
        try DocumentTexts.applied(DocumentTexts.changeset(stages), to: DocumentTexts.snapshot(list))
    }

    @Test(arguments: [
        ("", "a: 1 2 3 | b: 4 5"),
        (#"{"deleteCells":[[0,0,2],[1,1,1]]}"#, "a: 3 | b: 4"),
        (
            #"{"insertCells":[{"at":[0,0],"cells":[{"id":"8","type":"row"}]},{"at":[1,2],"cells":[{"id":"9","type":"row"}]}]}"#,
            "a: 8 1 2 3 | b: 4 5 9"
        ),
        (#"{"moveCells":[[0,0,0,2,1]]}"#, "a: 2 3 1 | b: 4 5"),
        (#"{"moveCells":[[0,0,1,0,2],[1,1,0,0,1]]}"#, "a: 5 3 | b: 1 2 4"),
        (#"{"deleteCells":[[0,0,1]],"moveCells":[[0,1,0,1,1]]}"#, "a: 3 2 | b: 4 5"),
        (#"{"deleteSections":[0]}"#, "b: 4 5"),
        (#"{"moveSections":[[1,0]]}"#, "b: 4 5 | a: 1 2 3"),
        (
            #"{"insertSections":[{"at":1,"section":{"id":"c","cells":[]}}]},{"moveCells":[[0,1,1,0,2],[2,0,1,2,2]]},{"deleteSections":[2]}"#,
            "a: 1 | c: 2 3 4 5"
        ),
        // Some JSON encoders write whole numbers with a fraction.
        (#"{"deleteCells":[[0.0,0,2e0]]}"#, "a: 3 | b: 4 5"),
    ])
    func applyingAChangesetPerformsItsOperationsOnTheSnapshot(stages: String, result: String) throws {
        #expect(try applied(stages) == DocumentTexts.snapshot(result, version: "v2"))
    }

    @Test func anUpdateOfASectionReplacesItsHeaderItsFooterAndItsSupplementaryViews() throws {
        let source = DocumentTexts.snapshot("a: 1").replacing(#"{"id":"a","#, with: #"{"id":"a","x":1,"header":{"type":"h"},"#)
        let changeset = DocumentTexts.changeset(#"{"updateSections":[{"at":0,"footer":{"type":"f"}}]}"#)
        let expected = #""sections":[{"id":"a","x":1,"cells":[{"id":"1","type":"row"}],"footer":{"type":"f"}}]"#
        #expect(try DocumentTexts.applied(changeset, to: source).contains(expected))
    }

    @Test func aChangesetWithoutATitleKeepsTheTitleOfTheSnapshot() throws {
        let source = DocumentTexts.snapshot("a: 1").replacing(#","sections""#, with: #","title":"Old","sections""#)
        for (title, result) in [(#","title":"New""#, "New"), (#","title":null"#, "Old"), ("", "Old")] {
            let changeset = DocumentTexts.changeset("").replacing(#","stages""#, with: #"\#(title),"stages""#)
            #expect(try DocumentTexts.applied(changeset, to: source).contains(#""title":"\#(result)""#))
        }
    }

    @Test(arguments: [
        (#""screen":"digits","from":"v1","version":"v2""#, [Refusal("/screen", .unexpectedText(found: "digits", expected: ["letters"]))]),
        (#""screen":"letters","from":"v0","version":"v1""#, [Refusal("/from", .wrongVersion(expected: "v1", found: "v0"))]),
        (#""screen":"letters","from":"v1""#, [Refusal("/version", .missing)]),
        (#""screen":"letters","version":"v2""#, [Refusal("/from", .missing)]),
        (
            #""screen":"letters","from":"v1","version":"v1","title":"New""#,
            [Refusal("/title", .changesWithoutVersion), Refusal("/stages", .changesWithoutVersion)]
        ),
    ])
    func aChangesetWithAWrongScreenOrVersionIsRejected(head: String, expected: [Refusal]) throws {
        let changeset = #"{"kind":"changeset",\#(head),"stages":[{"deleteSections":[0]}]}"#
        #expect(try Refusal.list { try DocumentTexts.applied(changeset, to: DocumentTexts.snapshot(list)) } == expected)
    }
}
