/// What shows a list and is told what becomes of it, a batch at a time, as the list views of UIKit and AppKit are.
@MainActor
public protocol BatchUpdating {
    /// Whether the view is in a window; what is not shown is not animated.
    var isShown: Bool { get }

    /// Whether the places of an operation count in the list that the one before it left, as with `NSTableView`.
    /// Otherwise those of all deletes, updates and moves away count in the list before the batch, the others in
    /// the list after it.
    var isSequential: Bool { get }

    /// Shows the data anew, all of it.
    func reloadData()

    /// Animates what `updates` tells as one change.
    func performBatch(_ updates: () -> Void)

    /// Tells the view of one operation, within a batch.
    func perform(_ operation: ListOperation)
}

extension BatchUpdating {
    public var isSequential: Bool { false }

    /// Brings the view to the target of a changeset: stage by stage, or by a reload once that is too much.
    ///
    /// - Parameters:
    ///   - interrupt: whether a stage is too much to animate. It is asked about each when those before it were performed.
    ///   - setData: sets what the view shows; called first in each batch, and before a reload.
    public func reload<Collection>(
        using stagedChangeset: StagedChangeset<Collection>, interrupt: ((Changeset<Collection>) -> Bool)? = nil,
        setData: (Collection) -> Void
    ) {
        for changeset in stagedChangeset {
            guard isShown, interrupt?(changeset) != true else {
                if let last = stagedChangeset.last { setData(last.data) }
                return reloadData()
            }
            performBatch {
                setData(changeset.data)
                changeset.stage.operations(isSequential: isSequential).forEach(perform)
            }
        }
    }
}
