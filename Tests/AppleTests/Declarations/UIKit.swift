// The part of UIKit that `ScreenDiff` and the documentation use, declared as Swift imports it.

@_exported import Foundation

@MainActor open class UIResponder {
    public init() {}
}

open class UIView: UIResponder {
    public var window: UIWindow? { nil }
}

open class UIWindow: UIView {}

open class UIViewController: UIResponder {
    open func viewWillAppear(_ animated: Bool) {}
    open func viewDidDisappear(_ animated: Bool) {}
}

open class UITableViewController: UIViewController {
    open var tableView: UITableView! { fatalError() }
}

open class UITableViewHeaderFooterView: UIView {}

open class UITableView: UIView {
    public enum RowAnimation: Int, Sendable {
        case fade, right, left, top, bottom, none, middle, automatic
    }

    public func reloadData() {}
    // In the header of UIKit, the blocks are nullable and do not escape. No closure in Swift can be both, so these declarations
    // use closures that are not optional.
    public func performBatchUpdates(_ updates: () -> Void, completion: ((Bool) -> Void)? = nil) {}
    public func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {}
    public func insertSections(_ sections: IndexSet, with animation: RowAnimation) {}
    public func reloadSections(_ sections: IndexSet, with animation: RowAnimation) {}
    public func moveSection(_ section: Int, toSection newSection: Int) {}
    public func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) {}
    public func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) {}
    public func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) {}
    public func reconfigureRows(at indexPaths: [IndexPath]) {}
    public func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {}
    public func headerView(forSection section: Int) -> UITableViewHeaderFooterView? { nil }
}

@MainActor open class UICollectionViewLayout {
    public init() {}
}

open class UICollectionViewFlowLayout: UICollectionViewLayout {}

open class UICollectionView: UIView {
    public init(frame: CGRect, collectionViewLayout layout: UICollectionViewLayout) {}
    public func reloadData() {}
    public func performBatchUpdates(_ updates: () -> Void, completion: ((Bool) -> Void)? = nil) {}
    public func deleteSections(_ sections: IndexSet) {}
    public func insertSections(_ sections: IndexSet) {}
    public func reloadSections(_ sections: IndexSet) {}
    public func moveSection(_ section: Int, toSection newSection: Int) {}
    public func deleteItems(at indexPaths: [IndexPath]) {}
    public func insertItems(at indexPaths: [IndexPath]) {}
    public func reloadItems(at indexPaths: [IndexPath]) {}
    public func reconfigureItems(at indexPaths: [IndexPath]) {}
    public func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {}
}

@preconcurrency public struct NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>: Sendable
where SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable {
    public init() {}
    public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {}
    public mutating func appendItems(_ identifiers: [ItemIdentifierType], toSection sectionIdentifier: SectionIdentifierType? = nil) {}
    public mutating func reloadSections(_ identifiers: [SectionIdentifierType]) {}
    public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) {}
    public mutating func reconfigureItems(_ identifiers: [ItemIdentifierType]) {}
}

@MainActor @preconcurrency open class UITableViewDiffableDataSource<SectionIdentifierType, ItemIdentifierType>: NSObject
where SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable {
    open func apply(
        _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>, animatingDifferences: Bool = true,
        completion: (() -> Void)? = nil
    ) {}
    open func applySnapshotUsingReloadData(
        _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>, completion: (() -> Void)? = nil
    ) {}
}

@MainActor @preconcurrency open class UICollectionViewDiffableDataSource<SectionIdentifierType, ItemIdentifierType>: NSObject
where SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable {
    open func apply(
        _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>, animatingDifferences: Bool = true,
        completion: (() -> Void)? = nil
    ) {}
    open func applySnapshotUsingReloadData(
        _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>, completion: (() -> Void)? = nil
    ) {}
}

extension IndexPath {
    public init(item: Int, section: Int) {
        self.init(indexes: [section, item])
    }

    public var section: Int { self[0] }
    public var item: Int { self[1] }
}
