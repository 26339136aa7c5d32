import DocumentTexts
import ScreenClient
import ScreenModel
import ScreenWire
import Synchronization
import Testing

struct DeliveryCell: Decodable, Equatable, Sendable {
    let id: String
    let kilograms: Int
}

struct DayHeader: Decodable, Equatable, Sendable {
    let title: String
}

@Suite("Typed cells") struct CellRegistryTests {
    private final class Reports: Sendable {
        let list = Mutex<[UndecodableCell]>([])
        var cells: [UndecodableCell] { list.withLock { $0 } }
        var ids: [String?] { cells.map(\.id) }
    }

    private let reports = Reports()
    private let registry: CellRegistry

    init() {
        registry = CellRegistry { [reports] cell in reports.list.withLock { $0.append(cell) } }
        registry.register(DeliveryCell.self)
        registry.register(DayHeader.self)
    }

    private func tree(_ cells: String, header: String = "null") throws -> SnapshotTree {
        try DocumentTexts.tree(
            #"{"kind":"snapshot","screen":"letters","version":"v1","layout":"table","sections":[{"id":"a","header":\#(header),"cells":[\#(cells)]}]}"#
        )
    }

    private func value(_ cell: String) throws -> CellValue {
        registry.value(of: try tree(cell).sections[0].cells[0])
    }

    @Test func aCellOfARegisteredTypeIsDecodedWithItsID() throws {
        let value = try value(#"{"id":"7534-1","type":"delivery","kilograms":9007199254740993,"later":null}"#)
        #expect(value.as(DeliveryCell.self) == DeliveryCell(id: "7534-1", kilograms: 9_007_199_254_740_993))
        #expect(value.as(DayHeader.self) == nil && !value.isHidden)
    }

    @Test func aHeaderOfARegisteredTypeIsDecoded() throws {
        let header = try #require(try tree("", header: #"{"type":"day","title":"Monday"}"#).sections[0].header)
        #expect(registry.value(of: header).as(DayHeader.self) == DayHeader(title: "Monday"))
    }

    @Test func aTypeWithoutAGivenNameIsRegisteredUnderTheNameThatTheServerDerives() throws {
        struct URLPreviewCell: Decodable, Sendable { let url: String }
        registry.register(URLPreviewCell.self)
        #expect(try value(#"{"id":"1","type":"urlPreview","url":"x"}"#).as(URLPreviewCell.self)?.url == "x")
        registry.register(URLPreviewCell.self, as: "preview")
        #expect(try value(#"{"id":"1","type":"preview","url":"y"}"#).as(URLPreviewCell.self)?.url == "y")
    }

    @Test func theKnownFallbackOfAnUnknownCellIsDecodedWithTheIDOfTheCell() throws {
        let fallback = #"{"id":"other","type":"delivery","kilograms":2}"#
        #expect(
            try value(#"{"id":"1","type":"hologram","fallback":\#(fallback)}"#).as(DeliveryCell.self) == DeliveryCell(id: "1", kilograms: 2)
        )
        #expect(
            try value(#"{"id":"1","type":"hologram","fallback":{"type":"poster","fallback":\#(fallback)}}"#).as(DeliveryCell.self)
                == DeliveryCell(id: "1", kilograms: 2))
        let header = #"{"type":"hologram","fallback":{"type":"day","title":"Monday"}}"#
        let view = try #require(try tree("", header: header).sections[0].header)
        #expect(registry.value(of: view).as(DayHeader.self) == DayHeader(title: "Monday"))
        #expect(reports.ids.isEmpty)
    }

    @Test func aCellOfAnUnknownTypeWithTheFallbackNullIsHidden() throws {
        #expect(try value(#"{"id":"1","type":"hologram","fallback":null}"#).isHidden)
        #expect(try value(#"{"id":"1","type":"hologram","fallback":{"type":"poster","fallback":null}}"#).isHidden)
        #expect(!(try value(#"{"id":"1","type":"delivery","kilograms":1,"fallback":null}"#).isHidden))
    }

    @Test(arguments: ["", #","fallback":{"type":"poster"}"#])
    func aCellOfAnUnknownTypeWithoutAKnownFallbackHasAnUnknownValue(fallback: String) throws {
        let cell = #"{"id":"1","type":"hologram","depth":1.50\#(fallback)}"#
        guard case .unknown(let type, let content) = try value(cell) else { throw Unexpected() }
        #expect(try type == "hologram" && content == JSONReader.read(Array(cell.utf8)))
    }

    @Test func aCellThatCannotBeDecodedIsReportedOnceAndHasTheValueOfItsFallback() throws {
        let cells = try tree(
            #"{"id":"1","type":"delivery","kilograms":"heavy"},{"id":"2","type":"delivery","kilograms":2},"#
                + #"{"id":"3","type":"delivery","fallback":null},{"id":"4","type":"delivery","fallback":{"type":"day","title":"T"}}"#
        ).sections[0].cells
        for _ in 0..<2 {
            guard case .unknown("delivery", _) = registry.value(of: cells[0]) else { throw Unexpected() }
            #expect(registry.value(of: cells[1]).as(DeliveryCell.self)?.kilograms == 2)
            #expect(registry.value(of: cells[2]).isHidden)
            #expect(registry.value(of: cells[3]).as(DayHeader.self) == DayHeader(title: "T"))
        }
        #expect(reports.ids == ["1", "3", "4"])
        let first = try #require(reports.cells.first)
        guard first.type == "delivery", case .typeMismatch(_, let context)? = first.error as? DecodingError else { throw Unexpected() }
        #expect(context.codingPath.map(\.stringValue) == ["kilograms"])
    }

    @Test func aCellIsDecodedAgainOnlyAfterItsContentChanges() throws {
        let decodings = Counted.decodings.load(ordering: .relaxed)
        registry.register(Counted.self)
        var tree = try tree(#"{"id":"1","type":"counted"},{"id":"2","type":"counted"}"#)
        func decode() -> Int {
            for cell in tree.sections[0].cells { #expect(registry.value(of: cell).as(Counted.self) != nil) }
            return Counted.decodings.load(ordering: .relaxed) - decodings
        }
        #expect(decode() == 2 && decode() == 2)
        let stages =
            #"{"updateCells":[{"at":[0,0],"cell":{"id":"1","type":"counted"}},{"at":[0,1],"cell":{"id":"2","type":"counted","n":1}}]},"#
            + #"{"moveCells":[[0,0,0,1,1]]}"#
        try tree.apply(DocumentTexts.changeset(read: DocumentTexts.changeset(stages)))
        #expect(tree.sections[0].cells.map(\.id) == ["2", "1"])
        // Cell 1 was updated with equal content and moved. Cell 2 was updated with different content.
        #expect(decode() == 3)
    }

    @Test func aCellThatWasUnknownIsDecodedAfterItsTypeIsRegistered() throws {
        struct Late: Decodable, Sendable {}
        let cell = try tree(#"{"id":"1","type":"late"}"#).sections[0].cells[0]
        guard case .unknown = registry.value(of: cell) else { throw Unexpected() }
        registry.register(Late.self)
        #expect(registry.value(of: cell).as(Late.self) != nil)
    }

    @Test func twoRegistriesCanDecodeTheSameCellAsDifferentTypes() throws {
        struct Other: Decodable, Sendable {}
        let other = CellRegistry()
        other.register(Other.self, as: "delivery")
        let cell = try tree(#"{"id":"1","type":"delivery","kilograms":1}"#).sections[0].cells[0]
        for _ in 0..<2 {
            #expect(registry.value(of: cell).as(DeliveryCell.self) != nil)
            #expect(other.value(of: cell).as(Other.self) != nil)
        }
    }

    @Test func aCellThatCannotBeDecodedIsReportedOnceIfSeveralThreadsReadIt() async throws {
        let texts = (0..<200).map { #"{"id":"\#($0)","type":"delivery"\#($0 < 100 ? "" : #","kilograms":1"#)}"# }
        let cells = try tree(texts.joined(separator: ",")).sections[0].cells
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { [registry] in
                    for cell in cells { _ = registry.value(of: cell) }
                }
            }
        }
        #expect(Set(reports.ids) == Set((0..<100).map { String($0) }) && reports.ids.count == 100)
    }

    private struct Unexpected: Error {}
}

private struct Counted: Decodable, Sendable {
    static let decodings = Atomic(0)

    init(from decoder: any Decoder) throws {
        Self.decodings.add(1, ordering: .relaxed)
    }
}
