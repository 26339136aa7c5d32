import DocumentTexts
import Testing

@testable import ScreenWire

@Suite("Comparing snapshots") struct ComparingTests {
    private func snapshot(version: String = "v1", title: String? = nil, more: String = "", _ sections: String = "") -> String {
        let title = title.map { #","title":"\#($0)""# } ?? ""
        return #"{"kind":"snapshot","screen":"s","version":"\#(version)","layout":"table"\#(title),"sections":[\#(sections)]\#(more)}"#
    }

    private func refusals(from source: String, to target: String) throws -> [Refusal] {
        try Refusal.list { try DocumentTexts.changeset(from: source, to: target) }
    }

    private func stages(from source: String, to target: String) throws -> String {
        let text = try DocumentTexts.changeset(from: source, to: target)
        let opening = #"{"kind":"changeset","screen":"s","from":"v1","version":"v2","stages":["#
        try #require(text.hasPrefix(opening))
        return String(text.dropFirst(opening.count).dropLast(2))
    }

    @Test func equalSnapshotsHaveAChangesetWithoutStages() throws {
        let same = try DocumentTexts.changeset(from: DocumentTexts.snapshot("a: 1"), to: DocumentTexts.snapshot("a: 1"))
        #expect(same == #"{"kind":"changeset","screen":"letters","from":"v1","version":"v1","stages":[]}"#)
    }

    @Test func aChangesetWithAllFiveKindsOfStagesContainsTheChangedContent() throws {
        let source = snapshot(
            #"""
            {"id":"a","cells":[{"id":"1","type":"t"},{"id":"2","type":"t","n":1}]},{"id":"b","header":{"type":"h"},"cells":[{"id":"3","type":"t"},{"id":"4","type":"t"}]}
            """#)
        let target = snapshot(
            version: "v2",
            #"""
            {"id":"c","x":0,"cells":[{"id":"5","type":"t"},{"id":"3","type":"t"}]},{"id":"a","footer":{"type":"f","n":1.0},"cells":[{"id":"6","type":"t"},{"id":"2","type":"t","n":1.0}]}
            """#)
        let expected = #"""
            {"updateCells":[{"at":[0,1],"cell":{"id":"2","type":"t","n":1.0}}]},{"insertSections":[{"at":0,"section":{"id":"c","x":0,"cells":[{"id":"5","type":"t"}]}}]},{"deleteCells":[[1,0,1]],"insertCells":[{"at":[1,0],"cells":[{"id":"6","type":"t"}]}],"moveCells":[[2,0,0,1,1]]},{"deleteSections":[2]},{"updateSections":[{"at":1,"footer":{"type":"f","n":1.0}}]}
            """#
        #expect(try stages(from: source, to: target) == expected)
    }

    @Test func objectsThatDifferOnlyInTheOrderOfTheirKeysAreEqual() throws {
        let source = snapshot(#"{"id":"a","cells":[{"id":"1","type":"t","x":{"p":1,"q":[2]}}]}"#)
        let target = snapshot(version: "v2", #"{"cells":[{"x":{"q":[2],"p":1},"type":"t","id":"1"}],"id":"a"}"#)
        #expect(try stages(from: source, to: target) == "")
    }

    @Test(arguments: [
        (#""n":1"#, #""n":1.0"#), (#""n":null"#, ""), (#""n":"é""#, "\"n\":\"e\u{301}\""), (#""n":[1,2]"#, #""n":[2,1]"#),
        (#""n":{"a":1}"#, #""n":{"a":1,"b":null}"#), (#""n":true"#, #""n":1"#), (#""é":1"#, "\"e\u{301}\":1"),
    ])
    func cellsThatDifferInDigitsNullsOrBytesAreUpdated(old: String, new: String) throws {
        func list(_ content: String) -> String {
            #"{"id":"a","cells":[{"id":"1","type":"t"\#(content.isEmpty ? "" : "," + content)}]}"#
        }
        let expected = #"{"updateCells":[{"at":[0,0],"cell":{"id":"1","type":"t"\#(new.isEmpty ? "" : "," + new)}}]}"#
        #expect(try stages(from: snapshot(list(old)), to: snapshot(version: "v2", list(new))) == expected)
    }

    @Test func anOptionalKeyWithTheValueNullEqualsAnAbsentKey() throws {
        let source = snapshot(#"{"id":"a","header":null,"cells":[{"id":"1","type":"t","link":null}],"supplementary":[]}"#)
        #expect(try stages(from: source, to: snapshot(version: "v2", #"{"id":"a","cells":[{"id":"1","type":"t"}]}"#)) == "")
    }

    @Test func aChangesetContainsANewTitle() throws {
        for old in [nil, "Old"] {
            let text = try DocumentTexts.changeset(from: snapshot(title: old), to: snapshot(version: "v2", title: "New"))
            #expect(text == #"{"kind":"changeset","screen":"s","from":"v1","version":"v2","title":"New","stages":[]}"#)
        }
    }

    @Test func comparingSnapshotsIsRejectedIfOnlyTheOldSnapshotHasATitle() throws {
        #expect(try refusals(from: snapshot(title: "Old"), to: snapshot(version: "v2")) == [Refusal("/title", .titleRemoved)])
    }

    @Test func comparingSnapshotsWithEqualVersionsAndDifferentContentsIsRejected() throws {
        let source = snapshot(title: "Old", #"{"id":"a","cells":[]}"#)
        #expect(try refusals(from: source, to: snapshot(title: "Old")) == [Refusal("/version", .sameVersion)])
        #expect(try refusals(from: snapshot(title: "Old"), to: snapshot(title: "New")) == [Refusal("/version", .sameVersion)])
    }

    @Test func comparingSnapshotsOfDifferentScreensOrLayoutsIsRejected() throws {
        let other = #"{"kind":"snapshot","screen":"t","version":"v2","layout":"collection","sections":[]}"#
        let expected = [
            Refusal("/screen", .unexpectedText(found: "t", expected: ["s"])),
            Refusal("/layout", .unexpectedText(found: "collection", expected: ["table"])),
        ]
        #expect(try refusals(from: snapshot(), to: other) == expected)
    }

    @Test func comparingSnapshotsIsRejectedIfUnknownKeysOfASectionDiffer() throws {
        let source = snapshot(#"{"id":"z","cells":[]},{"id":"a","x":1,"y":1,"z":1,"cells":[]}"#)
        let target = snapshot(version: "v2", #"{"id":"a","w/v":1,"y":2,"z":1,"cells":[]},{"id":"new","x":5,"cells":[]}"#)
        let expected = ["/sections/0/y", "/sections/0/w~1v", "/sections/0/x"].map { Refusal($0, .inexpressibleChange) }
        #expect(try refusals(from: source, to: target) == expected)
    }

    @Test func unknownTopLevelKeysOfSnapshotsAreNotCompared() throws {
        #expect(try stages(from: snapshot(more: #","at":1"#), to: snapshot(version: "v2", more: #","at":2"#)) == "")
    }
}
