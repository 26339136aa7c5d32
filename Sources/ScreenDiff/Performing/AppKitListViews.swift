#if canImport(AppKit) && !targetEnvironment(macCatalyst)
public import AppKit

// Thin: what is done and when is decided in `BatchUpdating`, which has tests.

extension NSTableView {
    /// Brings the table to the target of a changeset of a list without sections, with one animation.
    ///
    ///     tableView.reload(using: changeset, with: .effectFade) { data = $0 }
    ///
    /// - Parameters:
    ///   - interrupt: whether a stage is too much to animate, such as `{ $0.changeCount > 100 }`. Then, and if the
    ///     table is in no window, the last data is set and everything is reloaded.
    ///   - setData: sets what the table shows; called within each batch.
    public func reload<Collection>(
        using stagedChangeset: StagedChangeset<Collection>, with animation: @autoclosure () -> AnimationOptions,
        interrupt: ((Changeset<Collection>) -> Bool)? = nil, setData: (Collection) -> Void
    ) {
        reload(
            using: stagedChangeset, deleteRowsAnimation: animation(), insertRowsAnimation: animation(),
            reloadRowsAnimation: animation(), interrupt: interrupt, setData: setData
        )
    }

    /// The same, with an animation for each operation.
    ///
    /// - Parameter reloadRowsAnimation: of no effect: a table shows new contents of a row without an animation.
    public func reload<Collection>(
        using stagedChangeset: StagedChangeset<Collection>,
        deleteRowsAnimation: @autoclosure () -> AnimationOptions, insertRowsAnimation: @autoclosure () -> AnimationOptions,
        reloadRowsAnimation: @autoclosure () -> AnimationOptions = [],
        interrupt: ((Changeset<Collection>) -> Bool)? = nil, setData: (Collection) -> Void
    ) {
        UpdatingTable(view: self, deleteRowsAnimation: deleteRowsAnimation(), insertRowsAnimation: insertRowsAnimation())
            .reload(using: stagedChangeset, interrupt: interrupt, setData: setData)
    }
}

extension NSCollectionView {
    /// Brings the view to the target of a changeset.
    ///
    ///     collectionView.reload(using: changeset) { data = $0 }
    ///
    /// - Parameters:
    ///   - interrupt: whether a stage is too much to animate, such as `{ $0.changeCount > 100 }`. Then, and if the
    ///     view is in no window, the last data is set and everything is reloaded.
    ///   - updateSections: shows new supplementary views of sections, such as by `supplementaryView(forElementKind:at:)`,
    ///     so that no item is torn down; nil reloads the sections with their items. One that comes or goes has no view
    ///     there: its section is to be reloaded.
    ///   - setData: sets what the view shows; called within each batch.
    public func reload<Collection>(
        using stagedChangeset: StagedChangeset<Collection>, interrupt: ((Changeset<Collection>) -> Bool)? = nil,
        updateSections: ((IndexSet) -> Void)? = nil, setData: (Collection) -> Void
    ) {
        UpdatingCollection(view: self, updateSections: updateSections)
            .reload(using: stagedChangeset, interrupt: interrupt, setData: setData)
    }
}

/// A table of rows: it knows no sections.
private struct UpdatingTable: BatchUpdating {
    let view: NSTableView
    let deleteRowsAnimation, insertRowsAnimation: NSTableView.AnimationOptions

    var isShown: Bool { view.window != nil }
    var isSequential: Bool { true }

    func reloadData() { view.reloadData() }

    func performBatch(_ updates: () -> Void) {
        view.beginUpdates()
        updates()
        view.endUpdates()
    }

    func perform(_ operation: ListOperation) {
        switch operation {
        case .deleteCells(let places): view.removeRows(at: IndexSet(places.map(\.item)), withAnimation: deleteRowsAnimation)
        case .insertCells(let places): view.insertRows(at: IndexSet(places.map(\.item)), withAnimation: insertRowsAnimation)
        case .updateCells(let places):
            let columns = IndexSet(integersIn: 0..<view.numberOfColumns)
            view.reloadData(forRowIndexes: IndexSet(places.map(\.item)), columnIndexes: columns)
        case .moveCell(let source, let destination): view.moveRow(at: source.item, to: destination.item)
        case .deleteSections, .insertSections, .updateSections, .moveSection: break
        }
    }
}

private struct UpdatingCollection: BatchUpdating {
    let view: NSCollectionView
    let updateSections: ((IndexSet) -> Void)?

    var isShown: Bool { view.window != nil }

    func reloadData() { view.reloadData() }

    func performBatch(_ updates: () -> Void) {
        view.animator().performBatchUpdates(updates)
    }

    func perform(_ operation: ListOperation) {
        switch operation {
        case .deleteSections(let sections): view.deleteSections(IndexSet(sections))
        case .insertSections(let sections): view.insertSections(IndexSet(sections))
        case .updateSections(let sections):
            if let updateSections { return updateSections(IndexSet(sections)) }
            view.reloadSections(IndexSet(sections))
        case .moveSection(let source, let destination): view.moveSection(source, toSection: destination)
        case .deleteCells(let places): view.deleteItems(at: places.indexPaths)
        case .insertCells(let places): view.insertItems(at: places.indexPaths)
        case .updateCells(let places): view.reloadItems(at: places.indexPaths)
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
