#if canImport(AppKit) && !targetEnvironment(macCatalyst)
public import AppKit
import ScreenDiff
import ScreenWire

// This class only passes calls on. The logic is in `ScreenListView`, `ListPresenter`, `ListChoices`, `CellViews`, `FlatRows` and the types
// that they use. The tests cover these types.

/// The data source and delegate of a table view that shows a screen.
///
///     table = ScreenTable(tableView, showing: screen, in: views) { link in router.open(link) }
///
/// The table has no sections: headers and footers are rows, and a header is a group row. The table performs the stages that the server
/// found. ``chooseSelectedRow()`` performs the action of a row or opens its link, and its other actions are offered when the row is swiped.
/// Keep the object as long as the table is shown; the table holds its data source weakly.
///
/// An app that needs other functions of a delegate declares a subclass, which must not be generic, with these functions exactly as the
/// protocol declares them.
/// Changes are performed even while the user scrolls.
open class ScreenTable: ScreenListView, NSTableViewDataSource, NSTableViewDelegate {
    private let tableView: NSTableView
    private var rows = FlatRows()

    /// Binds a table view to a screen. To keep the screen current, the app calls ``LiveScreen/follow()``.
    ///
    /// - Parameters:
    ///   - report: A function that is called if an action fails.
    ///   - open: A function that opens a linked screen. It is not called for a link to the same screen. Such a link changes the parameters
    ///     of the screen.
    public init(
        _ tableView: NSTableView, showing screen: LiveScreen, in views: CellViews, report: @escaping (any Error) -> Void = { _ in },
        open: @escaping (ScreenLink) -> Void
    ) {
        self.tableView = tableView
        super.init(showing: screen, in: views, report: report, open: open)
        choices.endEditing = { [weak tableView] in
            guard let tableView, let window = tableView.window, let edited = window.firstResponder as? NSView else { return }
            if edited !== tableView, edited.isDescendant(of: tableView) { window.makeFirstResponder(tableView) }
        }
        tableView.dataSource = self
        tableView.delegate = self
        tableView.reloadData()
    }

    // MARK: - Changes

    override func perform(_ update: ListUpdate, _ setData: (ListModel.Sections) -> Void) {
        let shown = tableView.visibleRect
        let visible = shown.minY > 0 ? Range(tableView.rows(in: shown)).map { Array($0) } ?? [] : []
        let anchor = ScrollAnchor(visible: visible.compactMap(rows.place), of: rows.sections, in: update)
        let oldTop = anchor.map { tableView.rect(ofRow: rows.row(of: $0.before)).minY }
        let sections = rows.sections
        tableView.reload(
            using: update.flattened(from: rows), with: .effectFade, interrupt: { update.isSnapshot || $0.changeCount > self.changeLimit },
            setData: {
                rows = $0
                setData($0.sections)
            })
        if let anchor, let oldTop {
            let newTop = tableView.rect(ofRow: rows.row(of: anchor.after)).minY
            let limits = (least: 0.0, greatest: Double(tableView.bounds.height - shown.height))
            let offset = ScrollAnchor.offset(before: shown.minY, oldTop: oldTop, newTop: newTop, limits: limits)
            tableView.scroll(NSPoint(x: shown.minX, y: offset))
        }
        guard NSWorkspace.shared.isVoiceOverEnabled, !sections.isEmpty, let window = tableView.window else { return }
        let text = ChangeAnnouncement(from: sections, to: update).text(in: Locale.current.identifier(.bcp47))
        if !text.isEmpty { NSAccessibility.post(element: window, notification: .announcementRequested, userInfo: [.announcement: text]) }
    }

    /// Returns the cell that the table shows in a row, or nil if the row shows a header or a footer. The content of the screen can be newer
    /// while changes are held.
    public func cell(atRow row: Int) -> ListModel.Cell? {
        if case .cell(let cell) = rows[row] { cell } else { nil }
    }

    // MARK: - Data source

    open func numberOfRows(in tableView: NSTableView) -> Int { rows.count }

    // MARK: - Delegate

    open func tableView(_ tableView: NSTableView, viewFor column: NSTableColumn?, row: Int) -> NSView? {
        switch rows[row] {
        case .cell(let cell):
            let view = view(for: cell.reuseIdentifier, in: .cell) ?? NSTextField(labelWithString: "")
            if !views.configure(view, with: cell) { (view as? NSTextField)?.stringValue = cell.value.isHidden ? "" : cell.type }
            return view
        case .view(let content, let role):
            let view = view(for: content.reuseIdentifier, in: role)
            if let view { views.configure(view, with: content, as: role) }
            return view
        }
    }

    /// Returns a view that the table can reuse, or else a new view. The value is `nil` if the app has no view for the identifier.
    private func view(for identifier: String, in role: ViewRole) -> NSView? {
        guard let known = views.view(for: identifier, in: role, as: NSView.self) else { return nil }
        let name = NSUserInterfaceItemIdentifier("\(role) \(identifier)")
        if let nib = known.nib, registered.insert(CellViews.Key(role, identifier)).inserted {
            tableView.register(NSNib(nibNamed: nib.name, bundle: nib.bundle), forIdentifier: name)
        }
        if let view = tableView.makeView(withIdentifier: name, owner: nil) { return view }
        let view = known.type.init()
        view.identifier = name
        return view
    }

    open func tableView(_ tableView: NSTableView, heightOfRow row: Int) -> CGFloat {
        let content: any ShownTraits
        switch rows[row] {
        case .cell(let cell): content = cell
        case .view(let view, _): content = view
        }
        // The height of a row must be greater than 0.
        return content.shownSize(in: tableView.bounds.width).map { max(CGFloat($0.height), 1) } ?? tableView.rowHeight
    }

    open func tableView(_ tableView: NSTableView, isGroupRow row: Int) -> Bool {
        if case .view(_, .header) = rows[row] { true } else { false }
    }

    open func tableView(_ tableView: NSTableView, shouldSelectRow row: Int) -> Bool {
        cell(atRow: row)?.selection != nil
    }

    /// Performs the action of the selected row, or opens its link. The row is then deselected.
    ///
    /// Call this function for the `action` of the table, which a click sends, and for the Return key. The selection itself performs
    /// nothing, because the arrow keys and VoiceOver move it.
    open func chooseSelectedRow() {
        let row = tableView.selectedRow
        guard row >= 0, let cell = cell(atRow: row) else { return }
        tableView.deselectRow(row)
        choices.select(cell, id: cell.id)
    }

    open func tableView(
        _ tableView: NSTableView, rowActionsForRow row: Int, edge: NSTableView.RowActionEdge
    ) -> [NSTableViewRowAction] {
        guard edge == .trailing, let cell = cell(atRow: row) else { return [] }
        return cell.offeredActions.filter { !$0.isDisabled }.map { offered in
            NSTableViewRowAction(style: offered.isDestructive ? .destructive : .regular, title: offered.title) { [choices] _, _ in
                choices.perform(offered.name, offered.input, id: cell.id)
            }
        }
    }
}
#endif
