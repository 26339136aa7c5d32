public import ScreenDiff
import ScreenWire

/// A change of a screen for a diffable data source: the ids that are shown from now on, and the ids whose content changed.
///
///     dataSource.apply(NSDiffableDataSourceSnapshot(DiffablePlan(from: shown, to: update.model)))
///
/// A diffable data source compares only ids, so it must be informed of the cells whose content changed. If a cell is the same object before
/// and after the change, its content is not compared.
public struct DiffablePlan: Hashable, Sendable {
    /// The ids of the sections, in order.
    public private(set) var sections: [String] = []
    /// The ids of the cells in each section, in order. The lists have the order of ``sections``.
    public private(set) var items: [[String]] = []
    /// The ids of the cells whose content changed and whose shown type stayed the same. Such cells are updated in place.
    public private(set) var reconfigure: [String] = []
    /// The ids of the cells whose shown type changed. Such cells are replaced.
    public private(set) var reload: [String] = []
    /// The ids of the sections whose header, footer or supplementary views changed. A diffable data source cannot update these views in
    /// place. It recreates the cells of these sections, so they are not in ``reconfigure`` or ``reload``.
    public private(set) var sectionsToReload: [String] = []

    /// Creates the plan of a change from one content to another. Both contents belong to the same screen.
    ///
    /// A diffable data source compares ids as Swift strings. If two ids differ only in their Unicode normalisation, only the first is
    /// listed, because a diffable data source fails on a repeated id.
    ///
    /// - Parameter shown: The content that the data source shows, or `nil` if it shows nothing yet.
    public init(from shown: ListModel?, to model: ListModel) {
        let before = ShownContents(shown)
        var isNew = (section: Set<String>(), cell: Set<String>())
        for section in model.sections where isNew.section.insert(section.id).inserted {
            let cells = section.cells.filter { isNew.cell.insert($0.id).inserted }
            sections.append(section.id)
            items.append(cells.map(\.id))
            if let old = before.sections[section.id], !section.showsSameViews(as: old) {
                sectionsToReload.append(section.id)
                continue
            }
            for cell in cells {
                guard let old = before.cells[cell.id], !cell.showsSame(as: old) else { continue }
                let keepsView = ExactText(cell.reuseIdentifier) == ExactText(old.reuseIdentifier)
                if keepsView { reconfigure.append(cell.id) } else { reload.append(cell.id) }
            }
        }
    }
}

/// The sections and cells of a content, by their ids.
private struct ShownContents {
    private(set) var sections: [String: ListModel.Section] = [:]
    private(set) var cells: [String: ListModel.Cell] = [:]

    init(_ model: ListModel?) {
        for section in model?.sections ?? ListModel.Sections() {
            sections[section.id] = section
            for cell in section.cells { cells[cell.id] = cell }
        }
    }
}

extension DiffableSnapshot<String, String> {
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
