#if canImport(UIKit) && !os(watchOS)
import ScreenDiff
import ScreenWire
public import UIKit

// This class only passes calls on. The logic is in `ScreenListView`, `ListPresenter`, `ListChoices`, `CellViews` and the types that they
// use. The tests cover these types.

/// The data source and delegate of a table view that shows a screen.
///
///     table = ScreenTable(tableView, showing: screen, in: views) { link in router.open(link) }
///
/// The table performs the stages that the server found. Selecting a row performs its action or opens its link, and its other actions are
/// offered in a menu and when the row is swiped. Keep the object as long as the table is shown; the table holds its data source weakly.
///
/// An app that needs other functions of a delegate declares a subclass, which must not be generic, with these functions exactly as the
/// protocol declares them.
open class ScreenTable: ScreenListView, UITableViewDataSource, UITableViewDelegate {
    private let tableView: UITableView

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
        super.init(showing: screen, in: views, report: report, open: open)
        presenter.isScrolling = { [weak tableView] in tableView?.isScrolling == true }
        choices.endEditing = { [weak tableView] in tableView?.endEditing(false) }
        tableView.dataSource = self
        tableView.delegate = self
        tableView.reloadData()
    }

    // MARK: - Changes

    override func perform(_ update: ListUpdate, _ setData: (ListModel.Sections) -> Void) {
        tableView.show(
            update, shown: presenter.sections, visible: tableView.indexPathsForVisibleRows ?? [],
            top: { tableView.rectForRow(at: $0).minY }
        ) {
            tableView.reload(
                using: update, interrupt: { [changeLimit] in $0.changeCount > changeLimit },
                updateSections: { [weak self] in self?.updateViews(of: $0) }, setData: setData)
        }
    }

    /// Updates the visible headers and footers of these sections. The others receive the new content when they become visible.
    private func updateViews(of sections: IndexSet) {
        for index in sections {
            let section = presenter.sections[index]
            if let view = tableView.headerView(forSection: index), let header = section.header {
                views.configure(view, with: header, as: .header)
            }
            if let view = tableView.footerView(forSection: index), let footer = section.footer {
                views.configure(view, with: footer, as: .footer)
            }
        }
    }

    /// Returns the cell that the view shows at an index path. The content of the screen can be newer while changes are held.
    public func cell(at indexPath: IndexPath) -> ListModel.Cell { presenter.sections[indexPath.section].cells[indexPath.row] }

    // MARK: - Data source

    open func numberOfSections(in tableView: UITableView) -> Int { presenter.sections.count }

    open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { presenter.sections[section].cells.count }

    open func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = cell(at: indexPath)
        let identifier = cell.reuseIdentifier
        let known = views.view(for: identifier, in: .cell, as: UITableViewCell.self)
        if registered.insert(CellViews.Key(.cell, identifier)).inserted {
            if let nib = known?.nib {
                tableView.register(UINib(nibName: nib.name, bundle: nib.bundle), forCellReuseIdentifier: identifier)
            } else {
                tableView.register(known?.type ?? UITableViewCell.self, forCellReuseIdentifier: identifier)
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

    open func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat {
        cell(at: indexPath).shownSize(in: tableView.bounds.width).map { CGFloat($0.height) } ?? UITableView.automaticDimension
    }

    open func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView? {
        view(presenter.sections[section].header, as: .header)
    }

    open func tableView(_ tableView: UITableView, viewForFooterInSection section: Int) -> UIView? {
        view(presenter.sections[section].footer, as: .footer)
    }

    open func tableView(_ tableView: UITableView, heightForHeaderInSection section: Int) -> CGFloat {
        height(of: presenter.sections[section].header, as: .header)
    }

    open func tableView(_ tableView: UITableView, heightForFooterInSection section: Int) -> CGFloat {
        height(of: presenter.sections[section].footer, as: .footer)
    }

    private func view(_ content: ListModel.View?, as role: ViewRole) -> UIView? {
        guard let content, let view = views.view(for: content.reuseIdentifier, in: role, as: UITableViewHeaderFooterView.self) else {
            return nil
        }
        // The identifier states the role, because one type of content can have different views as a header and as a footer.
        let identifier = "\(role) \(content.reuseIdentifier)"
        if registered.insert(CellViews.Key(role, content.reuseIdentifier)).inserted {
            if let nib = view.nib {
                tableView.register(UINib(nibName: nib.name, bundle: nib.bundle), forHeaderFooterViewReuseIdentifier: identifier)
            } else {
                tableView.register(view.type, forHeaderFooterViewReuseIdentifier: identifier)
            }
        }
        guard let view = tableView.dequeueReusableHeaderFooterView(withIdentifier: identifier) else { return nil }
        views.configure(view, with: content, as: role)
        return view
    }

    private func height(of content: ListModel.View?, as role: ViewRole) -> CGFloat {
        guard let content, views.view(for: content.reuseIdentifier, in: role, as: UITableViewHeaderFooterView.self) != nil else { return 0 }
        return content.shownSize(in: tableView.bounds.width).map { CGFloat($0.height) } ?? UITableView.automaticDimension
    }

    open func tableView(_ tableView: UITableView, shouldHighlightRowAt indexPath: IndexPath) -> Bool {
        cell(at: indexPath).selection != nil
    }

    open func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        let cell = cell(at: indexPath)
        tableView.deselectRow(at: indexPath, animated: true)
        choices.select(cell, id: cell.id)
    }

    open func tableView(
        _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration? {
        let cell = cell(at: indexPath)
        let actions = cell.offeredActions.filter { !$0.isDisabled }.map { offered in
            UIContextualAction(style: offered.isDestructive ? .destructive : .normal, title: offered.title) { [choices] _, _, end in
                choices.perform(offered.name, offered.input, id: cell.id)
                // The row is not removed here, but by a later change from the server.
                end(false)
            }
        }
        return actions.isEmpty ? nil : UISwipeActionsConfiguration(actions: actions)
    }

    open func tableView(
        _ tableView: UITableView, contextMenuConfigurationForRowAt indexPath: IndexPath, point: CGPoint
    ) -> UIContextMenuConfiguration? {
        choices.menu(of: cell(at: indexPath))
    }
}
#endif
