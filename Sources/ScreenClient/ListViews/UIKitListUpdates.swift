#if canImport(UIKit) && !os(watchOS)
public import ScreenDiff
import ScreenWire
public import UIKit

// These extensions only pass calls on. The logic is in `ListUpdate`, `ScrollAnchor` and `ChangeAnnouncement`. The tests cover these types.

extension UITableView {
    /// Shows a change of a screen. The table performs the stages of the change, or is reloaded if the whole content is new.
    ///
    ///     for await update in screen.updates { tableView.reload(using: update) { sections = $0 } }
    ///
    /// - Parameters:
    ///   - interrupt: Returns a Boolean value that indicates whether a stage is too large to animate.
    ///   - updateSections: Updates the headers and footers of sections in place. If this parameter is nil, the sections are reloaded.
    ///   - setData: Sets the data of the table. It is called in each batch before the operations, and before a reload.
    public func reload(
        using update: ListUpdate, with animation: RowAnimation = .automatic,
        interrupt: @escaping (Changeset<ListModel.Sections>) -> Bool = { _ in false }, updateSections: ((IndexSet) -> Void)? = nil,
        setData: (ListModel.Sections) -> Void
    ) {
        reload(
            using: update.changeset, with: animation, interrupt: { update.isSnapshot || interrupt($0) },
            updateSections: updateSections, setData: setData)
    }
}

extension UICollectionView {
    /// Shows a change of a screen. The view performs the stages of the change, or is reloaded if the whole content is new.
    ///
    /// - Parameters:
    ///   - interrupt: Returns a Boolean value that indicates whether a stage is too large to animate.
    ///   - updateSections: Updates the supplementary views of sections in place. If this parameter is nil, the sections are reloaded.
    ///   - setData: Sets the data of the view. It is called in each batch before the operations, and before a reload.
    public func reload(
        using update: ListUpdate, interrupt: @escaping (Changeset<ListModel.Sections>) -> Bool = { _ in false },
        updateSections: ((IndexSet) -> Void)? = nil, setData: (ListModel.Sections) -> Void
    ) {
        reload(
            using: update.changeset, interrupt: { update.isSnapshot || interrupt($0) }, updateSections: updateSections, setData: setData)
    }
}

extension UIScrollView {
    /// A Boolean value that indicates whether a finger scrolls the view, or the view decelerates.
    var isScrolling: Bool { isDragging || isDecelerating }

    /// Performs a change. The first visible row that the change neither deletes nor moves stays in place on the display. VoiceOver
    /// announces the change.
    ///
    /// - Parameters:
    ///   - sections: The sections that the view shows before the change.
    ///   - visible: The places of the visible cells.
    ///   - top: Returns the position of a cell in the content.
    ///   - change: Performs the change.
    func show(
        _ update: ListUpdate, shown sections: ListModel.Sections, visible: [IndexPath], top: (IndexPath) -> CGFloat?,
        change: () -> Void
    ) {
        let before = contentOffset.y
        let isAtStart = before <= -adjustedContentInset.top
        // While the view scrolls, no row is kept in place, because the deceleration would replace the new offset.
        let keepsNoRow = isAtStart || isScrolling || sections.isEmpty
        let places = keepsNoRow ? [] : visible.sorted().map { CellPlace(section: $0.section, item: $0.item) }
        let anchor = ScrollAnchor(visible: places, of: sections, in: update)
        let oldTop = anchor.flatMap { top($0.before.indexPath) }
        change()
        if let anchor, let oldTop, let newTop = top(anchor.after.indexPath) {
            let insets = adjustedContentInset
            let limits = (least: Double(-insets.top), greatest: Double(contentSize.height + insets.bottom - bounds.height))
            contentOffset.y = ScrollAnchor.offset(before: before, oldTop: oldTop, newTop: newTop, limits: limits)
        }
        guard UIAccessibility.isVoiceOverRunning, !sections.isEmpty else { return }
        let text = ChangeAnnouncement(from: sections, to: update).text(in: Locale.current.identifier(.bcp47))
        if !text.isEmpty { UIAccessibility.post(notification: .announcement, argument: text) }
    }
}

extension CellPlace {
    fileprivate var indexPath: IndexPath { IndexPath(item: item, section: section) }
}
#endif
