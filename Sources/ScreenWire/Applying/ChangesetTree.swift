package import ScreenDiff

/// A changeset of any origin, read from its document, with the content that it brings.
///
/// Its stages have the shape that rules 2 and 3 give them; whether it fits a snapshot shows when it
/// is played on it.
public struct ChangesetTree: Sendable {
    package let screen: String
    package let from: String
    package let version: String
    /// Nil leaves the title as it is.
    package let title: String?
    package let stages: [Stage]

    /// A stage, and the content that comes with its operations, in their order.
    package struct Stage: Sendable {
        /// Places in the target are those of the list after the stage.
        package internal(set) var operations = ScreenDiff.Stage()
        package internal(set) var updatedCells: [SnapshotTree.Cell] = []
        package internal(set) var insertedSections: [SnapshotTree.Section] = []
        package internal(set) var insertedCells: [[SnapshotTree.Cell]] = []
        package internal(set) var updatedViews: [SnapshotTree.Views] = []
    }
}
