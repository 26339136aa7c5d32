#if canImport(UIKit) && !os(watchOS)
import ScreenDiff
import ScreenWire
public import UIKit

// This class only translates calls. The logic is in `ListPresenter`, `CellViews` and the types that they use, which the tests cover.

/// The data source and delegate of a table view that shows a screen.
///
///     table = ScreenTable(tableView, showing: screen, in: views) { link in router.open(link) }
///
/// The table performs the stages that the server computed. Selecting a row performs its action or opens its link, and its other actions are
/// offered in a menu and when the row is swiped. Retain the object as long as the table is shown, because the table holds its data source
/// weakly.
public final class ScreenTable: NSObject, UITableViewDataSource, UITableViewDelegate {
    private let tableView: UITableView
    private let views: CellViews
    private let presenter: ListPresenter
    private var binding: DataBinding?
    /// The reuse identifiers that are registered with the table.
    private var registered: Set<String> = []

    /// Binds a table view to a screen. To keep the screen current, the app calls ``LiveScreen/follow()``.
    ///
    /// - Parameters:
    ///   - report: A function that is called if an action fails.
    ///   - open: A function that opens a linked screen. It is not called for a link to the same screen. Such a link changes the parameters
    ///     of the screen.
    public init(
        _ tableView: UITableView, showing screen: LiveScreen, in views: CellViews, report: @escaping (any Error) -> Void = { _ in },
        open: @escaping (ScreenLink) -> Void
    ) {
        self.tableView = tableView
        self.views = views
        presenter = ListPresenter(screen)
        super.init()
        (presenter.open, presenter.report) = (open, report)
        presenter.perform = { [weak self] update, setData in self?.perform(update, setData) }
        tableView.dataSource = self
        tableView.delegate = self
        binding = presenter.bind(to: screen)
    }

    /// Holds changes for a reason, such as a field that is edited, until the reason ends.
    public func begin(_ reason: HeldChanges.Reason) { presenter.begin(reason) }

    /// Ends a reason to hold changes, and performs the held changes as one.
    public func end(_ reason: HeldChanges.Reason) { presenter.end(reason) }

    private func perform(_ update: ListUpdate, _ setData: (ListModel.Sections) -> Void) {
        if UIAccessibility.isVoiceOverRunning, !presenter.sections.isEmpty {
            let text = ChangeAnnouncement(from: presenter.sections, to: update).text(in: Locale.current.identifier(.bcp47))
            if !text.isEmpty { UIAccessibility.post(notification: .announcement, argument: text) }
        }
        let isScrolled = tableView.contentOffset.y > 0
        let visible = isScrolled ? (tableView.indexPathsForVisibleRows ?? []).map { CellPlace(section: $0.section, item: $0.row) } : []
        let anchor = visible.isEmpty ? nil : ScrollAnchor(visible: visible, of: presenter.sections, in: update)
        let top = anchor.map { tableView.rectForRow(at: $0.before.indexPath).minY }
        switch update.kind {
        case .snapshot:
            setData(update.model.sections)
            tableView.reloadData()
        case .stages(let steps): tableView.reload(using: steps.changeset, with: .automatic, setData: setData)
        }
        guard let anchor, let top else { return }
        tableView.contentOffset.y += tableView.rectForRow(at: anchor.after.indexPath).minY - top
    }

    private func cell(at indexPath: IndexPath) -> ListModel.Cell { presenter.sections[indexPath.section].cells[indexPath.row] }

    // MARK: - Data source

    public func numberOfSections(in tableView: UITableView) -> Int { presenter.sections.count }

    public func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { presenter.sections[section].cells.count }

    public func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = cell(at: indexPath)
        let identifier = cell.reuseIdentifier
        if registered.insert(identifier).inserted {
            let view = views.view(for: identifier)
            if let nib = view?.nib {
                tableView.register(UINib(nibName: nib, bundle: nil), forCellReuseIdentifier: identifier)
            } else {
                tableView.register(view?.type ?? UITableViewCell.self, forCellReuseIdentifier: identifier)
            }
        }
        let view = tableView.dequeueReusableCell(withIdentifier: identifier, for: indexPath)
        if !views.configure(view, with: cell) {
            var content = view.defaultContentConfiguration()
            content.text = cell.value.isHidden ? nil : cell.type
            view.contentConfiguration = content
        }
        return view
    }

    // MARK: - Delegate

    public func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat {
        cell(at: indexPath).shownSize(in: tableView.bounds.width).map { CGFloat($0.height) } ?? UITableView.automaticDimension
    }

    public func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView? {
        view(presenter.sections[section].header, as: .header)
    }

    public func tableView(_ tableView: UITableView, viewForFooterInSection section: Int) -> UIView? {
        view(presenter.sections[section].footer, as: .footer)
    }

    public func tableView(_ tableView: UITableView, heightForHeaderInSection section: Int) -> CGFloat {
        height(of: presenter.sections[section].header, as: .header)
    }

    public func tableView(_ tableView: UITableView, heightForFooterInSection section: Int) -> CGFloat {
        height(of: presenter.sections[section].footer, as: .footer)
    }

    private func view(_ content: ListModel.View?, as role: ViewRole) -> UIView? {
        guard let content, let view = views.view(for: content.reuseIdentifier, in: role) else { return nil }
        let identifier = "\(role) \(content.reuseIdentifier)"
        if registered.insert(identifier).inserted {
            if let nib = view.nib {
                tableView.register(UINib(nibName: nib, bundle: nil), forHeaderFooterViewReuseIdentifier: identifier)
            } else {
                tableView.register(view.type, forHeaderFooterViewReuseIdentifier: identifier)
            }
        }
        guard let view = tableView.dequeueReusableHeaderFooterView(withIdentifier: identifier) else { return nil }
        views.configure(view, with: content, as: role)
        return view
    }

    private func height(of content: ListModel.View?, as role: ViewRole) -> CGFloat {
        guard let content, views.view(for: content.reuseIdentifier, in: role) != nil else { return 0 }
        return content.shownSize(in: tableView.bounds.width).map { CGFloat($0.height) } ?? UITableView.automaticDimension
    }

    public func tableView(_ tableView: UITableView, shouldHighlightRowAt indexPath: IndexPath) -> Bool {
        cell(at: indexPath).selection != nil
    }

    public func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        tableView.deselectRow(at: indexPath, animated: true)
        presenter.select(cell(at: indexPath))
    }

    public func tableView(
        _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration? {
        let cell = cell(at: indexPath)
        let actions = cell.offeredActions.filter { !$0.isDisabled }.map { offered in
            UIContextualAction(style: offered.isDestructive ? .destructive : .normal, title: offered.title) { [presenter] _, _, end in
                presenter.perform(offered.name, offered.input, of: cell)
                // The swipe itself removes no row. The row disappears when the server removes it.
                end(false)
            }
        }
        return actions.isEmpty ? nil : UISwipeActionsConfiguration(actions: actions)
    }

    public func tableView(
        _ tableView: UITableView, contextMenuConfigurationForRowAt indexPath: IndexPath, point: CGPoint
    ) -> UIContextMenuConfiguration? {
        presenter.menu(of: cell(at: indexPath))
    }

    public func scrollViewWillBeginDragging(_ scrollView: UIScrollView) { presenter.begin(.scrolling) }

    public func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool) {
        if !decelerate { presenter.end(.scrolling) }
    }

    public func scrollViewDidEndDecelerating(_ scrollView: UIScrollView) { presenter.end(.scrolling) }
}

extension CellPlace {
    fileprivate var indexPath: IndexPath { IndexPath(row: item, section: section) }
}
#endif
