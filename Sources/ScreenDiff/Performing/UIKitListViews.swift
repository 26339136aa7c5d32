#if canImport(UIKit) && !os(watchOS)
public import UIKit

// These extensions only translate operations into calls of a view. The logic is in `BatchUpdating`, which the tests cover.

extension UITableView {
    /// Updates the table with a changeset. All operations have the same animation.
    ///
    ///     tableView.reload(using: changeset, with: .fade) { data = $0 }
    ///
    /// - Parameters:
    ///   - interrupt: returns a Boolean value that indicates whether a stage is too large to animate, such as `{ $0.changeCount
    ///     > 100 }`. If it returns true, or if the table is in no window, the table is reloaded with the data of the last
    ///     stage.
    ///   - updateRows: updates the contents of all updated rows. If this parameter is nil, a row is reconfigured if its reuse
    ///     identifier stays the same, and reloaded if it changes or is not known.
    ///   - updateSections: updates the headers and footers of sections, such as the views that `headerView(forSection:)` returns. It
    ///     receives only sections whose headers and footers keep their types, and the cells of these sections are not recreated. If this
    ///     parameter is nil, these sections are reloaded. A section is always reloaded if its header or footer appears, disappears, changes
    ///     its type or has an unknown type.
    ///   - setData: sets the data of the table. It is called within each batch, before the operations.
    ///   - completion: is called exactly once, after the last batch. The argument indicates whether all animations ran to their end.
    public func reload<Collection>(
        using stagedChangeset: StagedChangeset<Collection>, with animation: @autoclosure () -> RowAnimation,
        interrupt: ((Changeset<Collection>) -> Bool)? = nil,
        updateRows: (([IndexPath]) -> Void)? = nil, updateSections: ((IndexSet) -> Void)? = nil,
        setData: (Collection) -> Void, completion: (@MainActor (Bool) -> Void)? = nil
    ) {
        reload(
            using: stagedChangeset, deleteSectionsAnimation: animation(), insertSectionsAnimation: animation(),
            reloadSectionsAnimation: animation(), deleteRowsAnimation: animation(), insertRowsAnimation: animation(),
            reloadRowsAnimation: animation(), interrupt: interrupt, updateRows: updateRows, updateSections: updateSections,
            setData: setData, completion: completion
        )
    }

    /// Updates the table with a changeset, with a separate animation for each kind of operation.
    public func reload<Collection>(
        using stagedChangeset: StagedChangeset<Collection>,
        deleteSectionsAnimation: @autoclosure () -> RowAnimation, insertSectionsAnimation: @autoclosure () -> RowAnimation,
        reloadSectionsAnimation: @autoclosure () -> RowAnimation, deleteRowsAnimation: @autoclosure () -> RowAnimation,
        insertRowsAnimation: @autoclosure () -> RowAnimation, reloadRowsAnimation: @autoclosure () -> RowAnimation,
        interrupt: ((Changeset<Collection>) -> Bool)? = nil,
        updateRows: (([IndexPath]) -> Void)? = nil, updateSections: ((IndexSet) -> Void)? = nil,
        setData: (Collection) -> Void, completion: (@MainActor (Bool) -> Void)? = nil
    ) {
        let table = UpdatingTable(
            view: self, deleteSectionsAnimation: deleteSectionsAnimation(), insertSectionsAnimation: insertSectionsAnimation(),
            reloadSectionsAnimation: reloadSectionsAnimation(), deleteRowsAnimation: deleteRowsAnimation(),
            insertRowsAnimation: insertRowsAnimation(), reloadRowsAnimation: reloadRowsAnimation(),
            updateRows: updateRows, updateSections: updateSections
        )
        table.reload(using: stagedChangeset, interrupt: interrupt, setData: setData, completion: completion)
    }
}

extension UICollectionView {
    /// Updates the collection view with a changeset.
    ///
    ///     collectionView.reload(using: changeset) { data = $0 }
    ///
    /// - Parameters:
    ///   - interrupt: returns a Boolean value that indicates whether a stage is too large to animate, such as `{ $0.changeCount
    ///     > 100 }`. If it returns true, or if the view is in no window, the view is reloaded with the data of the last stage.
    ///   - updateItems: updates the contents of all updated items. If this parameter is nil, an item is reconfigured if its reuse
    ///     identifier stays the same, and reloaded if it changes or is not known.
    ///   - updateSections: updates the supplementary views of sections, such as the views that `supplementaryView(forElementKind:at:)`
    ///     returns. It receives only sections whose supplementary views keep their types, and the cells of these sections are not recreated.
    ///     If this parameter is nil, these sections are reloaded. A section is always reloaded if one of its supplementary views appears,
    ///     disappears, changes its type or has an unknown type.
    ///   - setData: sets the data of the view. It is called within each batch, before the operations.
    ///   - completion: is called exactly once, after the last batch. The argument indicates whether all animations ran to their end.
    public func reload<Collection>(
        using stagedChangeset: StagedChangeset<Collection>, interrupt: ((Changeset<Collection>) -> Bool)? = nil,
        updateItems: (([IndexPath]) -> Void)? = nil, updateSections: ((IndexSet) -> Void)? = nil,
        setData: (Collection) -> Void, completion: (@MainActor (Bool) -> Void)? = nil
    ) {
        UpdatingCollection(view: self, updateItems: updateItems, updateSections: updateSections)
            .reload(using: stagedChangeset, interrupt: interrupt, setData: setData, completion: completion)
    }
}

private struct UpdatingTable: BatchUpdating {
    let view: UITableView
    let deleteSectionsAnimation, insertSectionsAnimation, reloadSectionsAnimation: UITableView.RowAnimation
    let deleteRowsAnimation, insertRowsAnimation, reloadRowsAnimation: UITableView.RowAnimation
    let updateRows: (([IndexPath]) -> Void)?
    let updateSections: ((IndexSet) -> Void)?

    var identity: ObjectIdentifier { ObjectIdentifier(view) }
    var isShown: Bool { view.window != nil }

    func reloadData() { view.reloadData() }

    func performBatch(_ updates: () -> Void, completion: @escaping @MainActor (Bool) -> Void) {
        view.performBatchUpdates(updates, completion: { isFinished in MainActor.assumeIsolated { completion(isFinished) } })
    }

    func perform(_ operation: ListOperation) {
        switch operation {
        case .deleteSections(let sections): view.deleteSections(IndexSet(sections), with: deleteSectionsAnimation)
        case .insertSections(let sections): view.insertSections(IndexSet(sections), with: insertSectionsAnimation)
        case .updateSections(let sections):
            guard let updateSections else { return perform(.reloadSections(sections)) }
            updateSections(IndexSet(sections))
        case .reloadSections(let sections): view.reloadSections(IndexSet(sections), with: reloadSectionsAnimation)
        case .moveSection(let source, let destination): view.moveSection(source, toSection: destination)
        case .deleteCells(let places): view.deleteRows(at: places.map(\.indexPath), with: deleteRowsAnimation)
        case .insertCells(let places): view.insertRows(at: places.map(\.indexPath), with: insertRowsAnimation)
        case .reconfigureCells(let places):
            if let updateRows { return updateRows(places.map(\.indexPath)) }
            view.reconfigureRows(at: places.map(\.indexPath))
        case .reloadCells(let places):
            if let updateRows { return updateRows(places.map(\.indexPath)) }
            view.reloadRows(at: places.map(\.indexPath), with: reloadRowsAnimation)
        case .moveCell(let source, let destination): view.moveRow(at: source.indexPath, to: destination.indexPath)
        }
    }
}

private struct UpdatingCollection: BatchUpdating {
    let view: UICollectionView
    let updateItems: (([IndexPath]) -> Void)?
    let updateSections: ((IndexSet) -> Void)?

    var identity: ObjectIdentifier { ObjectIdentifier(view) }
    var isShown: Bool { view.window != nil }

    func reloadData() {
        view.reloadData()
        // Without this call, the view would read its data source only at the next layout. A batch before this layout would begin with the
        // old data.
        view.layoutIfNeeded()
    }

    func performBatch(_ updates: () -> Void, completion: @escaping @MainActor (Bool) -> Void) {
        view.performBatchUpdates(updates, completion: { isFinished in MainActor.assumeIsolated { completion(isFinished) } })
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
        case .deleteCells(let places): view.deleteItems(at: places.map(\.indexPath))
        case .insertCells(let places): view.insertItems(at: places.map(\.indexPath))
        case .reconfigureCells(let places):
            if let updateItems { return updateItems(places.map(\.indexPath)) }
            view.reconfigureItems(at: places.map(\.indexPath))
        case .reloadCells(let places):
            if let updateItems { return updateItems(places.map(\.indexPath)) }
            view.reloadItems(at: places.map(\.indexPath))
        case .moveCell(let source, let destination): view.moveItem(at: source.indexPath, to: destination.indexPath)
        }
    }
}

extension CellPlace {
    fileprivate var indexPath: IndexPath { IndexPath(item: item, section: section) }
}
#endif
