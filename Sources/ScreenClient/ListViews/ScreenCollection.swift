#if canImport(UIKit) && !os(watchOS)
import ScreenDiff
import ScreenWire
public import UIKit

// This class only translates calls. The logic is in `ListPresenter`, `CellViews` and the types that they use, which the tests cover.

/// The data source and delegate of a collection view that shows a screen.
///
///     collection = ScreenCollection(collectionView, showing: screen, in: views) { link in router.open(link) }
///
/// The view performs the stages that the server computed. Selecting an item performs its action or opens its link, and its other actions
/// are offered in a menu. With a flow layout, items have the sizes that the server states. Retain the object as long as the view is shown,
/// because the view holds its data source weakly.
public final class ScreenCollection: NSObject, UICollectionViewDataSource, UICollectionViewDelegateFlowLayout {
    private let views: CellViews
    private let presenter: ListPresenter
    private var binding: DataBinding?
    /// The reuse identifiers that are registered with the view.
    private var registered: Set<String> = []

    /// Binds a collection view to a screen. To keep the screen current, the app calls ``LiveScreen/follow()``.
    ///
    /// - Parameters:
    ///   - report: A function that is called if an action fails.
    ///   - open: A function that opens a linked screen. It is not called for a link to the same screen. Such a link changes the parameters
    ///     of the screen.
    public init(
        _ collectionView: UICollectionView, showing screen: LiveScreen, in views: CellViews,
        report: @escaping (any Error) -> Void = { _ in }, open: @escaping (ScreenLink) -> Void
    ) {
        self.views = views
        presenter = ListPresenter(screen)
        super.init()
        (presenter.open, presenter.report) = (open, report)
        presenter.perform = { [weak collectionView] update, setData in
            switch update.kind {
            case .snapshot:
                setData(update.model.sections)
                collectionView?.reloadData()
            case .stages(let steps): collectionView?.reload(using: steps.changeset, setData: setData)
            }
        }
        collectionView.dataSource = self
        collectionView.delegate = self
        binding = presenter.bind(to: screen)
    }

    /// Holds changes for a reason, such as a field that is edited, until the reason ends.
    public func begin(_ reason: HeldChanges.Reason) { presenter.begin(reason) }

    /// Ends a reason to hold changes, and performs the held changes as one.
    public func end(_ reason: HeldChanges.Reason) { presenter.end(reason) }

    private func cell(at indexPath: IndexPath) -> ListModel.Cell { presenter.sections[indexPath.section].cells[indexPath.item] }

    public func numberOfSections(in collectionView: UICollectionView) -> Int { presenter.sections.count }

    public func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
        presenter.sections[section].cells.count
    }

    public func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath) -> UICollectionViewCell {
        let cell = cell(at: indexPath)
        let identifier = cell.reuseIdentifier
        if registered.insert(identifier).inserted {
            let view = views.view(for: identifier)
            if let nib = view?.nib {
                collectionView.register(UINib(nibName: nib, bundle: nil), forCellWithReuseIdentifier: identifier)
            } else {
                collectionView.register(view?.type ?? UICollectionViewListCell.self, forCellWithReuseIdentifier: identifier)
            }
        }
        let view = collectionView.dequeueReusableCell(withReuseIdentifier: identifier, for: indexPath)
        if !views.configure(view, with: cell), let generic = view as? UICollectionViewListCell {
            var content = generic.defaultContentConfiguration()
            content.text = cell.value.isHidden ? nil : cell.type
            generic.contentConfiguration = content
        }
        return view
    }

    public func collectionView(
        _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
    ) -> UICollectionReusableView {
        let (role, content) = supplementary(kind, at: indexPath)
        let view = content.flatMap { views.view(for: $0.reuseIdentifier, in: role) }
        let identifier = "\(role) \(content?.reuseIdentifier ?? "")"
        if registered.insert(identifier).inserted {
            if let nib = view?.nib {
                collectionView.register(
                    UINib(nibName: nib, bundle: nil), forSupplementaryViewOfKind: kind, withReuseIdentifier: identifier)
            } else {
                collectionView.register(
                    view?.type ?? UICollectionReusableView.self, forSupplementaryViewOfKind: kind, withReuseIdentifier: identifier)
            }
        }
        let dequeued = collectionView.dequeueReusableSupplementaryView(ofKind: kind, withReuseIdentifier: identifier, for: indexPath)
        if let content { views.configure(dequeued, with: content, as: role) }
        return dequeued
    }

    private func supplementary(_ kind: String, at indexPath: IndexPath) -> (ViewRole, ListModel.View?) {
        let section = presenter.sections[indexPath.section]
        if kind == UICollectionView.elementKindSectionHeader { return (.header, section.header) }
        if kind == UICollectionView.elementKindSectionFooter { return (.footer, section.footer) }
        return (.supplementary(kind), section.supplementaryView(of: kind, at: indexPath.item))
    }

    public func collectionView(
        _ collectionView: UICollectionView, layout: UICollectionViewLayout, sizeForItemAt indexPath: IndexPath
    ) -> CGSize {
        if let size = cell(at: indexPath).shownSize(in: collectionView.bounds.width) {
            return CGSize(width: size.width ?? collectionView.bounds.width, height: size.height)
        }
        return (layout as? UICollectionViewFlowLayout)?.itemSize ?? .zero
    }

    public func collectionView(_ collectionView: UICollectionView, shouldHighlightItemAt indexPath: IndexPath) -> Bool {
        cell(at: indexPath).selection != nil
    }

    public func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
        collectionView.deselectItem(at: indexPath, animated: true)
        presenter.select(cell(at: indexPath))
    }

    public func collectionView(
        _ collectionView: UICollectionView, contextMenuConfigurationForItemsAt indexPaths: [IndexPath], point: CGPoint
    ) -> UIContextMenuConfiguration? {
        indexPaths.count == 1 ? presenter.menu(of: cell(at: indexPaths[0])) : nil
    }

    public func scrollViewWillBeginDragging(_ scrollView: UIScrollView) { presenter.begin(.scrolling) }

    public func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool) {
        if !decelerate { presenter.end(.scrolling) }
    }

    public func scrollViewDidEndDecelerating(_ scrollView: UIScrollView) { presenter.end(.scrolling) }
}
#endif
