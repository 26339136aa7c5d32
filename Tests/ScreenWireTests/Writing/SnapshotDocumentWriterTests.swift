import ScreenModel
import Testing

@testable import ScreenWire

@Suite("Writing snapshots") struct SnapshotDocumentWriterTests {
    private let document: SnapshotDocument = {
        var writer = SnapshotDocumentWriter(screen: "s", version: "00", layout: .table, title: "T")
        writer.openSection(id: "a", unknownMembers: [JSONValue.Member("tint", .string("red"))])
        writer.writeHeader { $0.write(raw: #"{"type":"h"}"#) }
        writer.openCells()
        for id in 1...2 { writer.writeCell { $0.write(id) } }
        writer.closeCells()
        writer.writeFooter { $0.write(raw: #"{"type":"f"}"#) }
        writer.writeSupplementaryView(kind: "badge", cell: "1", item: 0) { $0.write(raw: "{}") }
        writer.writeSupplementaryView(kind: "badge", cell: nil, item: 7) { $0.write(raw: "{}") }
        writer.closeSection()
        writer.openSection(id: "b")
        writer.openCells()
        writer.closeCells()
        writer.closeSection()
        writer.close(unknownMembers: [JSONValue.Member("$later", .null)])
        writer.replaceVersion(with: "v1")
        return writer.document()
    }()

    @Test func thePartsOfASnapshotAreWrittenInTheOrderOfTheProtocol() {
        let expected =
            #"{"kind":"snapshot","screen":"s","version":"v1","layout":"table","title":"T","sections":["#
            + #"{"id":"a","tint":"red","header":{"type":"h"},"cells":[1,2],"footer":{"type":"f"},"supplementary":["#
            + #"{"kind":"badge","cell":"1","view":{}},{"kind":"badge","item":7,"view":{}}]},{"id":"b","cells":[]}],"$later":null}"#
        #expect(text(document.bytes[...]) == expected)
        #expect(document.version == "v1")
    }

    @Test func aSnapshotDocumentRecordsTheByteRangesOfItsParts() {
        let section = document.sections[0]
        #expect(text(section.head) == #"{"id":"a","tint":"red","header":{"type":"h"},"cells":["#)
        #expect(text(section.header) == #","header":{"type":"h"}"#)
        #expect(document.cells[section.cells].map(text) == ["1", "2"])
        #expect(text(section.tail).hasPrefix(#","footer":{"type":"f"},"supplementary":[{"#))
        #expect(text(section.tail).hasSuffix(#""view":{}}]"#))
    }

    @Test func theByteRangeOfAMissingHeaderOrFooterIsEmpty() {
        let section = document.sections[1]
        #expect(section.cells.isEmpty)
        #expect(text(section.header) == "" && text(section.tail) == "")
        #expect(section.header.range.upperBound == section.head.range.lowerBound + #"{"id":"b""#.utf8.count)
        #expect(section.tail.range.lowerBound == section.head.range.upperBound + 1)
    }

    private func text(_ span: SnapshotDocument.Span) -> String { text(document.bytes[span.range]) }

    private func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
