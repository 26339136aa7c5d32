import DocumentTexts
import Foundation
import ScreenWire
import SeededRandom
import Testing

@testable import RelistCommand
@testable import ScreenClient

/// Tests of the list view in the terminal. Its rows are marked by the operations that it performs.
@MainActor @Suite("The list of relist watch") struct WatchedListTests {
    private let registry = CellRegistry()

    private func snapshot(_ tree: SnapshotTree) -> ListUpdate {
        ListUpdate(kind: .snapshot, model: ListModel(tree, registry: registry))
    }

    /// Returns the update that applies changesets to a snapshot.
    private func update(_ tree: inout SnapshotTree, _ changesets: ChangesetTree...) throws -> ListUpdate {
        let steps = try changesets.flatMap { try tree.applyByStages($0) }.map { ListUpdate.Step($0, registry: registry) }
        return ListUpdate(kind: .stages(steps), model: ListModel(tree, registry: registry))
    }

    private func contents(_ tree: SnapshotTree) -> [String: JSONValue] {
        Dictionary(uniqueKeysWithValues: tree.sections.flatMap(\.cells).map { ($0.id, $0.content) })
    }

    @Test(arguments: Seeds.first(100)) func eachRandomUpdateMarksTheRowsThatItChanges(seed: UInt64) throws {
        var random = RandomSnapshots(seed: seed)
        var tree = try DocumentTexts.tree(random.next(version: "v0"))
        let list = WatchedList()
        list.show(snapshot(tree))
        for number in 1...5 {
            let old = contents(tree)
            let target = try DocumentTexts.tree(random.next(version: "v\(number)"))
            list.show(try update(&tree, ChangesetTree(JSONReader.read(tree.changeset(to: target)))))
            let (new, reloaded) = (contents(target), WatchedList())
            reloaded.show(snapshot(target))
            #expect(list.rows.map(\.cell) == reloaded.rows.map(\.cell) && list.rows.map(\.text) == reloaded.rows.map(\.text))
            let rows = list.rows.filter { $0.cell != nil }
            let inserted = rows.filter { $0.change == .inserted }.compactMap(\.cell)
            #expect(Set(inserted) == Set(new.keys).subtracting(old.keys))
            #expect(list.deletedCount == Set(old.keys).subtracting(new.keys).count)
            for case let id? in rows.filter({ $0.change == nil }).map(\.cell) { #expect(old[id] == new[id]) }
            for case let id? in rows.filter({ $0.change == .updated }).map(\.cell) { #expect(old[id] != new[id]) }
        }
    }

    @Test func rowsShowDatesAtATimeAndNameTheNextChange() throws {
        let list = WatchedList(locale: "fr")
        let section =
            #"{"id":"s","header":{"type":"h","at":{"$date":"2026-07-12T09:00:00Z","style":"relative"}},"cells":[{"id":"a","type":"c","#
            + #""title":"Tea","deep":{"due":{"$date":"2026-07-12T09:30:00Z","style":"timer"},"note":"hot"}}]}"#
        let text = #"{"kind":"snapshot","screen":"x","version":"v1","layout":"table","sections":[\#(section)]}"#
        list.show(snapshot(try DocumentTexts.tree(text)))
        let now = try Date("2026-07-12T09:05:30Z", strategy: .iso8601)
        let (rows, until) = list.rows(at: now)
        #expect(rows.map(\.text) == ["il y a 5\u{A0}min", "Tea  24:30  hot"] && until == now + 1)
    }

    @Test func aMovedCellIsMarkedAndItsNeighboursAreNot() throws {
        var tree = try DocumentTexts.tree(DocumentTexts.snapshot("a: 1 2 3 | b: 4"))
        let list = WatchedList()
        list.show(snapshot(tree))
        let stages = #"{"deleteCells":[[0,1,1]],"moveCells":[[0,0,1,1,1]]},{"moveSections":[[1,0]]}"#
        list.show(try update(&tree, DocumentTexts.changeset(read: DocumentTexts.changeset(stages))))
        #expect(list.rows.map(\.cell) == ["4", "1", "3"] && list.rows.map(\.change) == [nil, .moved, nil])
        #expect(list.deletedCount == 1)
    }

    @Test func aCellThatIsInsertedAndThenMovedByOneUpdateIsMarkedAsInserted() throws {
        var tree = try DocumentTexts.tree(DocumentTexts.snapshot("a: 1"))
        let list = WatchedList()
        list.show(snapshot(tree))
        let insert = #"{"insertCells":[{"at":[0,1],"cells":[\#(DocumentTexts.cell("2"))]}]}"#
        let later = DocumentTexts.changeset(#"{"moveCells":[[0,1,0,0,1]]}"#).replacing(#""v2""#, with: #""v3""#).replacing(
            #""v1""#, with: #""v2""#)
        list.show(
            try update(
                &tree, DocumentTexts.changeset(read: DocumentTexts.changeset(insert)), DocumentTexts.changeset(read: later)))
        #expect(list.rows.map(\.cell) == ["2", "1"] && list.rows.map(\.change) == [.inserted, nil])
    }
}
