/// A list view that performs operations in batches, like the list views of UIKit and AppKit.
@MainActor
public protocol BatchUpdating {
    /// A Boolean value that indicates whether the view is in a window. A view that is in no window is reloaded without an
    /// animation.
    var isShown: Bool { get }

    /// A Boolean value that indicates whether the view performs the operations of a batch one after another, as `NSTableView`
    /// does.
    ///
    /// If it is true, each place is an index in the list after the previous operation. If it is false, the places of deletes
    /// and updates, and the sources of moves, are indices in the list before the batch. The places of inserts and the targets
    /// of moves are indices in the list after the batch.
    var isSequential: Bool { get }

    /// Reloads the whole view.
    func reloadData()

    /// Calls `updates`. The operations that `updates` performs are animated together, as one change.
    func performBatch(_ updates: () -> Void)

    /// Performs one operation. It is called only within a batch.
    func perform(_ operation: ListOperation)
}

extension BatchUpdating {
    public var isSequential: Bool { false }

    /// Updates the view with a changeset, in one batch for each stage. If a stage cannot be animated, the view is reloaded with
    /// the data of the last stage.
    ///
    /// - Parameters:
    ///   - interrupt: returns a Boolean value that indicates whether a stage is too large to animate. It is called before each
    ///     stage.
    ///   - setData: sets the data of the view. It is called in each batch before the operations, and before a reload.
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
