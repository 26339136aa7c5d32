#if canImport(UIKit) && !os(watchOS)
import ScreenDiff
public import UIKit

// These extensions only pass calls on. The logic is in `DiffablePlan` and `DataBinding`. The tests cover these types.

extension NSDiffableDataSourceSnapshot<String, String> {
    /// Creates the snapshot that a plan describes.
    ///
    /// - Parameter shown: The snapshot that the data source shows, without marks. It is copied if the change only updates cells and sections,
    ///   so that not all ids are listed.
    public init(_ plan: DiffablePlan, shown: Self) {
        self = shown
        let isCopy = plan.copies(
            shown.numberOfItems, hasItem: { shown.sectionIdentifier(containingItem: $0) != nil },
            hasSection: { shown.indexOfSection($0) != nil })
        if !isCopy {
            self = Self()
            for (section, items) in plan.listing() {
                appendSections([section])
                appendItems(items, toSection: section)
            }
        }
        reloadSections(plan.sectionsToReload)
        reloadItems(plan.reload)
        reconfigureItems(plan.reconfigure)
    }
}

extension ScreenBinding {
    /// Returns the cell with an id, or `nil` if the data source shows no such cell.
    public func cell(for id: String, at indexPath: IndexPath) -> ListModel.Cell? {
        cell(for: id, at: CellPlace(section: indexPath.section, item: indexPath.item))
    }
}

extension UITableViewDiffableDataSource: BindableDataSource {
    public func show(_ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>, animated: Bool) {
        if animated { apply(snapshot) } else { applySnapshotUsingReloadData(snapshot) }
    }
}

extension UITableViewDiffableDataSource<String, String> {
    /// Shows the ids of a screen's sections and cells until the binding is released.
    public func bind(to screen: LiveScreen) -> ScreenBinding {
        bind(to: screen) { source, plan in NSDiffableDataSourceSnapshot(plan, shown: source.snapshot()) }
    }
}

extension UICollectionViewDiffableDataSource: BindableDataSource {
    public func show(_ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>, animated: Bool) {
        if animated { apply(snapshot) } else { applySnapshotUsingReloadData(snapshot) }
    }
}

extension UICollectionViewDiffableDataSource<String, String> {
    /// Shows the ids of a screen's sections and cells until the binding is released.
    public func bind(to screen: LiveScreen) -> ScreenBinding {
        bind(to: screen) { source, plan in NSDiffableDataSourceSnapshot(plan, shown: source.snapshot()) }
    }
}
#endif
