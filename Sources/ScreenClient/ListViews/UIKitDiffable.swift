#if canImport(UIKit) && !os(watchOS)
public import UIKit

// These extensions only translate calls. The logic is in `DiffablePlan` and `DataBinding`, which the tests cover.

extension NSDiffableDataSourceSnapshot<String, String> {
    /// Creates the snapshot that a plan describes.
    public init(_ plan: DiffablePlan) {
        self.init()
        appendSections(plan.sections)
        for (section, items) in zip(plan.sections, plan.items) { appendItems(items, toSection: section) }
        reloadSections(plan.sectionsToReload)
        reloadItems(plan.reload)
        reconfigureItems(plan.reconfigure)
    }
}

extension UITableViewDiffableDataSource: BindableDataSource {
    public func show(_ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>, animated: Bool) {
        if animated { apply(snapshot) } else { applySnapshotUsingReloadData(snapshot) }
    }
}

extension UITableViewDiffableDataSource<String, String> {
    /// Shows the ids of a screen's sections and cells until the binding is released.
    public func bind(to screen: LiveScreen) -> DataBinding {
        bind(to: screen) { NSDiffableDataSourceSnapshot($0) }
    }
}

extension UICollectionViewDiffableDataSource: BindableDataSource {
    public func show(_ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>, animated: Bool) {
        if animated { apply(snapshot) } else { applySnapshotUsingReloadData(snapshot) }
    }
}

extension UICollectionViewDiffableDataSource<String, String> {
    /// Shows the ids of a screen's sections and cells until the binding is released.
    public func bind(to screen: LiveScreen) -> DataBinding {
        bind(to: screen) { NSDiffableDataSourceSnapshot($0) }
    }
}
#endif
