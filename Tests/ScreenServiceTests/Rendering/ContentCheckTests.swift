import ScreenModel
@testable import ScreenService
import ScreenWire
import Testing

@Suite("Checking what is shown") struct ContentCheckTests {
    private func faults(of contents: any ViewContent...) -> [ContentFaults.Fault] {
        do {
            try ContentCheck().check(contents, of: "screen")
            return []
        } catch {
            return error.faults
        }
    }

    private static let module = "ScreenServiceTests"

    @Test(arguments: ["id", "type", "size", "fallback", "action", "actions", "link", "$", "$later"])
    func aCellWritesNoFieldThatBelongsToTheProtocol(name: String) {
        let fault = ContentFaults.Fault.reservedField(name, of: "\(Self.module).OpenCell")
        #expect(faults(of: OpenCell(fields: ["text": "a", name: "b"]), OpenCell(fields: [name: "c"])) == [fault])
    }

    @Test(arguments: ["text", "Id", "sizes", "typ", "cell", "kind", "a$", "é"]) func allOtherNamesAreFree(name: String) {
        #expect(faults(of: OpenCell(fields: [name: "a"])).isEmpty)
    }

    @Test func aHeaderHasNoIDOfItsOwnAndMayWriteOne() {
        #expect(faults(of: IDHeader()).isEmpty)
        #expect(faults(of: AnyView(IDHeader())).isEmpty)
    }

    @Test func dollarsAreTheProtocolsHoweverDeep() {
        let cell = OpenCell(fields: ["list": [["size": 1, "deep": ["$ref": nil]]]])
        #expect(faults(of: cell) == [.reservedField("$ref", of: "\(Self.module).OpenCell")])
    }

    @Test func dollarsAreTheProtocolsInInputsAndParametersToo() {
        for cell in [OfferingCell(input: ["$a": 1]), OfferingCell(offered: ["$a": 1]), OfferingCell(parameters: ["$a": "1"])] {
            #expect(faults(of: cell) == [.reservedField("$a", of: "\(Self.module).OfferingCell")])
        }
        #expect(faults(of: OfferingCell(input: ["type": 1, "id": 2])).isEmpty)
    }

    @Test func aFieldIsWrittenOnce() {
        let fault = ContentFaults.Fault.unreadableFields(.repeatedName("a"), of: "\(Self.module).TwiceCell")
        #expect(faults(of: TwiceCell()) == [fault])
        #expect(fault.description == #"ScreenServiceTests.TwiceCell writes fields that are no JSON object: the name "a" a second time in one object"#)
    }

    @Test func whatAVariantIsIsLookedAt() {
        let fault = ContentFaults.Fault.reservedField("link", of: "\(Self.module).OpenCell")
        #expect(faults(of: AnyCell(AnyCell(OpenCell(fields: ["link": 1])))) == [fault])
        #expect(faults(of: AnyCell(OpenCell(fields: [:])), OpenCell(fields: [:]), AnyView(DayHeader())).isEmpty)
    }

    @Test func twoTypesDoNotBecomeOne() {
        let fault = ContentFaults.Fault.sharedType("day", of: "\(Self.module).DayHeader", and: "\(Self.module).DayFooter")
        #expect(faults(of: DayHeader(), DayFooter(), DayHeader(), AnyView(DayFooter())) == [fault])
        let cells = [AnyCell(Row(id: "1")), AnyCell(Elsewhere.Row())]
        #expect(faults(of: cells[0], cells[1]) == [.sharedType("row", of: "\(Self.module).Row", and: "\(Self.module).Elsewhere.Row")])
    }

    @Test func typesThatAreNeverShownTogetherAreTwoStill() {
        let check = ContentCheck()
        #expect(throws: Never.self) { try check.check([DayHeader()], of: "a") }
        #expect(throws: Never.self) { try check.check([DayFooter()], of: "b") }
        #expect(throws: ContentFaults.self) { try check.check([DayFooter()], of: "a") }
    }

    @Test func whatAVariantListsIsListedHoweverDeep() {
        let check = ContentCheck()
        let cells: [any ViewContent] = [Mixed.row(Row(id: "1")), Mixed.other(.row(Elsewhere.Row()))]
        #expect(throws: Never.self) { try check.check(cells, areListedBy: MixedScreen.self) }
        let unlisted = ContentFaults(screen: "mixed", faults: [.unlistedType("\(Self.module).OpenCell")])
        #expect(throws: unlisted) { try check.check([OpenCell(fields: [:])], areListedBy: MixedScreen.self) }
    }

    @Test func aScreenShowsWhatItLists() {
        let check = ContentCheck()
        #expect(throws: Never.self) { try check.check([AnyCell(Row(id: "1")), DayHeader()], areListedBy: RowScreen.self) }
        let unlisted = ContentFaults(screen: "rows", faults: [.unlistedType("\(Self.module).Elsewhere.Row")])
        #expect(throws: unlisted) { try check.check([AnyCell(Elsewhere.Row())], areListedBy: RowScreen.self) }
        let unsaid = ContentFaults(screen: "rows", faults: [.unsaidType("day", of: "\(Self.module).Elsewhere.StatedView")])
        #expect(throws: unsaid) { try check.check([Elsewhere.StatedView()], areListedBy: RowScreen.self) }
    }

    @Test func aTypeIsSharedOnPurposeWhereItIsStatedOrGeneric() {
        #expect(faults(of: DayHeader(), StatedView(), Elsewhere.StatedView()).isEmpty)
        #expect(faults(of: GenericCell<Int>(), GenericCell<[String: GenericCell<Int>]>(), GenericCell<@Sendable (Int) -> Int>()).isEmpty)
    }

    @Test func aFallbackIsLookedAtAsWhatItStandsFor() {
        #expect(faults(of: OldCell(fallback: .nothing), OldCell(fallback: .view(DayHeader())), OldCell(fallback: nil)).isEmpty)
        let type = "\(Self.module).OpenView"
        #expect(faults(of: OldCell(fallback: .view(OpenView(fields: ["size": 1])))) == [.reservedField("size", of: type)])
        // A cell's is shown under the id of the cell.
        #expect(faults(of: OldCell(fallback: .view(OpenView(fields: ["id": 1])))) == [.reservedField("id", of: type)])
        #expect(faults(of: OldBanner(fallback: .view(OpenView(fields: ["id": 1])))).isEmpty)
        let shared = ContentFaults.Fault.sharedType("row", of: "\(Self.module).Row", and: "\(Self.module).Elsewhere.Row")
        #expect(faults(of: Row(id: "1"), OldCell(fallback: .view(Elsewhere.Row()))) == [shared])
    }

    @Test func aFallbackNeedsNone() {
        let cell = OldCell(fallback: .view(AnyView(OldBanner(fallback: .nothing))))
        let fault = ContentFaults.Fault.fallbackOfFallback("\(Self.module).OldBanner", of: "\(Self.module).OldCell")
        #expect(faults(of: AnyCell(cell)) == [fault])
        #expect(fault.description == """
            ScreenServiceTests.OldCell falls back to ScreenServiceTests.OldBanner, which has a fallback itself: \
            it has to be of a type that every client knows
            """)
    }

    @Test func allPartsOfAModelAreLookedAt() {
        let bad = OpenView(fields: ["size": 1])
        let table = TableViewModel(section: TableViewSection(id: "", header: bad, footer: bad, cells: [OpenCell(fields: ["id": 1])]))
        #expect(table.contents.count == 3)
        let views = [SupplementaryViewSectionKey(kind: "badge", item: 0): bad]
        let section = CollectionViewSection(id: "", header: bad, footer: bad, supplementaryViews: views, cells: [Row(id: "1")])
        #expect(CollectionViewModel(section: section).contents.count == 4)
    }

    @Test func theServiceSaysWhatIsWrongInsteadOfTheScreen() async throws {
        let service = try await ScreenService(catalog: try ScreenCatalog([Careless()]), store: ServiceStoreInMemory(), logger: .silent)
        let view = try service.catalog.view(of: "careless", parameters: [], locale: .english, caller: .nobody)
        let expected = ContentFaults(screen: "careless", faults: [
            .sharedType("day", of: "\(Self.module).DayHeader", and: "\(Self.module).DayFooter"),
            .reservedField("size", of: "\(Self.module).OpenCell"),
        ])
        await #expect(throws: expected) { try await service.snapshot(of: view).value }
        #expect(expected.description == """
            the screen "careless" cannot be shown: \
            ScreenServiceTests.DayHeader and ScreenServiceTests.DayFooter are both of type "day": \
            one of them has to state another `reuseIdentifier`; \
            ScreenServiceTests.OpenCell writes a field "size", a name that belongs to the protocol
            """)
    }
}

/// A screen with a mistake in a cell, and one in its views.
private struct Careless: Screen {
    static let name = "careless"
    let visibility = Visibility.everyone

    let title: Text = "Careless"

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<AnyView, OpenCell>> {
        let section = TableViewSection(
            id: "", header: AnyView(DayHeader()), footer: AnyView(DayFooter()), cells: [OpenCell(fields: ["size": "XL"])]
        )
        return ScreenContent(title: "Careless", model: TableViewModel(section: section))
    }
}

struct OpenCell: CellContent {
    var id = "1"
    let fields: [String: JSONValue]

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field.dynamic { cell, writer in cell.fields.sorted { $0.key < $1.key }.forEach { writer.field($0.key, $0.value) } }
    }
}

struct OfferingCell: CellContent {
    let id = "1"
    var input: OrderedFields<JSONValue> = [:]
    var offered: OrderedFields<JSONValue> = [:]
    var parameters: OrderedFields<String>?

    var selection: Selection? {
        parameters.map { .link(ScreenLink("screen", parameters: $0)) } ?? .action(ScreenAction("act", input: input))
    }

    var actions: [OfferedAction] { [OfferedAction("act", title: "Act", input: offered)] }

    static func fields(_ field: inout some FieldVisitor<Self>) {}
}

struct OpenView: ViewContent {
    let fields: [String: JSONValue]

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field.dynamic { view, writer in view.fields.forEach { writer.field($0.key, $0.value) } }
    }
}

struct OldCell: CellContent {
    let id = "1"
    let fallback: Fallback?

    static func fields(_ field: inout some FieldVisitor<Self>) {}
}

struct OldBanner: ViewContent {
    let fallback: Fallback?

    static func fields(_ field: inout some FieldVisitor<Self>) {}
}

struct TwiceCell: CellContent {
    let id = "1"

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("a") { _ in 1 }
        field("a") { _ in 2 }
    }
}

struct IDHeader: ViewContent {
    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("id") { _ in 1 }
    }
}

/// Lists what it shows but for its views, which may be any.
private struct RowScreen: Screen {
    static let name = "rows"
    static var cellTypes: [any ViewContent.Type]? { [Row.self] }
    let visibility = Visibility.everyone

    let title: Text = "Rows"

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<AnyView, AnyCell>> {
        ScreenContent(title: "Rows", model: TableViewModel(sections: []))
    }
}

struct DayHeader: ViewContent {
    static func fields(_ field: inout some FieldVisitor<Self>) {}
}

struct DayFooter: ViewContent {
    static func fields(_ field: inout some FieldVisitor<Self>) {}
}

private struct StatedView: ViewContent {
    var reuseIdentifier: String { "day" }
    static func fields(_ field: inout some FieldVisitor<Self>) {}
}

enum Elsewhere {
    struct Row: CellContent {
        let id = "1"
        static func fields(_ field: inout some FieldVisitor<Self>) {}
    }

    struct StatedView: ViewContent {
        var reuseIdentifier: String { "day" }
        static func fields(_ field: inout some FieldVisitor<Self>) {}
    }
}

private struct GenericCell<Value: Sendable>: CellContent {
    let id = "1"
    static func fields(_ field: inout some FieldVisitor<Self>) {}
}

private enum Mixed: CellVariant {
    case row(Row)
    case other(Inner)

    static var variants: [any ViewContent.Type]? { [Row.self, Inner.self] }

    var cell: any CellContent {
        switch self {
        case .row(let row): row
        case .other(let inner): inner
        }
    }
}

private enum Inner: CellVariant {
    case row(Elsewhere.Row)

    static var variants: [any ViewContent.Type]? { [Elsewhere.Row.self] }

    var cell: any CellContent {
        switch self {
        case .row(let row): row
        }
    }
}

private struct MixedScreen: Screen {
    static let name = "mixed"
    let visibility = Visibility.everyone

    let title: Text = "Mixed"

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, Mixed>> {
        ScreenContent(title: "Mixed", model: TableViewModel(sections: []))
    }
}
