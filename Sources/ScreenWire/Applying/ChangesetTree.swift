public import ScreenDiff

/// A changeset that was read from a document.
///
/// The reader has checked the shape and the order of the stages. ``SnapshotTree/apply(_:)`` checks the rules that depend on the snapshot.
public struct ChangesetTree: Sendable {
    public let screen: String
    public let from: String
    public let version: String
    /// The new title, or `nil` if the title does not change.
    public let title: String?
    public let stages: [Stage]

    /// The operations of a stage, and the content that they insert or update. Each kind of operation that has content has its own array of
    /// contents. The contents are in the order of the operations.
    public struct Stage: Sendable {
        /// The operations of the stage. The properties `target` and `targetSection` of an operation contain places in the list after this
        /// stage, because the list after the last stage is not known when a stage is read.
        public internal(set) var operations = ScreenDiff.Stage()
        package internal(set) var updatedCells: [SnapshotTree.Cell] = []
        package internal(set) var insertedSections: [SnapshotTree.Section] = []
        package internal(set) var insertedCells: [[SnapshotTree.Cell]] = []
        package internal(set) var updatedViews: [SnapshotTree.Views] = []
    }
}
