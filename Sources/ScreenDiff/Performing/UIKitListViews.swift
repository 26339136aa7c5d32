#if canImport(UIKit) && !os(watchOS)
public import UIKit

// Thin: what is done and when is decided in `BatchUpdating`, which has tests.

extension UITableView {
    /// Brings the table to the target of a changeset, with one animation.
    ///
    ///     tableView.reload(using: changeset, with: .fade) { data = $0 }
    ///
    /// - Parameters:
    ///   - interrupt: whether a stage is too much to animate, such as `{ $0.changeCount > 100 }`. Then, and if the
    ///     table is in no window, the last data is set and everything is reloaded.
    ///   - updateRows: shows new contents in rows that stay, such as `reconfigureRows(at:)`; nil reloads the rows.
    ///   - updateSections: shows new headers and footers of sections, such as by `headerView(forSection:)`, so that
    ///     no cell is torn down; nil reloads the sections with their cells. One that comes or goes has no view there:
    ///     its section is to be reloaded.
    ///   - setData: sets what the table shows; called within each batch.
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

    /// The same, with an animation for each operation.
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
    /// Brings the view to the target of a changeset.
    ///
    ///     collectionView.reload(using: changeset) { data = $0 }
    ///
    /// - Parameters:
    ///   - interrupt: whether a stage is too much to animate, such as `{ $0.changeCount > 100 }`. Then, and if the
    ///     view is in no window, the last data is set and everything is reloaded.
    ///   - updateItems: shows new contents in items that stay, such as `reconfigureItems(at:)`; nil reloads the items.
    ///   - updateSections: shows new supplementary views of sections, such as by `supplementaryView(forElementKind:at:)`,
    ///     so that no cell is torn down; nil reloads the sections with their cells. One that comes or goes has no view
    ///     there: its section is to be reloaded.
    ///   - setData: sets what the view shows; called within each batch.
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
