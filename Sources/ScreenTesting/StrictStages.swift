import ScreenClient
import ScreenDiff
import ScreenModel
package import ScreenWire

/// A check of received stages without a list view, for tests that do not run on the main actor.
package enum StrictStages {
    /// The error that is thrown if a view would show cells that differ from the snapshot after the changeset.
    package struct WrongCells: Error {}

    /// The error that is thrown if a cell of both snapshots has a new view, although its type and the types of its section's views stay the
    /// same.
    package struct RecreatedCell: Error {
        let id: String
    }

    /// Performs a changeset as a list view performs it.
    ///
    /// - Throws: The first ``ListViewFault`` of a stage, an error if the changeset cannot be applied, ``WrongCells`` or ``RecreatedCell``.
    package static func check(_ changeset: ChangesetTree, on snapshot: SnapshotTree, in kind: ListViewKind) throws {
        let registry = CellRegistry()
        func sections(of tree: SnapshotTree) -> [StrictListView<ListModel.Cell>.Section] {
            ListModel(tree, registry: registry).sections.map(StrictListView.Section.init)
        }
        var tree = snapshot
        var list = ShownList(kind, reuseIdentifier: \ListModel.Cell.type)
        list.reload(sections(of: tree))
        var kept = Dictionary(uniqueKeysWithValues: list.cells.joined().map { (ExactText($0.content.id), $0) })
        for applied in try tree.applyByStages(changeset) {
            var batch = ListBatch()
            for operation in applied.stage.operations(inPlace: applied.updates.inPlace()) { batch.add(operation) }
            // Only these operations can replace the view of a cell that is in both snapshots.
            let replaced =
                batch.cells.reloads.map { list.cells[$0.section][$0.item] } + batch.sections.reloads.flatMap { list.cells[$0.section] }
            for cell in replaced { kept[ExactText(cell.content.id)] = nil }
            let faults = list.perform(batch, from: list.cells.map(\.count), to: sections(of: applied.snapshot))
            if let fault = faults.first { throw fault }
        }
        let shown = list.cells.map { $0.map(\.content.content) }
        guard shown == tree.sections.map({ $0.cells.map(\.content) }) else { throw WrongCells() }
        for cell in list.cells.joined() {
            if let old = kept[ExactText(cell.content.id)], old !== cell { throw RecreatedCell(id: cell.content.id) }
        }
    }
}
