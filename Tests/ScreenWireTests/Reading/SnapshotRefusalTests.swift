import DocumentTexts
import Testing

@testable import ScreenWire

@Suite("Rejected snapshots") struct SnapshotRefusalTests {
    private func refusals(_ text: String) throws -> [Refusal] {
        try Refusal.list { try DocumentTexts.tree(text) }
    }

    @Test func aSnapshotThatIsNotAnObjectIsRejected() throws {
        #expect(try refusals("[]") == [Refusal("", .wrongKind(expected: "an object", found: "an array"))])
    }

    @Test func allMissingMembersOfASnapshotAreReported() throws {
        let names = ["kind", "screen", "version", "layout", "sections"]
        #expect(try refusals("{}") == names.map { Refusal("/\($0)", .missing) })
    }

    @Test func noOtherFaultIsReportedIfADocumentHasTheWrongKind() throws {
        let expected = DocumentFault.Cause.unexpectedText(found: "changeset", expected: ["snapshot"])
        #expect(try refusals(DocumentTexts.changeset("")) == [Refusal("/kind", expected)])
    }

    @Test(arguments: [
        (#""screen":7"#, Refusal("/screen", .wrongKind(expected: "a string", found: "a number"))),
        (#""version":null"#, Refusal("/version", .wrongKind(expected: "a string", found: "null"))),
        (#""layout":"grid""#, Refusal("/layout", .unexpectedText(found: "grid", expected: ["table", "collection"]))),
        (#""title":true"#, Refusal("/title", .wrongKind(expected: "a string", found: "a boolean"))),
        (#""sections":{}"#, Refusal("/sections", .wrongKind(expected: "an array", found: "an object"))),
    ])
    func aTopLevelMemberWithAWrongTypeOrValueIsRejected(member: String, refusal: Refusal) throws {
        let name = member.split(separator: "\"")[0]
        let others = [
            #""kind":"snapshot""#, #""screen":"letters""#, #""version":"v1""#, #""layout":"table""#, #""sections":[]"#,
        ].filter { !$0.hasPrefix("\"\(name)\"") }
        #expect(try refusals("{\((others + [member]).joined(separator: ","))}") == [refusal])
    }

    @Test(arguments: [
        ("7", [Refusal("/sections/0", .wrongKind(expected: "an object", found: "a number"))]),
        (#"{"cells":[]}"#, [Refusal("/sections/0/id", .missing)]),
        (#"{"id":"a"}"#, [Refusal("/sections/0/cells", .missing)]),
        (
            #"{"id":null,"cells":{}}"#,
            [
                Refusal("/sections/0/id", .wrongKind(expected: "a string", found: "null")),
                Refusal("/sections/0/cells", .wrongKind(expected: "an array", found: "an object")),
            ]
        ),
        (
            #"{"id":"a","cells":[],"header":{"title":"H"},"footer":"F"}"#,
            [
                Refusal("/sections/0/header/type", .missing),
                Refusal("/sections/0/footer", .wrongKind(expected: "an object", found: "a string")),
            ]
        ),
        (#"{"id":"a","cells":[],"supplementary":[{"kind":"badge","item":0}]}"#, [Refusal("/sections/0/supplementary/0/view", .missing)]),
        (
            #"{"id":"a","cells":[],"supplementary":[{"item":0,"view":{"type":"b"}}]}"#,
            [Refusal("/sections/0/supplementary/0/kind", .missing)]
        ),
        (
            #"{"id":"a","cells":[],"supplementary":[{"kind":"badge","view":{"type":"b"}}]}"#,
            [Refusal("/sections/0/supplementary/0", .noCellOrItem)]
        ),
        (
            #"{"id":"a","cells":[],"supplementary":[{"kind":"badge","item":-1,"view":{"type":"b"}}]}"#,
            [Refusal("/sections/0/supplementary/0/item", .notAnIndex("-1"))]
        ),
        (
            #"{"id":"a","cells":[{"type":"row"},{"id":"2"},{"id":3,"type":"row"}]}"#,
            [
                Refusal("/sections/0/cells/0/id", .missing),
                Refusal("/sections/0/cells/1/type", .missing),
                Refusal("/sections/0/cells/2/id", .wrongKind(expected: "a string", found: "a number")),
            ]
        ),
        (
            #"{"id":"a","cells":[{"id":"1","type":"row","fallback":"b"},{"id":"2","type":"row","fallback":{}}],"footer":{"type":"f","fallback":{"type":1}}}"#,
            [
                Refusal("/sections/0/footer/fallback/type", .wrongKind(expected: "a string", found: "a number")),
                Refusal("/sections/0/cells/0/fallback", .wrongKind(expected: "an object", found: "a string")),
                Refusal("/sections/0/cells/1/fallback/type", .missing),
            ]
        ),
    ])
    func malformedSectionsAreRejected(section: String, expected: [Refusal]) throws {
        let text = #"{"kind":"snapshot","screen":"letters","version":"v1","layout":"table","sections":[\#(section)]}"#
        #expect(try refusals(text) == expected)
    }

    @Test func noMoreThanTenThousandFaultsAreCollected() throws {
        let cells = Array(repeating: "7", count: 10_001).joined(separator: ",")
        #expect(try refusals(DocumentTexts.snapshot("a:").replacing("[]", with: "[\(cells)]")).count == 10_000)
    }

    @Test func repeatedCellIDsInOneOrSeveralSectionsAreRejected() throws {
        let first = JSONPointer("sections", 0, "cells", 1, "id")
        let expected = [
            Refusal("/sections/1/cells/0/id", .repeatedID("2", first: first)),
            Refusal("/sections/1/cells/2/id", .repeatedID("2", first: first)),
        ]
        #expect(try refusals(DocumentTexts.snapshot("a: 1 2 | b: 2 3 2")) == expected)
    }

    @Test func repeatedSectionIDsAreRejected() throws {
        let expected = Refusal("/sections/2/id", .repeatedID("a", first: JSONPointer("sections", 0, "id")))
        #expect(try refusals(DocumentTexts.snapshot("a: 1 | b: | a: 2")) == [expected])
    }

    @Test func canonicallyEquivalentCellIDsWithDifferentBytesAreAccepted() throws {
        #expect(try refusals(DocumentTexts.snapshot("a: caf\u{E9} cafe\u{301}")) == [])
    }

    @Test func tildesAndSlashesAreEscapedInAJSONPointer() {
        #expect(JSONPointer("a/b", "c~d", "~1", 0).description == "/a~1b/c~0d/~01/0")
        #expect(JSONPointer("~\u{301}").description == "/~0\u{301}")
    }
}
