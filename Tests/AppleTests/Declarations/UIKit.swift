// The part of UIKit that `ScreenDiff`, `ScreenClient` and the documentation use, declared as Swift imports it.

@_exported import Foundation

@MainActor open class UIResponder {
    public init() {}
}

open class UIView: UIResponder {
    public var bounds: CGRect { .zero }
    public var window: UIWindow? { nil }
    public var isHidden: Bool = false
    public func addSubview(_ view: UIView) {}
    public func layoutIfNeeded() {}
    @discardableResult open func endEditing(_ force: Bool) -> Bool { true }
}

open class UIWindow: UIView {
    public init(frame: CGRect) {}
}

public struct UIEdgeInsets: Sendable {
    public var top, left, bottom, right: CGFloat
}

open class UIScrollView: UIView {
    public var contentOffset: CGPoint = .zero
    public var contentSize: CGSize = .zero
    public var adjustedContentInset: UIEdgeInsets { UIEdgeInsets(top: 0, left: 0, bottom: 0, right: 0) }
    public var isDragging: Bool { false }
    public var isDecelerating: Bool { false }
}

open class UIViewController: UIResponder {
    open var view: UIView!
    open func loadView() {}
    open func viewDidLoad() {}
    open func viewWillAppear(_ animated: Bool) {}
    open func viewDidDisappear(_ animated: Bool) {}
}

open class UITableViewController: UIViewController {
    open var tableView: UITableView! { fatalError() }
}

open class UITableViewHeaderFooterView: UIView {
    open func defaultContentConfiguration() -> UIListContentConfiguration { UIListContentConfiguration() }
    open var contentConfiguration: (any UIContentConfiguration)?
}

@MainActor open class UINib {
    public init(nibName name: String, bundle bundleOrNil: Bundle?) {}
}

public protocol UIContentConfiguration {}

public struct UIListContentConfiguration: UIContentConfiguration {
    public var text: String?
}

open class UITableViewCell: UIView {
    open func defaultContentConfiguration() -> UIListContentConfiguration { UIListContentConfiguration() }
    open var contentConfiguration: (any UIContentConfiguration)?
}

@MainActor open class UIMenuElement {
    public struct Attributes: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let disabled = Attributes(rawValue: 1)
        public static let destructive = Attributes(rawValue: 2)
    }
}

open class UIButton: UIView {
    public struct Configuration {
        public static func filled() -> Configuration { Configuration() }
        public var subtitle: String?
    }

    public convenience init(configuration: Configuration, primaryAction: UIAction?) { self.init() }
    public var configuration: Configuration?
}

open class UIAction: UIMenuElement {
    public var sender: Any? { nil }
    public init(title: String, attributes: UIMenuElement.Attributes = [], handler: @escaping (UIAction) -> Void) {}
}

open class UIMenu: UIMenuElement {
    public init(children: [UIMenuElement] = []) {}
}

@MainActor open class UIContextMenuConfiguration {
    public init(
        identifier: (any NSCopying)?, previewProvider: (() -> UIViewController?)? = nil,
        actionProvider: (([UIMenuElement]) -> UIMenu?)? = nil
    ) {}
}

@MainActor open class UIContextualAction {
    public enum Style: Int, Sendable {
        case normal, destructive
    }

    public init(
        style: Style, title: String?, handler: @escaping (UIContextualAction, UIView, @escaping (Bool) -> Void) -> Void
    ) {}
}

@MainActor open class UISwipeActionsConfiguration {
    public init(actions: [UIContextualAction]) {}
}

@MainActor public struct UIAccessibility {
    public struct Notification: Sendable {
        public static let announcement = Notification()
    }

    public static var isVoiceOverRunning: Bool { false }
    public static func post(notification: Notification, argument: Any?) {}
}

// Most requirements of these protocols are optional in UIKit. The declarations have only the requirements that `ScreenClient` implements.
@MainActor public protocol UIScrollViewDelegate: NSObjectProtocol {}

@MainActor public protocol UITableViewDataSource: NSObjectProtocol {
    func numberOfSections(in tableView: UITableView) -> Int
    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell
}

@MainActor public protocol UITableViewDelegate: UIScrollViewDelegate {
    func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat
    func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView?
    func tableView(_ tableView: UITableView, viewForFooterInSection section: Int) -> UIView?
    func tableView(_ tableView: UITableView, heightForHeaderInSection section: Int) -> CGFloat
    func tableView(_ tableView: UITableView, heightForFooterInSection section: Int) -> CGFloat
    func tableView(_ tableView: UITableView, shouldHighlightRowAt indexPath: IndexPath) -> Bool
    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath)
    func tableView(
        _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration?
    func tableView(
        _ tableView: UITableView, contextMenuConfigurationForRowAt indexPath: IndexPath, point: CGPoint
    ) -> UIContextMenuConfiguration?
}

open class UITableView: UIScrollView {
    public enum Style: Int, Sendable {
        case plain, grouped, insetGrouped
    }

    public convenience init(frame: CGRect, style: Style) { self.init() }
    public class var automaticDimension: CGFloat { -1 }
    public weak var dataSource: (any UITableViewDataSource)?
    public weak var delegate: (any UITableViewDelegate)?
    public var indexPathsForVisibleRows: [IndexPath]? { nil }
    public var numberOfSections: Int { 0 }
    public func numberOfRows(inSection section: Int) -> Int { 0 }
    public func rectForRow(at indexPath: IndexPath) -> CGRect { .zero }
    public func register(_ nib: UINib?, forCellReuseIdentifier identifier: String) {}
    public func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {}
    public func register(_ nib: UINib?, forHeaderFooterViewReuseIdentifier identifier: String) {}
    public func register(_ aClass: AnyClass?, forHeaderFooterViewReuseIdentifier identifier: String) {}
    public func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell { fatalError() }
    public func dequeueReusableHeaderFooterView(withIdentifier identifier: String) -> UITableViewHeaderFooterView? { nil }
    public func deselectRow(at indexPath: IndexPath, animated: Bool) {}

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
    public func footerView(forSection section: Int) -> UITableViewHeaderFooterView? { nil }
    public func cellForRow(at indexPath: IndexPath) -> UITableViewCell? { nil }
}

@MainActor open class UICollectionViewLayout {
    public init() {}
}

open class UICollectionViewFlowLayout: UICollectionViewLayout {
    open var itemSize = CGSize(width: 50, height: 50)
    open var headerReferenceSize: CGSize = .zero
    open var footerReferenceSize: CGSize = .zero
}

@MainActor open class UICollectionViewLayoutAttributes {
    open var frame: CGRect = .zero
}

open class UICollectionReusableView: UIView {}

open class UICollectionViewCell: UICollectionReusableView {
    open var contentConfiguration: (any UIContentConfiguration)?
}

open class UICollectionViewListCell: UICollectionViewCell {
    open func defaultContentConfiguration() -> UIListContentConfiguration { UIListContentConfiguration() }
}

@MainActor public protocol UICollectionViewDataSource: NSObjectProtocol {
    func numberOfSections(in collectionView: UICollectionView) -> Int
    func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int
    func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath) -> UICollectionViewCell
    func collectionView(
        _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
    ) -> UICollectionReusableView
}

@MainActor public protocol UICollectionViewDelegate: UIScrollViewDelegate {
    func collectionView(_ collectionView: UICollectionView, shouldHighlightItemAt indexPath: IndexPath) -> Bool
    func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath)
    func collectionView(
        _ collectionView: UICollectionView, contextMenuConfigurationForItemsAt indexPaths: [IndexPath], point: CGPoint
    ) -> UIContextMenuConfiguration?
}

@MainActor public protocol UICollectionViewDelegateFlowLayout: UICollectionViewDelegate {
    func collectionView(
        _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout, sizeForItemAt indexPath: IndexPath
    ) -> CGSize
    func collectionView(
        _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
        referenceSizeForHeaderInSection section: Int
    ) -> CGSize
    func collectionView(
        _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
        referenceSizeForFooterInSection section: Int
    ) -> CGSize
}

open class UICollectionView: UIScrollView {
    public class var elementKindSectionHeader: String { "UICollectionElementKindSectionHeader" }
    public class var elementKindSectionFooter: String { "UICollectionElementKindSectionFooter" }
    public weak var dataSource: (any UICollectionViewDataSource)?
    public weak var delegate: (any UICollectionViewDelegate)?
    public func register(_ nib: UINib?, forCellWithReuseIdentifier identifier: String) {}
    public func register(_ cellClass: AnyClass?, forCellWithReuseIdentifier identifier: String) {}
    public func register(_ nib: UINib?, forSupplementaryViewOfKind kind: String, withReuseIdentifier identifier: String) {}
    public func register(_ viewClass: AnyClass?, forSupplementaryViewOfKind elementKind: String, withReuseIdentifier identifier: String) {}
    public func dequeueReusableCell(withReuseIdentifier identifier: String, for indexPath: IndexPath) -> UICollectionViewCell {
        fatalError()
    }
    public func dequeueReusableSupplementaryView(
        ofKind elementKind: String, withReuseIdentifier identifier: String, for indexPath: IndexPath
    ) -> UICollectionReusableView { fatalError() }
    public func deselectItem(at indexPath: IndexPath, animated: Bool) {}
    public var indexPathsForVisibleItems: [IndexPath] { [] }
    public func indexPathsForVisibleSupplementaryElements(ofKind elementKind: String) -> [IndexPath] { [] }
    public func supplementaryView(forElementKind elementKind: String, at indexPath: IndexPath) -> UICollectionReusableView? { nil }
    public func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? { nil }
    public func cellForItem(at indexPath: IndexPath) -> UICollectionViewCell? { nil }
    public var numberOfSections: Int { 0 }
    public func numberOfItems(inSection section: Int) -> Int { 0 }
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
    public var numberOfItems: Int { 0 }
    public func sectionIdentifier(containingItem identifier: ItemIdentifierType) -> SectionIdentifierType? { nil }
    public func indexOfSection(_ identifier: SectionIdentifierType) -> Int? { nil }
    public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {}
    public mutating func appendItems(_ identifiers: [ItemIdentifierType], toSection sectionIdentifier: SectionIdentifierType? = nil) {}
    public mutating func reloadSections(_ identifiers: [SectionIdentifierType]) {}
    public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) {}
    public mutating func reconfigureItems(_ identifiers: [ItemIdentifierType]) {}
}

@MainActor @preconcurrency open class UITableViewDiffableDataSource<SectionIdentifierType, ItemIdentifierType>: NSObject
where SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable {
    public typealias CellProvider = (UITableView, IndexPath, ItemIdentifierType) -> UITableViewCell?
    public init(tableView: UITableView, cellProvider: @escaping CellProvider) {}
    open func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> {
        NSDiffableDataSourceSnapshot()
    }
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
    open func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> {
        NSDiffableDataSourceSnapshot()
    }
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

    public init(row: Int, section: Int) {
        self.init(indexes: [section, row])
    }

    public var section: Int { self[0] }
    public var row: Int { self[1] }
    public var item: Int { self[1] }
}
