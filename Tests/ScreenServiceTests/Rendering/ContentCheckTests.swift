import LogLines
import ScreenModel
import ScreenWire
import Testing

@testable import ScreenService

@Suite("Checking content") struct ContentCheckTests {
    private func faults(of contents: any ViewContent..., in frame: Size? = nil) -> [ContentFaults.Fault] {
        do {
            try ContentCheck().check(contents, of: "screen", in: frame)
            return []
        } catch {
            return error.faults
        }
    }

    private static let module = "ScreenServiceTests"

    @Test(arguments: ["id", "type", "size", "fallback", "action", "actions", "link", "$", "$later"])
    func aCellThatWritesAReservedFieldIsRejected(name: String) {
        let fault = ContentFaults.Fault.reservedField(name, of: "\(Self.module).OpenCell")
        #expect(faults(of: OpenCell(fields: ["text": "a", name: "b"]), OpenCell(fields: [name: "c"])) == [fault])
    }

    @Test(arguments: ["text", "Id", "sizes", "typ", "cell", "kind", "a$", "é"]) func aCellCanWriteAFieldWhoseNameIsSimilarToAReservedName(
        name: String
    ) {
        #expect(faults(of: OpenCell(fields: [name: "a"])).isEmpty)
    }

    @Test func aHeaderCanWriteAFieldNamedID() {
        #expect(faults(of: IDHeader()).isEmpty)
        #expect(faults(of: AnyView(IDHeader())).isEmpty)
    }

    @Test func namesThatBeginWithADollarSignAreReservedAtAnyDepth() {
        let cell = OpenCell(fields: ["list": [["size": 1, "deep": ["$ref": nil]]]])
        #expect(faults(of: cell) == [.reservedField("$ref", of: "\(Self.module).OpenCell")])
    }

    @Test func aDateOfTheProtocolIsNoReservedFieldAtAnyDepth() {
        let date: JSONValue = ["$date": "2026-07-12T09:00:00Z", "style": "timer"]
        #expect(faults(of: OpenCell(fields: ["due": date, "list": [["deep": ["$date": "2026-07-12T09:00:00Z"]]]])).isEmpty)
        for (text, name) in [("today", "$date"), ("2026-07-12T09:00:00Z", "$ref")] {
            let cell = OpenCell(fields: ["due": ["$date": .string(text), name: .string(text)]])
            #expect(faults(of: cell) == [.reservedField(name, of: "\(Self.module).OpenCell")])
        }
    }

    @Test func namesThatBeginWithADollarSignAreReservedInInputsAndParameters() {
        for cell in [OfferingCell(input: ["$a": 1]), OfferingCell(offered: ["$a": 1]), OfferingCell(parameters: ["$a": "1"])] {
            #expect(faults(of: cell) == [.reservedField("$a", of: "\(Self.module).OfferingCell")])
        }
        #expect(faults(of: OfferingCell(input: ["type": 1, "id": 2])).isEmpty)
    }

    @Test func aCellThatWritesAFieldTwiceIsRejected() {
        let fault = ContentFaults.Fault.unreadableFields(.repeatedName("a"), of: "\(Self.module).TwiceCell")
        #expect(faults(of: TwiceCell()) == [fault])
        #expect(fault.description == #"ScreenServiceTests.TwiceCell does not write a valid JSON object: a repeated name "a" in an object"#)
    }

    @Test func aReservedFieldInACellInsideAVariantIsRejected() {
        let fault = ContentFaults.Fault.reservedField("link", of: "\(Self.module).OpenCell")
        #expect(faults(of: AnyCell(AnyCell(OpenCell(fields: ["link": 1])))) == [fault])
        #expect(faults(of: AnyCell(OpenCell(fields: [:])), OpenCell(fields: [:]), AnyView(DayHeader())).isEmpty)
    }

    @Test func twoSwiftTypesMustNotHaveTheSameTypeOnTheWire() {
        let fault = ContentFaults.Fault.sharedType("day", of: "\(Self.module).DayHeader", and: "\(Self.module).DayFooter")
        #expect(faults(of: DayHeader(), DayFooter(), DayHeader(), AnyView(DayFooter())) == [fault])
        let cells = [AnyCell(Row(id: "1")), AnyCell(Elsewhere.Row())]
        #expect(faults(of: cells[0], cells[1]) == [.sharedType("row", of: "\(Self.module).Row", and: "\(Self.module).Elsewhere.Row")])
    }

    @Test func twoSwiftTypesWithTheSameTypeOnTheWireAreRejectedEvenInDifferentSnapshots() {
        let check = ContentCheck()
        #expect(throws: Never.self) { try check.check([DayHeader()], of: "a", in: nil) }
        #expect(throws: Never.self) { try check.check([DayFooter()], of: "b", in: nil) }
        #expect(throws: ContentFaults.self) { try check.check([DayFooter()], of: "a", in: nil) }
    }

    @Test func aScreenThatListsAVariantAlsoListsTheTypesOfTheVariantsCases() {
        let check = ContentCheck()
        let cells: [any ViewContent] = [Mixed.row(Row(id: "1")), Mixed.other(.row(Elsewhere.Row()))]
        #expect(throws: Never.self) { try check.check(cells, areListedBy: MixedScreen()) }
        let unlisted = ContentFaults(screen: "mixed", faults: [.unlistedType("\(Self.module).OpenCell")])
        #expect(throws: unlisted) { try check.check([OpenCell(fields: [:])], areListedBy: MixedScreen()) }
    }

    @Test func aScreenMustListTheTypesThatItShows() {
        let check = ContentCheck()
        #expect(throws: Never.self) { try check.check([AnyCell(Row(id: "1")), DayHeader()], areListedBy: RowScreen()) }
        let unlisted = ContentFaults(screen: "rows", faults: [.unlistedType("\(Self.module).Elsewhere.Row")])
        #expect(throws: unlisted) { try check.check([AnyCell(Elsewhere.Row())], areListedBy: RowScreen()) }
        let identifier = ContentFaults(screen: "rows", faults: [.unlistedIdentifier("day", of: "\(Self.module).Elsewhere.StatedView")])
        #expect(throws: identifier) { try check.check([Elsewhere.StatedView()], areListedBy: RowScreen()) }
    }

    @Test func aScreenMustHaveTheActionsThatItsCellsOffer() {
        let check = ContentCheck()
        #expect(throws: Never.self) { try check.check([OfferingCell()], areListedBy: OfferingScreen(actions: [Self.act])) }
        let fault = ContentFaults.Fault.unlistedAction("act", of: "\(Self.module).OfferingCell")
        let missing = ContentFaults(screen: "offering", faults: [fault])
        #expect(throws: missing) { try check.check([OfferingCell()], areListedBy: OfferingScreen(actions: [])) }
        #expect(fault.description == #"ScreenServiceTests.OfferingCell offers the action "act", which is missing in `actions`"#)
    }

    private static let act = Action("act", "Acts.") { _ in }

    @Test func typesCanShareAReuseIdentifierIfItIsExplicitOrTheTypesAreGeneric() {
        #expect(faults(of: DayHeader(), StatedView(), Elsewhere.StatedView()).isEmpty)
        #expect(faults(of: GenericCell<Int>(), GenericCell<[String: GenericCell<Int>]>(), GenericCell<@Sendable (Int) -> Int>()).isEmpty)
    }

    @Test func aFallbackIsCheckedLikeTheViewThatItReplaces() {
        #expect(faults(of: OldCell(fallback: .nothing), OldCell(fallback: .view(DayHeader())), OldCell(fallback: nil)).isEmpty)
        let type = "\(Self.module).OpenView"
        #expect(faults(of: OldCell(fallback: .view(OpenView(fields: ["size": 1])))) == [.reservedField("size", of: type)])
        // The fallback of a cell must not have a field `id`, because a client shows the fallback under the id of the cell.
        #expect(faults(of: OldCell(fallback: .view(OpenView(fields: ["id": 1])))) == [.reservedField("id", of: type)])
        #expect(faults(of: OldBanner(fallback: .view(OpenView(fields: ["id": 1])))).isEmpty)
        let shared = ContentFaults.Fault.sharedType("row", of: "\(Self.module).Row", and: "\(Self.module).Elsewhere.Row")
        #expect(faults(of: Row(id: "1"), OldCell(fallback: .view(Elsewhere.Row()))) == [shared])
    }

    @Test func aFallbackMustNotHaveAFallback() {
        let cell = OldCell(fallback: .view(AnyView(OldBanner(fallback: .nothing))))
        let fault = ContentFaults.Fault.fallbackOfFallback("\(Self.module).OldBanner", of: "\(Self.module).OldCell")
        #expect(faults(of: AnyCell(cell)) == [fault])
        #expect(
            fault.description == """
                ScreenServiceTests.OldCell has the fallback ScreenServiceTests.OldBanner, which has a fallback itself: \
                every client must know its type
                """)
    }

    @Test func sizedContentWithoutAFrameIsRejected() {
        let fault = ContentFaults.Fault.sizeWithoutFrame("\(Self.module).WideCell")
        #expect(faults(of: WideCell(), AnyCell(WideCell()), Row(id: "1")) == [fault])
        #expect(faults(of: WideCell(), in: Size(width: 375, height: 0)).isEmpty)
        #expect(
            fault.description == """
                ScreenServiceTests.WideCell is `Sized`, but the content has no frame: create it with `ScreenContent(title:frame:model:)`
                """)
    }

    @Test func theContentsOfAModelIncludeAllItsCellsAndViews() {
        let bad = OpenView(fields: ["size": 1])
        let table = TableViewModel(section: TableViewSection(id: "", header: bad, footer: bad, cells: [OpenCell(fields: ["id": 1])]))
        #expect(table.contents.count == 3)
        let views = [SupplementaryViewSectionKey(kind: "badge", item: 0): bad]
        let section = CollectionViewSection(id: "", header: bad, footer: bad, supplementaryViews: views, cells: [Row(id: "1")])
        #expect(CollectionViewModel(section: section).contents.count == 4)
    }

    @Test func aReleaseBuildWarnsOnceOfAScreenThatReadsNothingTracked() async throws {
        let lines = LogLines()
        let service = try await ScreenService(
            catalog: ScreenCatalog([MixedScreen()]), store: ServiceStoreInMemory(), logger: lines.logger, isStrict: false
        )
        for locale in [ScreenLocale.english, .french] {
            let view = ScreenView(screen: "mixed", audience: .everyone, revision: 1, locale: locale, parameters: [])
            _ = try await service.snapshot(of: view).value
        }
        #expect(lines.messages.count { $0.contains("a screen shows data that is not tracked") } == 1)
    }

    @Test func theServiceThrowsAllFaultsInTheContentOfAScreen() async throws {
        let service = try await ScreenService(catalog: try ScreenCatalog([Careless()]), store: ServiceStoreInMemory(), logger: .silent)
        let view = try service.catalog.view(of: "careless", parameters: [], locale: .english, caller: .anonymous)
        let expected = ContentFaults(
            screen: "careless",
            faults: [
                .sharedType("day", of: "\(Self.module).DayHeader", and: "\(Self.module).DayFooter"),
                .reservedField("size", of: "\(Self.module).OpenCell"),
            ])
        await #expect(throws: expected) { try await service.snapshot(of: view).value }
        #expect(
            expected.description == """
                the screen "careless" cannot be shown: \
                ScreenServiceTests.DayHeader and ScreenServiceTests.DayFooter both have the type "day": \
                one of them needs another `reuseIdentifier`; \
                ScreenServiceTests.OpenCell writes a field "size", which is a reserved name
                """)
    }
}

/// A screen with two faults: the cell has a reserved field, and the header and the footer share a type.
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
        field.dynamic { cell, writer in
            for (key, value) in cell.fields.sorted(by: { $0.key < $1.key }) { writer.field(key, value) }
        }
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
        field.dynamic { view, writer in
            for (key, value) in view.fields { writer.field(key, value) }
        }
    }
}

struct OldCell: CellContent {
    let id = "1"
    let fallback: Fallback?

    static func fields(_ field: inout some FieldVisitor<Self>) {}
}

struct WideCell: CellContent, Sized {
    let id = "1"

    func preferredSize(in frame: Size) -> Size { Size(width: frame.width, height: 10) }
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

/// A screen that lists the types of its cells. The types of its views are not known.
private struct RowScreen: Screen {
    static let name = "rows"
    static var cellTypes: [any ViewContent.Type]? { [Row.self] }
    let visibility = Visibility.everyone

    let title: Text = "Rows"

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<AnyView, AnyCell>> {
        ScreenContent(title: "Rows", model: TableViewModel(sections: []))
    }
}

private struct OfferingScreen: Screen {
    static let name = "offering"
    let visibility = Visibility.everyone
    let title: Text = "Offering"
    let actions: [Action]

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, OfferingCell>> {
        ScreenContent(title: "Offering", model: TableViewModel())
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
