#if canImport(UIKit) && !os(watchOS)
import ScreenDiff
import ScreenWire
public import UIKit

// This class only passes calls on. The logic is in `ScreenListView`, `ListPresenter`, `ListChoices`, `CellViews` and the types that they
// use. The tests cover these types.

/// The data source and delegate of a collection view that shows a screen.
///
///     collection = ScreenCollection(collectionView, showing: screen, in: views) { link in router.open(link) }
///
/// The view performs the stages that the server found. Selecting an item performs its action or opens its link, and its other actions are
/// offered in a menu. With a flow layout, items, headers and footers have the sizes that the server states. Keep the object as long as the
/// view is shown; the view holds its data source weakly.
///
/// An app that needs other functions of a delegate declares a subclass, which must not be generic, with these functions exactly as the
/// protocol declares them.
open class ScreenCollection: ScreenListView, UICollectionViewDataSource, UICollectionViewDelegateFlowLayout {
    private let collectionView: UICollectionView

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
        self.collectionView = collectionView
        super.init(showing: screen, in: views, report: report, open: open)
        presenter.isScrolling = { [weak collectionView] in collectionView?.isScrolling == true }
        choices.endEditing = { [weak collectionView] in collectionView?.endEditing(false) }
        collectionView.dataSource = self
        collectionView.delegate = self
        collectionView.reloadData()
    }

    // MARK: - Changes

    override func perform(_ update: ListUpdate, _ setData: (ListModel.Sections) -> Void) {
        collectionView.show(
            update, shown: presenter.sections, visible: collectionView.indexPathsForVisibleItems,
            top: { [collectionView] in collectionView.layoutAttributesForItem(at: $0)?.frame.minY }
        ) {
            collectionView.reload(
                using: update, interrupt: { [changeLimit] in $0.changeCount > changeLimit },
                updateSections: { [weak self] in self?.updateViews(of: $0) }, setData: setData)
        }
    }

    /// Updates the visible views of these sections. The other views receive the new content when they become visible.
    private func updateViews(of sections: IndexSet) {
        var kinds: Set = [UICollectionView.elementKindSectionHeader, UICollectionView.elementKindSectionFooter]
        for section in sections { kinds.formUnion(presenter.sections[section].supplementary.map(\.kind)) }
        for kind in kinds {
            for place in collectionView.indexPathsForVisibleSupplementaryElements(ofKind: kind) where sections.contains(place.section) {
                let (role, content) = supplementary(kind, at: place)
                guard let content, let view = collectionView.supplementaryView(forElementKind: kind, at: place) else { continue }
                views.configure(view, with: content, as: role)
            }
        }
    }

    /// Returns the cell that the view shows at an index path. The content of the screen can be newer while changes are held.
    public func cell(at indexPath: IndexPath) -> ListModel.Cell { presenter.sections[indexPath.section].cells[indexPath.item] }

    // MARK: - Data source

    open func numberOfSections(in collectionView: UICollectionView) -> Int { presenter.sections.count }

    open func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
        presenter.sections[section].cells.count
    }

    open func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath) -> UICollectionViewCell {
        let cell = cell(at: indexPath)
        let identifier = cell.reuseIdentifier
        if registered.insert(CellViews.Key(.cell, identifier)).inserted {
            let known = views.view(for: identifier, in: .cell, as: UICollectionViewCell.self)
            if let nib = known?.nib {
                collectionView.register(UINib(nibName: nib.name, bundle: nib.bundle), forCellWithReuseIdentifier: identifier)
            } else {
                collectionView.register(known?.type ?? UICollectionViewListCell.self, forCellWithReuseIdentifier: identifier)
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

    open func collectionView(
        _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
    ) -> UICollectionReusableView {
        let (role, content) = supplementary(kind, at: indexPath)
        let type = content?.reuseIdentifier ?? ""
        // The identifier states the role, because one type of content can have different views in different roles.
        let identifier = "\(role) \(type)"
        if registered.insert(CellViews.Key(role, type)).inserted {
            let known = views.view(for: type, in: role, as: UICollectionReusableView.self)
            if let nib = known?.nib {
                collectionView.register(
                    UINib(nibName: nib.name, bundle: nib.bundle), forSupplementaryViewOfKind: kind, withReuseIdentifier: identifier)
            } else {
                collectionView.register(
                    known?.type ?? UICollectionReusableView.self, forSupplementaryViewOfKind: kind, withReuseIdentifier: identifier)
            }
        }
        let view = collectionView.dequeueReusableSupplementaryView(ofKind: kind, withReuseIdentifier: identifier, for: indexPath)
        if let content { views.configure(view, with: content, as: role) }
        return view
    }

    private func supplementary(_ kind: String, at indexPath: IndexPath) -> (ViewRole, ListModel.View?) {
        let section = presenter.sections[indexPath.section]
        if kind == UICollectionView.elementKindSectionHeader { return (.header, section.header) }
        if kind == UICollectionView.elementKindSectionFooter { return (.footer, section.footer) }
        return (.supplementary(kind), section.supplementaryView(of: kind, at: indexPath.item))
    }

    // MARK: - Sizes

    open func collectionView(
        _ collectionView: UICollectionView, layout: UICollectionViewLayout, sizeForItemAt indexPath: IndexPath
    ) -> CGSize {
        size(of: cell(at: indexPath)) ?? (layout as? UICollectionViewFlowLayout)?.itemSize ?? .zero
    }

    open func collectionView(
        _ collectionView: UICollectionView, layout: UICollectionViewLayout, referenceSizeForHeaderInSection section: Int
    ) -> CGSize {
        guard let header = presenter.sections[section].header else { return .zero }
        return size(of: header) ?? (layout as? UICollectionViewFlowLayout)?.headerReferenceSize ?? .zero
    }

    open func collectionView(
        _ collectionView: UICollectionView, layout: UICollectionViewLayout, referenceSizeForFooterInSection section: Int
    ) -> CGSize {
        guard let footer = presenter.sections[section].footer else { return .zero }
        return size(of: footer) ?? (layout as? UICollectionViewFlowLayout)?.footerReferenceSize ?? .zero
    }

    private func size(of content: some ShownTraits) -> CGSize? {
        let width = collectionView.bounds.width
        return content.shownSize(in: width).map { CGSize(width: $0.width ?? width, height: $0.height) }
    }

    // MARK: - Choices

    open func collectionView(_ collectionView: UICollectionView, shouldHighlightItemAt indexPath: IndexPath) -> Bool {
        cell(at: indexPath).selection != nil
    }

    open func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
        let cell = cell(at: indexPath)
        collectionView.deselectItem(at: indexPath, animated: true)
        choices.select(cell, id: cell.id)
    }

    open func collectionView(
        _ collectionView: UICollectionView, contextMenuConfigurationForItemsAt indexPaths: [IndexPath], point: CGPoint
    ) -> UIContextMenuConfiguration? {
        indexPaths.count == 1 ? choices.menu(of: cell(at: indexPaths[0])) : nil
    }
}
#endif
