#if canImport(AppKit) && !targetEnvironment(macCatalyst)
public import AppKit

// These extensions only translate operations into calls of a view. The logic is in `BatchUpdating`, which the tests cover.

extension NSTableView {
    /// Updates the table with a changeset. All operations have the same animation. If the list has several sections, the table is reloaded,
    /// because a table shows no sections.
    ///
    ///     tableView.reload(using: changeset, with: .effectFade) { data = $0 }
    ///
    /// - Parameters:
    ///   - interrupt: returns a Boolean value that indicates whether a stage is too large to animate, such as `{ $0.changeCount
    ///     > 100 }`. If it returns true, or if the table is in no window, the table is reloaded with the data of the last
    ///     stage.
    ///   - setData: sets the data of the table. It is called within each batch, before the operations.
    ///   - completion: is called exactly once, after the last batch. The argument indicates whether all animations ran to their end.
    public func reload<Collection>(
        using stagedChangeset: StagedChangeset<Collection>, with animation: @autoclosure () -> AnimationOptions,
        interrupt: ((Changeset<Collection>) -> Bool)? = nil, setData: (Collection) -> Void,
        completion: (@MainActor (Bool) -> Void)? = nil
    ) {
        reload(
            using: stagedChangeset, deleteRowsAnimation: animation(), insertRowsAnimation: animation(),
            reloadRowsAnimation: animation(), interrupt: interrupt, setData: setData, completion: completion
        )
    }

    /// Updates the table with a changeset, with a separate animation for each kind of operation.
    ///
    /// - Parameter reloadRowsAnimation: has no effect, because the table updates the content of a row without an animation.
    public func reload<Collection>(
        using stagedChangeset: StagedChangeset<Collection>,
        deleteRowsAnimation: @autoclosure () -> AnimationOptions, insertRowsAnimation: @autoclosure () -> AnimationOptions,
        reloadRowsAnimation: @autoclosure () -> AnimationOptions = [],
        interrupt: ((Changeset<Collection>) -> Bool)? = nil, setData: (Collection) -> Void,
        completion: (@MainActor (Bool) -> Void)? = nil
    ) {
        UpdatingTable(view: self, deleteRowsAnimation: deleteRowsAnimation(), insertRowsAnimation: insertRowsAnimation())
            .reload(using: stagedChangeset, interrupt: interrupt, setData: setData, completion: completion)
    }
}

extension NSCollectionView {
    /// Updates the collection view with a changeset.
    ///
    ///     collectionView.reload(using: changeset) { data = $0 }
    ///
    /// - Parameters:
    ///   - interrupt: returns a Boolean value that indicates whether a stage is too large to animate, such as `{ $0.changeCount
    ///     > 100 }`. If it returns true, or if the view is in no window, the view is reloaded with the data of the last stage.
    ///   - updateSections: updates the supplementary views of sections, such as the views that `supplementaryView(forElementKind:at:)`
    ///     returns. It receives only sections whose supplementary views keep their types, and the items of these sections are not recreated.
    ///     If this parameter is nil, these sections are reloaded. A section is always reloaded if one of its supplementary views appears,
    ///     disappears, changes its type or has an unknown type.
    ///   - setData: sets the data of the view. It is called within each batch, before the operations.
    ///   - completion: is called exactly once, after the last batch. The argument indicates whether all animations ran to their end.
    public func reload<Collection>(
        using stagedChangeset: StagedChangeset<Collection>, interrupt: ((Changeset<Collection>) -> Bool)? = nil,
        updateSections: ((IndexSet) -> Void)? = nil, setData: (Collection) -> Void,
        completion: (@MainActor (Bool) -> Void)? = nil
    ) {
        UpdatingCollection(view: self, updateSections: updateSections)
            .reload(using: stagedChangeset, interrupt: interrupt, setData: setData, completion: completion)
    }
}

/// A table of rows, without sections.
private struct UpdatingTable: BatchUpdating {
    let view: NSTableView
    let deleteRowsAnimation, insertRowsAnimation: NSTableView.AnimationOptions

    var identity: ObjectIdentifier { ObjectIdentifier(view) }
    var isShown: Bool { view.window != nil }
    var isSequential: Bool { true }

    func reloadData() { view.reloadData() }

    func performBatch(_ updates: () -> Void, completion: @escaping @MainActor (Bool) -> Void) {
        // The batch runs in an animation group, because the group has a completion and the table has none.
        NSAnimationContext.runAnimationGroup(
            { _ in
                view.beginUpdates()
                updates()
                view.endUpdates()
            }, completionHandler: { MainActor.assumeIsolated { completion(true) } })
    }

    func perform(_ operation: ListOperation) {
        switch operation {
        case .deleteCells(let places): view.removeRows(at: IndexSet(places.map(\.item)), withAnimation: deleteRowsAnimation)
        case .insertCells(let places): view.insertRows(at: IndexSet(places.map(\.item)), withAnimation: insertRowsAnimation)
        case .reconfigureCells(let places), .reloadCells(let places):
            let rows = IndexSet(places.map(\.item))
            view.reloadData(forRowIndexes: rows, columnIndexes: IndexSet(integersIn: 0..<view.numberOfColumns))
            // The table does not read the height of a row again when the row is reloaded.
            view.noteHeightOfRows(withIndexesChanged: rows)
        case .moveCell(let source, let destination): view.moveRow(at: source.item, to: destination.item)
        case .deleteSections, .insertSections, .updateSections, .reloadSections, .moveSection: break
        }
    }
}

private struct UpdatingCollection: BatchUpdating {
    let view: NSCollectionView
    let updateSections: ((IndexSet) -> Void)?

    var identity: ObjectIdentifier { ObjectIdentifier(view) }
    var isShown: Bool { view.window != nil }

    func reloadData() { view.reloadData() }

    func performBatch(_ updates: () -> Void, completion: @escaping @MainActor (Bool) -> Void) {
        view.animator().performBatchUpdates(
            updates, completionHandler: { isFinished in MainActor.assumeIsolated { completion(isFinished) } }
        )
    }

    func perform(_ operation: ListOperation) {
        switch operation {
        case .deleteSections(let sections): view.deleteSections(IndexSet(sections))
        case .insertSections(let sections): view.insertSections(IndexSet(sections))
        case .updateSections(let sections):
            guard let updateSections else { return perform(.reloadSections(sections)) }
            updateSections(IndexSet(sections))
        case .reloadSections(let sections): view.reloadSections(IndexSet(sections))
        case .moveSection(let source, let destination): view.moveSection(source, toSection: destination)
        case .deleteCells(let places): view.deleteItems(at: places.indexPaths)
        case .insertCells(let places): view.insertItems(at: places.indexPaths)
        case .reconfigureCells(let places), .reloadCells(let places): view.reloadItems(at: places.indexPaths)
        case .moveCell(let source, let destination): view.moveItem(at: source.indexPath, to: destination.indexPath)
        }
    }
}

extension CellPlace {
    fileprivate var indexPath: IndexPath { IndexPath(item: item, section: section) }
}

extension [CellPlace] {
    fileprivate var indexPaths: Set<IndexPath> { Set(map(\.indexPath)) }
}
#endif
