import DocumentTexts
import ScreenDiff
import ScreenModel
import ScreenWire
import SeededRandom
import Testing

@testable import ScreenClient

@Suite struct HoldingChanges {
    private let registry = CellRegistry()
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

    /// Returns the state of held changes after a list view has shown its first content.
    private static func shown(_ first: ListUpdate) -> HeldChanges {
        var held = HeldChanges()
        _ = held.take(first, at: .zero)
        return held
    }

    private func whole() throws -> ListUpdate { ListUpdate(kind: .snapshot, model: try change(Self.insert).model) }
    private func nothing() -> ListUpdate { ListUpdate(kind: .snapshot, model: ListModel(nil, registry: registry)) }

    @Test(arguments: [HoldingReason.editing, .pause])
    func allChangesAreHeldUntilTheReasonEndsAndArePerformedAsOne(reason: HoldingReason) throws {
        var held = Self.shown(try whole())
        held.begin(reason)
        #expect(held.take(try change(Self.update), at: .zero) == nil, "even if no row moves")
        #expect(held.take(try change(Self.insert), at: .zero) == nil)
        #expect(held.count == 2)
        #expect(count(held.end(reason, at: .zero)) == 2 && held.count == 0)
        #expect(count(held.take(try change(Self.insert), at: .zero)) == 1)
        held.begin(reason)
        #expect(held.take(try whole(), at: .zero) == nil)
    }

    /// A stage can arrive between the discard of the content before it and the new user's snapshot.
    @Test func stagesBeforeTheFirstContentAreNotPerformed() throws {
        var held = Self.shown(try whole())
        held.reset()
        #expect(held.take(try change(Self.insert), at: .zero) == nil && held.count == 0)
        #expect(held.take(try whole(), at: .zero) != nil)
        #expect(held.take(try change(Self.insert), at: .zero) != nil)
    }

    @Test func changesAreHeldUntilTheLastReasonEnds() throws {
        var held = Self.shown(try whole())
        held.beginScrolling()
        held.begin(.editing)
        _ = held.take(try change(Self.insert), at: .zero)
        #expect(held.endScrolling(at: .zero) == nil)
        #expect(count(held.end(.editing, at: .zero)) == 1)
    }

    @Test func theFirstContentAndTheRemovalOfAllContentAreNotHeld() throws {
        var held = HeldChanges()
        held.begin(.pause)
        #expect(count(held.take(nothing(), at: .zero)) == 0)
        #expect(count(held.take(try whole(), at: .zero)) == 0)
        #expect(held.take(try change(Self.insert), at: .zero) == nil)
        let removal = held.take(nothing(), at: .zero)
        #expect(count(removal) == 0 && removal?.model.version == nil && held.count == 0)
        #expect(count(held.take(try whole(), at: .zero)) == 0, "the first content of the next user")
    }

    @Test func theBeginOfARequestEndsTheHolding() throws {
        var held = Self.shown(try whole())
        held.begin(.pause)
        _ = held.take(try change(Self.insert), at: .zero)
        #expect(count(held.noteRequest(at: .zero)) == 1)
        #expect(count(held.take(try change(Self.insert), at: .zero)) == 1)
    }

    @Test func theResultOfARequestIsNotHeldEvenIfAnotherChangeArrivesFirst() throws {
        var held = Self.shown(try whole())
        held.beginScrolling()
        _ = held.noteRequest(at: .zero)
        #expect(count(held.take(try change(Self.insert), at: .zero)) == 1, "the change of another user")
        _ = held.noteRequest(at: .seconds(10))
        #expect(count(held.take(try change(Self.update), at: .seconds(11))) == 1, "the stream brings the result after the response")
        #expect(held.take(try change(Self.insert), at: .seconds(12)) == nil)
    }

    @Test func changesDuringALongRequestAreHeldUntilItEnds() throws {
        var held = Self.shown(try whole())
        held.beginScrolling()
        _ = held.noteRequest(at: .zero)
        #expect(held.take(try change(Self.insert), at: .seconds(2)) == nil)
        #expect(held.take(try change(Self.update), at: .seconds(90)) == nil)
        #expect(count(held.noteRequest(at: .seconds(90))) == 2, "one of them can be the result")
    }

    @Test func evenTheResultOfARequestIsHeldWhileAFieldIsEdited() throws {
        var held = Self.shown(try whole())
        held.begin(.editing)
        _ = held.take(try change(Self.update), at: .zero)
        #expect(held.noteRequest(at: .zero) == nil)
        #expect(held.take(try change(Self.update), at: .zero) == nil)
        held.begin(.pause)
        #expect(count(held.end(.editing, at: .zero)) == 2, "the request has just begun")
    }

    @Test func tooManyHeldChangesAreReplacedByASnapshot() throws {
        var held = Self.shown(try whole())
        held.begin(.pause)
        for _ in 0..<21 { _ = held.take(try change(Self.insert), at: .zero) }
        #expect(held.count == 21 && count(held.end(.pause, at: .zero)) == 0)
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

    @Test func theNewPlaceOfARowInASnapshotIsLookedUpByID() throws {
        let sections = ListModel(try DocumentTexts.tree(DocumentTexts.snapshot("a: 1 2")), registry: registry).sections
        let visible = [CellPlace(section: 0, item: 0), CellPlace(section: 0, item: 1)]
        let model = ListModel(try DocumentTexts.tree(DocumentTexts.snapshot("b: 4 | a: 3 2")), registry: registry)
        let anchor = try #require(ScrollAnchor(visible: visible, of: sections, in: ListUpdate(kind: .snapshot, model: model)))
        #expect(anchor.before == visible[1] && anchor.after == CellPlace(section: 1, item: 1))
    }

    /// The place that is computed from the operations is the place at which the cell is found by its id.
    @Test(arguments: Seeds.first(100)) func theNewPlaceOfARowIsComputedFromTheOperations(seed: UInt64) throws {
        var random = RandomSnapshots(seed: seed)
        let source = try DocumentTexts.tree(random.next(version: "v1"))
        let changeset = try source.changeset(to: DocumentTexts.tree(random.next(version: "v2")))
        var target = source
        let steps = try target.steps(applying: ChangesetTree(JSONReader.read(changeset)), registry: registry)
        let (old, new) = (ListModel(source, registry: registry), ListModel(target, registry: registry))
        let update = ListUpdate(kind: .stages(steps), model: new)
        for (section, cells) in old.sections.map(\.cells).enumerated() {
            for item in cells.indices {
                // The new place is computed from the operations alone, so the old sections need not be given.
                let anchor = ScrollAnchor(visible: [CellPlace(section: section, item: item)], of: ListModel.Sections(), in: update)
                if let anchor { #expect(new.place(of: cells[item].id) == anchor.after) }
            }
        }
    }

    @Test func theOffsetFollowsTheRowButStaysWithinTheLimits() {
        func offset(_ before: Double, from old: Double, to new: Double) -> Double {
            ScrollAnchor.offset(before: before, oldTop: old, newTop: new, limits: (-91, 900))
        }
        #expect(offset(100, from: 132, to: 176) == 144)
        #expect(offset(100, from: 220, to: 0) == -91, "not before the start")
        #expect(offset(880, from: 900, to: 980) == 900, "not past the end")
        #expect(ScrollAnchor.offset(before: 5, oldTop: 8, newTop: 8, limits: (-91, -200)) == -91, "the content is short")
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
        let inserted = ChangeAnnouncement(from: ListModel.Sections(), to: try change(Self.insert))
        #expect(inserted.text() == "1 row added", "no other cell is read")
        #expect(try text(Self.update) == "1 row changed" && text(Self.update, in: "fr") == "1 ligne modifiée")
        #expect(try text(#"{"moveCells":[[0,1,0,0,1]]}"#) == "1 row moved")
    }

    @Test func theAnnouncementCountsTheCellsOfInsertedAndDeletedSections() throws {
        #expect(try text(#"{"deleteSections":[0]}"#) == "2 rows removed")
        let section = #"{"id":"b","cells":[{"id":"3","type":"row"}]}"#
        #expect(try text(#"{"insertSections":[{"at":0,"section":\#(section)}]}"#) == "1 row added")
        #expect(try text(#"{"insertSections":[{"at":0,"section":{"id":"b","cells":[]}}]},{"moveSections":[[1,0]]}"#) == "1 section moved")
    }

    @Test func theAnnouncementOfAnUnchangedListIsEmpty() throws {
        #expect(try text("") == "")
    }

    @Test func theAnnouncementOfASnapshotContainsNoCounts() throws {
        let announcement = ChangeAnnouncement(from: ListModel.Sections(), to: try whole())
        #expect(announcement.text() == "List updated" && announcement.text(in: "fr") == "Liste mise à jour")
    }
}
