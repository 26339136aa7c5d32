import ScreenDiff
import ScreenWire

/// The way from one state of a screen to the next, as a client goes it: the changeset between both was applied to the one,
/// and gave the other.
public struct ScreenChange: Sendable {
    public let before: ShownScreen
    public let after: ShownScreen
    /// The ids of cells that came, in the order in which they stand after it. Those of a new section are among them.
    public private(set) var inserted: [String] = []
    /// The ids of cells that went, in the order in which they stood before it. Those of a section that goes are among them.
    public private(set) var deleted: [String] = []
    /// The ids of cells that were moved. There are never more than have to be.
    public private(set) var moved: [String] = []
    /// The ids of cells that are the same and show something else.
    public private(set) var updated: [String] = []
    /// The ids of sections that came, went, were moved, and have another header, footer or supplementary view.
    public private(set) var insertedSections: [String] = []
    public private(set) var deletedSections: [String] = []
    public private(set) var movedSections: [String] = []
    public private(set) var updatedSections: [String] = []

    /// - Throws: that the changeset does not lead from the one to the other, which would be a fault of the library's.
    init(from before: ShownScreen, to after: ShownScreen) throws {
        (self.before, self.after) = (before, after)
        let document = try JSONReader.read(before.tree.changeset(to: after.tree))
        let playback = try Playback(of: ChangesetTree(document), on: before.tree)
        guard playback.result.document().bytes == after.tree.document().bytes else { throw Misled(screen: before.view.screen) }
        let (old, new) = (Set(before.cells.map(\.id)), Set(after.cells.map(\.id)))
        inserted = after.cells.map(\.id).filter { !old.contains($0) }
        deleted = before.cells.map(\.id).filter { !new.contains($0) }
        for (stage, state) in zip(playback.changeset.stages, playback.states) { note(stage, at: state) }
    }

    /// - Parameter state: the sections before the stage, in which the places of moves and updates count.
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

    /// That a client would not show what the server does.
    struct Misled: Error {
        let screen: String
    }
}
