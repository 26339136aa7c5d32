import DocumentTexts
import ScreenDiff
import ScreenModel
import ScreenWire
import Testing

@testable import ScreenClient

@MainActor @Suite struct ViewsOfCells {
    private final class DeliveryRow: Configurable {
        var shown: DeliveryCell?
        func configure(with delivery: DeliveryCell) { shown = delivery }
    }

    private final class DayView: Configurable {
        var title: String?
        func configure(with day: DayHeader) { title = day.title }
    }

    private let views: CellViews

    init() {
        views = CellViews(registry: CellRegistry())
        views.register(DeliveryCell.self, in: DeliveryRow.self)
        views.register(DayHeader.self, in: DayView.self, for: .header)
        views.register(DayHeader.self, in: DayView.self, for: .supplementary("badge"), nib: "Day")
    }

    private static let delivery = #"{"id":"1","type":"delivery","kilograms":1}"#
    private static let replaced = #"{"id":"1","type":"hologram","fallback":{"type":"delivery","kilograms":2}}"#
    private static let undecodable = #"{"id":"1","type":"delivery"}"#
    private static let hidden = #"{"id":"1","type":"hologram","size":{"height":80},"action":{"name":"open"},"fallback":null}"#

    private func tree(_ cell: String, views: String = "") throws -> SnapshotTree {
        try DocumentTexts.tree(
            #"{"kind":"snapshot","screen":"s","version":"v1","layout":"table","sections":[{"id":"a","cells":[\#(cell)]\#(views)}]}"#)
    }

    private func section(_ cell: String, views: String = "") throws -> ListModel.Section {
        ListModel(try tree(cell, views: views), registry: self.views.registry).sections[0]
    }

    private func cell(_ cell: String) throws -> ListModel.Cell { try section(cell).cells[0] }

    // MARK: - Views

    @Test func aCellOfARegisteredTypeIsShownInItsView() throws {
        let (row, cell) = (DeliveryRow(), try cell(Self.delivery))
        #expect(views.view(for: cell.reuseIdentifier, in: .cell, as: DeliveryRow.self) != nil)
        #expect(views.configure(row, with: cell) && row.shown == DeliveryCell(id: "1", kilograms: 1))
    }

    @Test func aFallbackIsShownInTheViewThatIsRegisteredForItsType() throws {
        let (row, cell) = (DeliveryRow(), try cell(Self.replaced))
        #expect(cell.reuseIdentifier == "delivery")
        #expect(views.configure(row, with: cell) && row.shown == DeliveryCell(id: "1", kilograms: 2))
    }

    @Test func aCellWithoutAKnownTypeIsShownInAGenericView() throws {
        let unknown = try cell(#"{"id":"1","type":"hologram"}"#)
        for cell in [unknown, try cell(Self.undecodable), try cell(Self.hidden)] {
            #expect(views.view(for: cell.reuseIdentifier, in: .cell, as: DeliveryRow.self) == nil)
            #expect(!views.configure(DeliveryRow(), with: cell))
        }
    }

    @Test func aViewThatIsNotOfTheRegisteredClassIsNotConfigured() throws {
        #expect(!views.configure(DayView(), with: try cell(Self.delivery)))
    }

    @Test func aClassThatDoesNotFitTheListViewIsNotUsed() {
        #expect(views.view(for: "delivery", in: .cell, as: DeliveryRow.self)?.type == DeliveryRow.self)
        #expect(views.view(for: "delivery", in: .cell, as: DayView.self) == nil)
    }

    @Test func headersAndSupplementaryViewsAreRegisteredSeparatelyFromCells() throws {
        let day = #"{"type":"day","title":"Monday"}"#
        let section = try section("", views: #","header":\#(day),"footer":\#(day)"#)
        func nib(_ role: ViewRole) -> String?? { views.view(for: "day", in: role, as: DayView.self).map { $0.nib?.name } }
        let (view, header) = (DayView(), try #require(section.header))
        #expect(views.configure(view, with: header, as: .header) && view.title == "Monday")
        #expect(views.configure(view, with: header, as: .supplementary("badge")))
        #expect(!views.configure(view, with: header, as: .footer) && nib(.cell) == nil)
        #expect(nib(.header) == .some(nil) && nib(.supplementary("badge")) == "Day")
    }

    @Test func aSupplementaryViewIsLookedUpByItsCellOrByItsItemIndex() throws {
        let badges = #"{"kind":"badge","cell":"2","view":{"type":"a"}},{"kind":"badge","item":2,"view":{"type":"b"}}"#
        let section = try section(#"{"id":"1","type":"x"},{"id":"2","type":"x"}"#, views: #","supplementary":[\#(badges)]"#)
        #expect((0...2).map { section.supplementaryView(of: "badge", at: $0)?.type } == [nil, "a", "b"])
        #expect(section.supplementaryView(of: "ring", at: 1) == nil)
    }

    // MARK: - Updates

    /// The time at which a view first shows the old content, compared with the arrival of the update.
    private enum Shown { case beforeTheUpdateArrives, afterTheUpdateArrived, never }

    /// Returns true if the view of a cell is kept when an update of the cell is performed.
    private func isReconfigured(from old: String, to new: String, _ shown: Shown = .beforeTheUpdateArrives) throws -> Bool {
        let stage = #"{"updateCells":[{"at":[0,0],"cell":\#(new)}]}"#
        let operation = try operation(on: tree(old), stage, shown) { $0.cells[0].reuseIdentifier }
        if case .reconfigureCells = operation { return true } else { return false }
    }

    /// Returns the only operation of a changeset.
    private func operation(
        on tree: SnapshotTree, _ stage: String, _ shown: Shown, show: (ListModel.Section) -> String?
    ) throws -> ListOperation {
        var tree = tree
        let section = ListModel(tree, registry: views.registry).sections[0]
        if shown == .beforeTheUpdateArrives { _ = show(section) }
        let text = #"{"kind":"changeset","screen":"s","from":"v1","version":"v2","stages":[\#(stage)]}"#
        let changeset = try tree.steps(applying: DocumentTexts.changeset(read: text), registry: views.registry).changeset
        if shown == .afterTheUpdateArrived { _ = show(section) }
        let operations = changeset.flatMap { $0.operations() }
        try #require(operations.count == 1)
        return operations[0]
    }

    @Test func aCellIsReloadedIfItsShownTypeChangesButItsTypeDoesNot() throws {
        let poster = #"{"id":"1","type":"hologram","fallback":{"type":"day","title":"Monday"}}"#
        #expect(try isReconfigured(from: Self.replaced, to: Self.replaced.replacing("2", with: "3")))
        #expect(try !isReconfigured(from: Self.replaced, to: poster))
        #expect(try !isReconfigured(from: Self.delivery, to: Self.undecodable))
        #expect(try !isReconfigured(from: Self.undecodable, to: Self.delivery))
        #expect(try !isReconfigured(from: Self.hidden, to: Self.replaced))
    }

    @Test func aCellThatWasNeverShownIsNotDecodedWhenItIsUpdated() throws {
        #expect(try isReconfigured(from: Self.delivery, to: Self.undecodable, .never))
    }

    /// A table can show a row after the update of this row has arrived, while the update is held or waits to be performed.
    @Test func theShownTypesAreComparedWhenAnUpdateIsPerformed() throws {
        #expect(try !isReconfigured(from: Self.delivery, to: Self.undecodable, .afterTheUpdateArrived))
        #expect(try isReconfigured(from: Self.replaced, to: Self.replaced.replacing("2", with: "3"), .afterTheUpdateArrived))
        let stage = #"{"updateSections":[{"at":0,"header":{"type":"day"}}]}"#
        func operation(_ shown: Shown) throws -> ListOperation {
            let tree = try tree(Self.delivery, views: #","header":{"type":"day","title":"Monday"}"#)
            return try self.operation(on: tree, stage, shown) { $0.header?.reuseIdentifier }
        }
        #expect(try operation(.afterTheUpdateArrived) == .reloadSections([0]))
        #expect(try operation(.never) == .updateSections([0]))
    }

    // MARK: - Traits

    @Test func theSizeOfACellIsTheSizeOfItsShownContent() throws {
        #expect(try cell(#"{"id":"1","type":"x","size":{"height":80}}"#).shownSize(in: 320) == Size(width: 320, height: 80))
        #expect(try cell(#"{"id":"1","type":"x","size":{"width":100,"height":80}}"#).shownSize(in: 320) == Size(width: 100, height: 80))
        #expect(try cell(Self.delivery).shownSize(in: 320) == nil)
        #expect(try cell(Self.hidden).shownSize(in: 320) == Size(width: 320, height: 0))
        let fallback = #"{"type":"delivery","kilograms":1,"size":{"height":40}}"#
        let replaced = try cell(#"{"id":"1","type":"x","size":{"height":80},"fallback":\#(fallback)}"#)
        #expect(replaced.shownSize(in: 320)?.height == 40)
    }

    @Test func theSelectionOfACellIsItsActionOrItsLink() throws {
        let open = #""action":{"name":"open"}"#
        let link = #""link":{"screen":"planets"}"#
        #expect(try cell(#"{"id":"1","type":"x",\#(open),\#(link)}"#).selection == .action(ScreenAction("open")))
        #expect(try cell(#"{"id":"1","type":"x",\#(link)}"#).selection == .link(ScreenLink("planets")))
        #expect(try cell(Self.delivery).selection == nil && cell(Self.hidden).selection == nil)
        let replaced = #"{"id":"1","type":"x",\#(open),"fallback":{"type":"delivery","kilograms":1,"actions":[{"name":"a","title":"A"}]}}"#
        #expect(try cell(replaced).selection == nil && cell(replaced).offeredActions.map(\.name) == ["a"])
    }
}
