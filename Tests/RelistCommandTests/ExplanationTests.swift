import DocumentTexts
import ScreenWire
import SeededRandom
import Testing

@testable import RelistCommand

@Suite("Explaining changesets") struct ExplanationTests {
    private func explanation(from source: String, to target: String) throws -> String {
        try explanation(of: DocumentTexts.changeset(from: source, to: target), on: source)
    }

    private func explanation(of changeset: String, on source: String) throws -> String {
        Explanation(of: try DocumentTexts.playback(of: changeset, on: source)).description
    }

    private func explanation(_ before: String, _ after: String) throws -> String {
        try explanation(from: DocumentTexts.snapshot(before), to: DocumentTexts.snapshot(after, version: "v2"))
    }

    @Test func theExplanationOfEqualContentSaysThatNothingChanged() throws {
        #expect(
            try explanation("a: 1", "a: 1") == """
                letters, from v1 to v2
                nothing changed
                """)
    }

    @Test func theExplanationSaysWhichCellsAreMovedOutOfADeletedSection() throws {
        #expect(
            try explanation("userInfo: firstName | account: email password connect", "userInfo: firstName email password") == """
                letters, from v1 to v2
                stage 1 of 2: move cells
                  userInfo/email, password: moved here from account, which goes
                stage 2 of 2: delete sections
                  account: deleted, because the new snapshot has no such section; with its remaining cell connect
                """)
    }

    @Test func insertedDeletedAndMovedCellsAreExplained() throws {
        #expect(
            try explanation("a: 1 2 3 4 9 | b: 5 | c:", "c: | a: 7 8 4 2 3 | n: 6 | b: 1 5") == """
                letters, from v1 to v2
                stage 1 of 3: insert sections
                  n: inserted at 1, because the old snapshot has no such section; with its new cell 6
                stage 2 of 3: delete, insert, move cells
                  a/9: deleted, because the new snapshot has no such cell
                  a/7, 8: inserted at 0, because the old snapshot has none of them
                  b/1: moved here from a, because it changed section
                  a/4: moved from 3 to 2, because its order among the others changed
                stage 3 of 3: move sections
                  c: moved from 3 to 0, because its order among the others changed
                """)
    }

    @Test func theExplanationOfAnUpdateNamesTheChangedKeys() throws {
        func snapshot(_ version: String, _ title: String, _ section: String) -> String {
            #"{"kind":"snapshot","screen":"s","version":"\#(version)","layout":"table","title":"\#(title)","sections":[{"id":"a",\#(section)}]}"#
        }
        let source = snapshot(
            "v1", "Old", #""header":{"type":"h","text":"x"},"footer":{"type":"f"},"cells":[{"id":"1","type":"t","value":1,"hint":""}]"#)
        let target = snapshot(
            "v2", "New",
            #""header":{"type":"h","text":"y"},"supplementary":[{"kind":"k","item":0,"view":{"type":"v"}}],"cells":[{"id":"1","type":"t","value":2,"note":null}]"#
        )
        #expect(
            try explanation(from: source, to: target) == """
                s, from v1 to v2
                title: was "Old", is "New"
                stage 1 of 2: update cells
                  a/1: content changed (value, note added, hint removed)
                stage 2 of 2: update headers, footers and supplementary views
                  a: header changed (text), footer removed, supplementary views added
                """)
    }

    @Test func theExplanationQuotesAmbiguousIdsAndShortensLongLists() throws {
        #expect(
            try explanation("a: x", #"a: 1 2/3 \u001b[2J 4 5 6 7 x"#) == #"""
                letters, from v1 to v2
                stage 1 of 1: insert cells
                  a/1, "2/3", "\u001b[2J", 4, 5 and 2 more: inserted at 0, because the old snapshot has none of them
                """#)
    }

    @Test(arguments: Seeds.first(100)) func aDamagedChangesetIsExplainedOrRejected(seed: UInt64) throws {
        var documents = RandomSnapshots(seed: seed)
        let (source, target) = (documents.next(version: "v1"), documents.next(version: "v2"))
        let changeset = try DocumentTexts.changeset(from: source, to: target)
        for _ in 0..<20 {
            do {
                #expect(try !explanation(of: documents.damaged(changeset), on: source).isEmpty)
            } catch is DocumentFaults {
            } catch is JSONSyntaxError {
            }
        }
    }
}
