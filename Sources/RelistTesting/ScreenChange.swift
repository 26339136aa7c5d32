import ScreenDiff
import ScreenWire

/// The change of a screen between two states, as a client sees it. The client applied the changeset to the first state, which
/// produced the second state.
public struct ScreenChange: Sendable {
    public let before: ShownScreen
    public let after: ShownScreen
    /// The ids of inserted cells, in their order after the change, including the cells of inserted sections.
    public private(set) var inserted: [String] = []
    /// The ids of deleted cells, in their order before the change, including the cells of deleted sections.
    public private(set) var deleted: [String] = []
    /// The ids of moved cells. As few cells as possible are moved.
    public private(set) var moved: [String] = []
    /// The ids of cells whose content changed.
    public private(set) var updated: [String] = []
    /// The ids of inserted sections.
    public private(set) var insertedSections: [String] = []
    /// The ids of deleted sections.
    public private(set) var deletedSections: [String] = []
    /// The ids of moved sections.
    public private(set) var movedSections: [String] = []
    /// The ids of sections whose header, footer or supplementary views changed.
    public private(set) var updatedSections: [String] = []

    /// Computes the change between two states of a screen.
    ///
    /// - Throws: `ChangesetMismatch` if the changeset does not turn the first state into the second. This error indicates a bug in Relist.
    init(from before: ShownScreen, to after: ShownScreen) throws {
        (self.before, self.after) = (before, after)
        let document = try JSONReader.read(before.tree.changeset(to: after.tree))
        let playback = try Playback(of: ChangesetTree(document), on: before.tree)
        guard playback.result.document().bytes == after.tree.document().bytes else { throw ChangesetMismatch(screen: before.view.screen) }
        let (old, new) = (Set(before.cells.map(\.id)), Set(after.cells.map(\.id)))
        inserted = after.cells.map(\.id).filter { !old.contains($0) }
        deleted = before.cells.map(\.id).filter { !new.contains($0) }
        for (stage, state) in zip(playback.changeset.stages, playback.states) { note(stage, at: state) }
    }

    /// Adds the operations of one stage to the lists of this change.
    ///
    /// - Parameter state: the sections before the stage. Moves and updates contain indexes of these sections.
    private mutating func note(_ stage: ChangesetTree.Stage, at state: [SnapshotTree.Section]) {
        let operations = stage.operations
        updated += stage.updatedCells.map(\.id)
        insertedSections += stage.insertedSections.map(\.id)
        moved += operations.moveCells.flatMap { move in
            state[move.source.section].cells[move.source.item..<move.source.item + move.count].map(\.id)
        }
        deletedSections += operations.deleteSections.map { state[$0].id }
        movedSections += operations.moveSections.map { state[$0.source].id }
        updatedSections += operations.updateSections.map { state[$0].id }
    }

    /// The error for a changeset after which the content on a client would differ from the content on the server.
    struct ChangesetMismatch: Error {
        let screen: String
    }
}
