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
    ///   - updateRows: updates the contents of rows in place, such as with `reconfigureRows(at:)`. If this parameter is nil, the
    ///     rows are reloaded.
    ///   - updateSections: updates the headers and footers of sections in place, such as the views that
    ///     `headerView(forSection:)` returns. The cells of these sections are not recreated. If this parameter is nil, the sections
    ///     are reloaded. A section must be reloaded if its header or footer appears or disappears.
    ///   - setData: sets the data of the table. It is called within each batch, before the operations.
    public func reload<Collection>(
        using stagedChangeset: StagedChangeset<Collection>, with animation: @autoclosure () -> RowAnimation,
        interrupt: ((Changeset<Collection>) -> Bool)? = nil,
        updateRows: (([IndexPath]) -> Void)? = nil, updateSections: ((IndexSet) -> Void)? = nil,
        setData: (Collection) -> Void
    ) {
        reload(
            using: stagedChangeset, deleteSectionsAnimation: animation(), insertSectionsAnimation: animation(),
            reloadSectionsAnimation: animation(), deleteRowsAnimation: animation(), insertRowsAnimation: animation(),
            reloadRowsAnimation: animation(), interrupt: interrupt, updateRows: updateRows, updateSections: updateSections,
            setData: setData
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
        setData: (Collection) -> Void
    ) {
        let table = UpdatingTable(
            view: self, deleteSectionsAnimation: deleteSectionsAnimation(), insertSectionsAnimation: insertSectionsAnimation(),
            reloadSectionsAnimation: reloadSectionsAnimation(), deleteRowsAnimation: deleteRowsAnimation(),
            insertRowsAnimation: insertRowsAnimation(), reloadRowsAnimation: reloadRowsAnimation(),
            updateRows: updateRows, updateSections: updateSections
        )
        table.reload(using: stagedChangeset, interrupt: interrupt, setData: setData)
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
    ///   - updateItems: updates the contents of items in place, such as with `reconfigureItems(at:)`. If this parameter is
    ///     nil, the items are reloaded.
    ///   - updateSections: updates the supplementary views of sections in place, such as the views that
    ///     `supplementaryView(forElementKind:at:)` returns. The cells of these sections are not recreated. If this parameter is
    ///     nil, the sections are reloaded. A section must be reloaded if one of its supplementary views appears or disappears.
    ///   - setData: sets the data of the view. It is called within each batch, before the operations.
    public func reload<Collection>(
        using stagedChangeset: StagedChangeset<Collection>, interrupt: ((Changeset<Collection>) -> Bool)? = nil,
        updateItems: (([IndexPath]) -> Void)? = nil, updateSections: ((IndexSet) -> Void)? = nil,
        setData: (Collection) -> Void
    ) {
        UpdatingCollection(view: self, updateItems: updateItems, updateSections: updateSections)
            .reload(using: stagedChangeset, interrupt: interrupt, setData: setData)
    }
}

private struct UpdatingTable: BatchUpdating {
    let view: UITableView
    let deleteSectionsAnimation, insertSectionsAnimation, reloadSectionsAnimation: UITableView.RowAnimation
    let deleteRowsAnimation, insertRowsAnimation, reloadRowsAnimation: UITableView.RowAnimation
    let updateRows: (([IndexPath]) -> Void)?
    let updateSections: ((IndexSet) -> Void)?

    var isShown: Bool { view.window != nil }

    func reloadData() { view.reloadData() }

    func performBatch(_ updates: () -> Void) {
        view.performBatchUpdates(updates)
    }

    func perform(_ operation: ListOperation) {
        switch operation {
        case .deleteSections(let sections): view.deleteSections(IndexSet(sections), with: deleteSectionsAnimation)
        case .insertSections(let sections): view.insertSections(IndexSet(sections), with: insertSectionsAnimation)
        case .updateSections(let sections):
            if let updateSections { return updateSections(IndexSet(sections)) }
            view.reloadSections(IndexSet(sections), with: reloadSectionsAnimation)
        case .moveSection(let source, let destination): view.moveSection(source, toSection: destination)
        case .deleteCells(let places): view.deleteRows(at: places.map(\.indexPath), with: deleteRowsAnimation)
        case .insertCells(let places): view.insertRows(at: places.map(\.indexPath), with: insertRowsAnimation)
        case .updateCells(let places):
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

    var isShown: Bool { view.window != nil }

    func reloadData() { view.reloadData() }

    func performBatch(_ updates: () -> Void) {
        view.performBatchUpdates(updates)
    }

    func perform(_ operation: ListOperation) {
        switch operation {
        case .deleteSections(let sections): view.deleteSections(IndexSet(sections))
        case .insertSections(let sections): view.insertSections(IndexSet(sections))
        case .updateSections(let sections):
            if let updateSections { return updateSections(IndexSet(sections)) }
            view.reloadSections(IndexSet(sections))
        case .moveSection(let source, let destination): view.moveSection(source, toSection: destination)
        case .deleteCells(let places): view.deleteItems(at: places.map(\.indexPath))
        case .insertCells(let places): view.insertItems(at: places.map(\.indexPath))
        case .updateCells(let places):
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
