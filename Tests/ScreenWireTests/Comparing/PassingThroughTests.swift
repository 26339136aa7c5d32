import DocumentTexts
import ScreenWire
import Testing

@Suite("Unknown members") struct PassingThroughTests {
    /// A snapshot whose keys have the order that the protocol defines. It has many members that the protocol does not define.
    private let foreign = #"""
        {"kind":"snapshot","screen":"s","version":"v1","layout":"collection","title":"T","sections":[{"id":"a","tint":"red","header":{"type":"hologram","depth":1.50,"note":null},"cells":[{"id":"1","type":"widget","price":12345678901234567890.10,"ratio":1e-7,"zero":-0,"note":null,"fallback":null,"deep":{"list":[null,[],{}],"$ref":"x"}},{"type":"row","id":"2","fallback":{"type":"b","n":1.0},"text":"é\u0001\"/"}],"footer":{"type":"f","actions":[]},"supplementary":[{"kind":"badge","cell":"1","view":{"type":"new"},"priority":0.10},{"kind":"badge","item":9,"view":{"type":"b"}}]}],"locale":"fr","$later":{"n":1.0}}
        """#

    @Test func aRewrittenSnapshotKeepsUnknownMembersUnchanged() throws {
        #expect(try DocumentTexts.rewritten(foreign) == foreign)
    }

    @Test func aChangesetContainsTheUnknownMembersOfInsertedSectionsAndCells() throws {
        let empty =
            #"{"kind":"snapshot","screen":"s","version":"v0","layout":"collection","title":"T","sections":[],"locale":"fr","$later":{"n":1.0}}"#
        #expect(try DocumentTexts.applied(DocumentTexts.changeset(from: empty, to: foreign), to: empty) == foreign)
    }

    @Test func aRewrittenSnapshotOmitsOptionalKeysWithTheValueNull() throws {
        let optional = #""size":null,"action":null,"actions":null,"link":null"#
        let nulls = #"\#(optional),"fallback":{"type":"f",\#(optional)}"#
        let fallback = #""fallback":{"type":"f"}"#
        let text = #"""
            {"kind":"snapshot","screen":"s","version":"v","layout":"table","title":null,"sections":[{"id":"a","header":null,"cells":[{"id":"1","type":"row",\#(nulls),"note":null}],"footer":{"type":"f",\#(nulls)},"supplementary":[]},{"id":"b","header":{"type":"h",\#(nulls)},"cells":[],"footer":null,"supplementary":[{"kind":"k","item":0,"view":{"type":"v",\#(nulls)}}]}]}
            """#
        let expected = #"""
            {"kind":"snapshot","screen":"s","version":"v","layout":"table","sections":[{"id":"a","cells":[{"id":"1","type":"row",\#(fallback),"note":null}],"footer":{"type":"f",\#(fallback)}},{"id":"b","header":{"type":"h",\#(fallback)},"cells":[],"supplementary":[{"kind":"k","item":0,"view":{"type":"v",\#(fallback)}}]}]}
            """#
        #expect(try DocumentTexts.rewritten(text) == expected)
    }

    @Test func theKeysOfARewrittenSnapshotHaveTheOrderOfTheProtocol() throws {
        let text =
            #"{"later":1,"sections":[{"cells":[],"footer":{"type":"f"},"id":"a","x":2,"header":{"type":"h"}}],"title":"T","layout":"table","version":"v","screen":"s","kind":"snapshot"}"#
        let expected =
            #"{"kind":"snapshot","screen":"s","version":"v","layout":"table","title":"T","sections":[{"id":"a","x":2,"header":{"type":"h"},"cells":[],"footer":{"type":"f"}}],"later":1}"#
        #expect(try DocumentTexts.rewritten(text) == expected)
    }

    @Test func aSnapshotThatIsReadAndWrittenAgainOmitsItsReason() throws {
        let text = DocumentTexts.snapshot("a: 1")
        let answer = #"{"kind":"snapshot","reason":"initial","# + text.dropFirst(#"{"kind":"snapshot","#.count)
        #expect(try DocumentTexts.rewritten(answer) == text)
    }

    @Test func unknownTopLevelKeysOfAChangesetAreIgnored() throws {
        let changeset = #"{"later":{"a":1},"# + DocumentTexts.changeset("").dropFirst()
        #expect(try DocumentTexts.applied(changeset, to: DocumentTexts.snapshot("a: 1")) == DocumentTexts.snapshot("a: 1", version: "v2"))
    }
}
