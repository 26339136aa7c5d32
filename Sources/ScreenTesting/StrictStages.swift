import ScreenClient
import ScreenDiff
import ScreenModel
package import ScreenWire

/// A check of received stages without a list view, for tests that do not run on the main actor.
package enum StrictStages {
    /// The error that is thrown if a view would show cells that differ from the snapshot after the changeset.
    package struct WrongCells: Error {}

    /// Performs a changeset like a list view.
    ///
    /// - Throws: The first ``ListViewFault`` of a stage, an error if the changeset cannot be applied, or ``WrongCells``.
    package static func check(_ changeset: ChangesetTree, on snapshot: SnapshotTree, in kind: ListViewKind) throws {
        let registry = CellRegistry()
        func sections(of tree: SnapshotTree) -> [StrictListView<ListModel.Cell>.Section] {
            ListModel(tree, registry: registry).sections.map(StrictListView.Section.init)
        }
        var tree = snapshot
        var list = ShownList(kind, reuseIdentifier: \ListModel.Cell.type)
        list.reload(sections(of: tree))
        for applied in try tree.applyByStages(changeset) {
            var batch = ListBatch()
            for operation in applied.stage.operations(inPlace: applied.updates.inPlace()) { batch.add(operation) }
            let faults = list.perform(batch, from: list.cells.map(\.count), to: sections(of: applied.snapshot))
            if let fault = faults.first { throw fault }
        }
        let shown = list.cells.map { $0.map(\.content.content) }
        guard shown == tree.sections.map({ $0.cells.map(\.content) }) else { throw WrongCells() }
    }
}
