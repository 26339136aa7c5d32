/// A list view that performs operations in batches, like the list views of UIKit and AppKit.
@MainActor
public protocol BatchUpdating {
    /// The identity of the view. Two values with the same identity represent the same view. For a class, the default is the identity of the
    /// object.
    var identity: ObjectIdentifier { get }

    /// A Boolean value that indicates whether the view is in a window. A view that is in no window is reloaded without an
    /// animation.
    var isShown: Bool { get }

    /// A Boolean value that indicates whether the view has no sections and performs the operations of a batch one after another, as
    /// `NSTableView` does.
    ///
    /// If it is true, each place is an index in the list after the previous operation. If it is false, the places of deletes
    /// and updates, and the sources of moves, are indices in the list before the batch. The places of inserts and the targets
    /// of moves are indices in the list after the batch.
    var isSequential: Bool { get }

    /// Reloads the whole view.
    func reloadData()

    /// Calls `updates`. The operations that `updates` performs are animated together, as one change.
    ///
    /// - Parameter completion: the view calls this function once, when the animations have ended. The argument indicates whether they ran
    ///   to their end.
    func performBatch(_ updates: () -> Void, completion: @escaping @MainActor (Bool) -> Void)

    /// Performs one operation. It is called only within a batch.
    func perform(_ operation: ListOperation)
}

extension BatchUpdating {
    public var isSequential: Bool { false }

    /// Updates the view with a changeset, in one batch for each stage. If a stage cannot be animated, the view is reloaded with
    /// the data of the last stage.
    ///
    /// The changeset was computed from two lists, or it came from a server. Its source must be the data of the view.
    ///
    /// **Changesets that arrive meanwhile.** If a batch, `setData` or `interrupt` calls this function again for the same view, the new
    /// changeset is not performed, because its source may be the list after any of the stages. Instead, as soon as the batch in progress
    /// has ended, the closure `setData` of the first call sets the last data of the newest changeset, and the view is reloaded. A changeset
    /// without stages has no data, so it changes nothing. Both changesets must have the same type of data.
    ///
    /// - Parameters:
    ///   - interrupt: returns a Boolean value that indicates whether a stage is too large to animate. It is called before each
    ///     stage.
    ///   - setData: sets the data of the view. It is called in each batch before the operations, and before a reload.
    ///   - completion: is called exactly once, after the last batch or reload has ended. The argument is true if the view shows the
    ///     changes and all animations ran to their end. It is false if an animation was interrupted, or if the view was reloaded with
    ///     the data of a changeset that arrived meanwhile.
    public func reload<Collection>(
        using stagedChangeset: StagedChangeset<Collection>, interrupt: ((Changeset<Collection>) -> Bool)? = nil,
        setData: (Collection) -> Void, completion: (@MainActor (Bool) -> Void)? = nil
    ) {
        let batches = PendingBatches(completion)
        defer { batches.end(true) }
        if let reload = ReloadInProgress.all[identity] {
            if let last = stagedChangeset.last { reload.wait(for: batches, data: last.data) }
            return
        }
        let reload = ReloadInProgress()
        ReloadInProgress.all[identity] = reload
        defer { ReloadInProgress.all[identity] = nil }
        for changeset in stagedChangeset where !reload.isOutdated {
            let isAnimated = isShown && (!isSequential || changeset.fitsOneSection) && interrupt?(changeset) != true
            if reload.isOutdated { break }
            guard isAnimated else {
                if let last = stagedChangeset.last { setData(last.data) }
                reloadData()
                break
            }
            batches.begin()
            // Deletes, inserts and moves are one batch: `performBatchUpdates(_:completion:)` of both views of UIKit "animates multiple
            // insert, delete, reload, and move operations as a group" (Apple's documentation). The stages separate the operations whose
            // combinations are known to crash: updates and moves (WWDC 2018, session 225), and operations on sections and on cells
            // (openradar 27041784 and 48941906).
            performBatch {
                setData(changeset.data)
                changeset.operations(isSequential: isSequential).forEach(perform)
            } completion: {
                batches.end($0)
            }
        }
        let isOutdated = reload.showNewestData { data in
            setData(data)
            reloadData()
        }
        if isOutdated { batches.fail() }
    }
}

extension BatchUpdating where Self: AnyObject {
    public var identity: ObjectIdentifier { ObjectIdentifier(self) }
}
