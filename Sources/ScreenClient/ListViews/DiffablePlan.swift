public import ScreenDiff
import ScreenWire

/// A change of a screen for a diffable data source: the ids of all sections and cells after the change, and the ids of those whose content
/// changed.
///
///     let plan = DiffablePlan(from: shown, to: update)
///     dataSource.apply(NSDiffableDataSourceSnapshot(plan, shown: dataSource.snapshot()))
///
/// A diffable data source compares only ids, so it must be informed of the cells whose content changed. If a change only updates cells and
/// sections, only these cells and sections are compared. After any other change, all cells are compared. This is fast, because unchanged
/// cells keep their objects, so their contents are not read.
public struct DiffablePlan: Sendable {
    /// The content after the change.
    private let model: ListModel
    /// The ids of the cells whose content changed and whose shown type stayed the same. Such cells are updated in place.
    public private(set) var reconfigure: [String] = []
    /// The ids of the cells whose shown type changed. Such cells are replaced.
    public private(set) var reload: [String] = []
    /// The ids of the sections whose header, footer or supplementary views changed. A diffable data source cannot update these views in
    /// place. It recreates the cells of these sections, so they are not in ``reconfigure`` or ``reload``.
    public private(set) var sectionsToReload: [String] = []
    /// True if the change inserts, deletes and moves nothing, as its stages show.
    private(set) var keepsOrder = false

    /// Returns the ids of the sections and their cells, in order. The function reads all ids, so call it once.
    ///
    /// A diffable data source compares ids as Swift strings. If two ids differ only in their Unicode normalisation, only the first is
    /// listed, because a diffable data source fails on a repeated id.
    public func listing() -> [(section: String, items: [String])] {
        var isNew = (section: Set<String>(), cell: Set<String>())
        return model.sections.filter { isNew.section.insert($0.id).inserted }.map { section in
            (section.id, section.cells.lazy.map(\.id).filter { isNew.cell.insert($0).inserted })
        }
    }

    private init(showing model: ListModel) {
        self.model = model
    }

    /// Returns a Boolean value that indicates whether the new snapshot can be a copy of the shown snapshot.
    ///
    /// The shown snapshot can have other ids than the content of the screen if the app has changed it. Not all ids are compared.
    ///
    /// - Parameter count: The number of items in the shown snapshot.
    func copies(_ count: Int, hasItem: (String) -> Bool, hasSection: (String) -> Bool) -> Bool {
        keepsOrder && count == model.sections.reduce(0) { $0 + $1.cells.count } && sectionsToReload.allSatisfy(hasSection)
            && (reload + reconfigure).allSatisfy(hasItem)
    }

    /// Creates the plan of a change.
    ///
    /// - Parameter shown: The content before the change, which the data source shows. The value is `nil` if it shows nothing yet.
    public init(from shown: ListModel?, to update: ListUpdate) {
        guard let shown, let updated = update.updatedPlaces else {
            self.init(from: shown, to: update.model)
            return
        }
        self.init(showing: update.model)
        keepsOrder = true
        var isNew: Set<String> = []
        let reloaded = updated.sections.filter { !model.sections[$0].showsSameViews(as: shown.sections[$0]) }
        sectionsToReload = reloaded.sorted().map { model.sections[$0].id }.filter { isNew.insert($0).inserted }
        isNew = []
        for place in updated.cells where !reloaded.contains(place.section) && isNew.insert(model[place].id).inserted {
            compare(model[place], with: shown[place])
        }
    }

    /// Creates the plan of a change from one content to another. Both contents belong to the same screen.
    ///
    /// - Parameter shown: The content that the data source shows, or `nil` if it shows nothing yet.
    public init(from shown: ListModel?, to model: ListModel) {
        self.init(showing: model)
        let before = ShownContents(shown)
        var isNew = (section: Set<String>(), cell: Set<String>())
        for section in model.sections where isNew.section.insert(section.id).inserted {
            let isReloaded = before.sections[section.id].map { !section.showsSameViews(as: $0) } ?? false
            if isReloaded { sectionsToReload.append(section.id) }
            for cell in section.cells where isNew.cell.insert(cell.id).inserted && !isReloaded {
                if let old = before.cells[cell.id] { compare(cell, with: old) }
            }
        }
    }

    private mutating func compare(_ cell: ListModel.Cell, with old: ListModel.Cell) {
        if cell.showsSame(as: old) { return }
        let keepsView = ExactText(cell.reuseIdentifier) == ExactText(old.reuseIdentifier)
        if keepsView { reconfigure.append(cell.id) } else { reload.append(cell.id) }
    }
}

extension ListUpdate {
    /// The places that the stages update, or nil if the whole content is new or a stage inserts, deletes or moves anything.
    fileprivate var updatedPlaces: (sections: Set<Int>, cells: [CellPlace])? {
        guard case .stages(let steps) = kind else { return nil }
        var (sections, cells) = (Set<Int>(), Set<CellPlace>())
        for stage in steps.map(\.stage) {
            sections.formUnion(stage.updateSections)
            cells.formUnion(stage.updateCells.lazy.map(\.place))
            var others = stage
            (others.updateSections, others.updateCells) = ([], [])
            guard others.isEmpty else { return nil }
        }
        return (sections, cells.sorted { ($0.section, $0.item) < ($1.section, $1.item) })
    }
}

/// The sections and cells of a model, by id.
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
    ///
    /// - Parameter shown: The snapshot that the data source shows, without marks. It is copied if the change only updates cells and sections,
    ///   so that not all ids are listed.
    public init(_ plan: DiffablePlan, shown: Self) {
        self = shown
        if !plan.copies(
            numberOfItems, hasItem: { shown.sectionIdentifier(containingItem: $0) != nil }, hasSection: { shown.indexOfSection($0) != nil })
        {
            self = Self()
            for (section, items) in plan.listing() {
                appendSections([section])
                appendItems(items, toSection: section)
            }
        }
        reloadSections(plan.sectionsToReload)
        reloadItems(plan.reload)
        reconfigureItems(plan.reconfigure)
    }
}
