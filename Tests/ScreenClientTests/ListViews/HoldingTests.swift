import DocumentTexts
import ScreenDiff
import ScreenModel
import ScreenWire
import Testing

@testable import ScreenClient

@Suite struct HoldingChanges {
    private let registry = CellRegistry()
    private var held = HeldChanges()
    private static let insert = #"{"insertCells":[{"at":[0,0],"cells":[{"id":"3","type":"row"}]}]}"#
    private static let update = #"{"updateCells":[{"at":[0,0],"cell":{"id":"1","type":"row","n":1}}]}"#

    /// Returns a change of a list that has one section `a` with the cells `1` and `2`.
    private func change(_ stages: String) throws -> ListUpdate {
        var tree = try DocumentTexts.tree(DocumentTexts.snapshot("a: 1 2"))
        let steps = try tree.steps(applying: DocumentTexts.changeset(read: DocumentTexts.changeset(stages)), registry: registry)
        return ListUpdate(kind: .stages(steps), model: ListModel(tree, registry: registry))
    }

    private func count(_ update: ListUpdate?) -> Int? {
        guard let update else { return nil }
        if case .stages(let steps) = update.kind { return steps.count } else { return 0 }
    }

    @Test(arguments: [HeldChanges.Reason.scrolling, .editing])
    mutating func changesThatMoveRowsAreHeldDuringATouchAndThenPerformedTogether(reason: HeldChanges.Reason) throws {
        held.begin(reason)
        #expect(held.take(try change(Self.insert), at: .zero) == nil)
        #expect(held.take(try change(Self.update), at: .zero) == nil, "a change after a held change is held")
        #expect(held.count == 2)
        #expect(count(held.end(reason)) == 2 && held.count == 0)
        #expect(count(held.take(try change(Self.insert), at: .zero)) == 1)
    }

    @Test mutating func changesAreHeldUntilTheLastReasonEnds() throws {
        held.begin(.scrolling)
        held.begin(.editing)
        _ = held.take(try change(Self.insert), at: .zero)
        #expect(held.end(.scrolling) == nil)
        #expect(count(held.end(.editing)) == 1)
    }

    @Test mutating func anUpdateInPlaceIsHeldOnlyWhileTheListIsPaused() throws {
        held.begin(.editing)
        #expect(count(held.take(try change(Self.update), at: .zero)) == 1)
        held.begin(.pause)
        #expect(held.take(try change(Self.update), at: .zero) == nil)
    }

    @Test mutating func aSnapshotIsNotHeldWhileTheListIsTouched() throws {
        held.begin(.scrolling)
        let whole = ListUpdate(kind: .snapshot, model: try change(Self.insert).model)
        #expect(count(held.take(whole, at: .zero)) == 0)
    }

    @Test mutating func theChangesDuringARequestOfTheUserAreNotHeld() throws {
        held.begin(.scrolling)
        _ = held.take(try change(Self.insert), at: .zero)
        #expect(count(held.beginRequest()) == 1)
        #expect(count(held.take(try change(Self.insert), at: .zero)) == 1)
        held.endRequest(at: .zero)
        #expect(held.take(try change(Self.insert), at: .zero) == nil, "the result of the request has arrived already")
    }

    @Test mutating func theFirstChangeSoonAfterARequestCountsAsItsResult() throws {
        held.begin(.pause)
        _ = held.take(try change(Self.insert), at: .zero)
        #expect(held.beginRequest() == nil)
        held.endRequest(at: .seconds(10))
        #expect(count(held.take(try change(Self.insert), at: .seconds(11))) == 2, "it is performed with the held change")
        #expect(held.take(try change(Self.insert), at: .seconds(11)) == nil)
    }

    @Test mutating func aLateChangeDoesNotCountAsTheResultOfARequest() throws {
        held.begin(.pause)
        _ = held.beginRequest()
        held.endRequest(at: .seconds(10))
        #expect(held.take(try change(Self.insert), at: .seconds(12)) == nil)
    }

    @Test mutating func manyHeldChangesAreReplacedByASnapshot() throws {
        held.begin(.pause)
        for _ in 0..<21 { _ = held.take(try change(Self.insert), at: .zero) }
        #expect(held.count == 21 && count(held.end(.pause)) == 0)
    }

    // MARK: - Rows that stay in place

    private func anchor(_ stages: String, visible: [CellPlace]) throws -> ScrollAnchor? {
        let sections = ListModel(try DocumentTexts.tree(DocumentTexts.snapshot("a: 1 2")), registry: registry).sections
        return ScrollAnchor(visible: visible, of: sections, in: try change(stages))
    }

    @Test func theFirstVisibleRowThatSurvivesAndDoesNotMoveStaysInPlace() throws {
        let visible = [CellPlace(section: 0, item: 0), CellPlace(section: 0, item: 1)]
        let inserted = try #require(try anchor(Self.insert, visible: visible))
        #expect(inserted.before == visible[0] && inserted.after == visible[1])
        let deleted = try #require(try anchor(#"{"deleteCells":[[0,0,1]]}"#, visible: visible))
        #expect(deleted.before == visible[1] && deleted.after == visible[0])
        let moved = try #require(try anchor(#"{"moveCells":[[0,1,0,0,1]]}"#, visible: visible.reversed()))
        #expect(moved.before == visible[0] && moved.after == visible[1])
        #expect(try anchor(#"{"deleteCells":[[0,0,1]]}"#, visible: [visible[0]]) == nil)
    }

    // MARK: - Announcements

    private func text(_ stages: String, in language: String = "en") throws -> String {
        let sections = ListModel(try DocumentTexts.tree(DocumentTexts.snapshot("a: 1 2")), registry: registry).sections
        return ChangeAnnouncement(from: sections, to: try change(stages)).text(in: language)
    }

    @Test func theAnnouncementCountsTheChangedCellsByType() throws {
        let cells = #"{"id":"3","type":"delivery"},{"id":"4","type":"artistBox"},{"id":"5","type":"delivery"}"#
        let stages = #"{"deleteCells":[[0,1,1]],"insertCells":[{"at":[0,0],"cells":[\#(cells)]}]}"#
        #expect(try text(stages) == "2 deliveries added, 1 artist box added, 1 row removed")
        #expect(try text(stages, in: "fr-CH") == "3 lignes ajoutées, 1 ligne supprimée")
        #expect(try text(Self.update) == "1 row changed" && text(Self.update, in: "fr") == "1 ligne modifiée")
        #expect(try text(#"{"moveCells":[[0,1,0,0,1]]}"#) == "1 row moved")
    }

    @Test func theAnnouncementOfAnUnchangedListIsEmpty() throws {
        #expect(try text("") == "")
    }
}
