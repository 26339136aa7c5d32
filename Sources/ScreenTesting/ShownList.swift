import ScreenDiff

/// The cells and views that a strict list view shows.
struct ShownList<Content> {
    typealias Cell = StrictListView<Content>.Cell
    typealias Section = StrictListView<Content>.Section

    let kind: ListViewKind
    let reuseIdentifier: (Content) -> String
    /// The cells of each section.
    private(set) var cells: [[Cell]] = []
    /// The reuse identifiers of the header, the footer and the supplementary views of each section.
    private var views: [[String: String]] = []

    init(_ kind: ListViewKind, reuseIdentifier: @escaping (Content) -> String) {
        self.kind = kind
        self.reuseIdentifier = reuseIdentifier
    }

    /// Shows all sections with new views.
    mutating func reload(_ sections: [Section]) {
        cells = sections.map { $0.cells.map(makeCell) }
        views = sections.map(\.views)
    }

    /// Performs a batch if its places and the numbers of cells break no rule. Otherwise shows all sections with new views.
    ///
    /// - Parameters:
    ///   - before: the number of cells in each section that the data source stated when the batch began.
    ///   - sections: the sections of the data source at the end of the batch.
    /// - Returns: the rules that the batch breaks.
    mutating func perform(_ batch: ListBatch, from before: [Int], to sections: [Section]) -> [ListViewFault] {
        let shown = cells.map(\.count)
        let after = sections.map(\.cells.count)
        var fault = batch.fault(from: before, to: after, in: kind)
        if before != shown {
            // The data changed before the batch, so `before` contains the new numbers of cells. UIKit would apply the operations to these
            // numbers, which usually breaks a rule. If it breaks no rule, the message states how the numbers changed before the batch.
            fault = fault ?? ListBatch().fault(from: shown, to: before, in: kind)
            fault = ListViewFault(.dataSourceChange, fault?.message ?? "")
        }
        if let fault {
            reload(sections)
            return [fault]
        }
        let stricter = batch.stricterFault(in: kind)
        if let stricter, stricter.rule == .insertedOnce {
            // The places of the other cells follow from different inserts, so the batch cannot be applied.
            reload(sections)
            return [stricter]
        }
        return (stricter.map { [$0] } ?? []) + apply(batch, sections)
    }

    /// Performs a batch whose places and numbers of cells break no rule. Returns a fault for each cell that is reconfigured although its
    /// type changes. Also returns a fault for each section in which a view appears, disappears or changes its type without a reload.
    private mutating func apply(_ batch: ListBatch, _ sections: [Section]) -> [ListViewFault] {
        let sectionOrigins = batch.sectionOrigins(from: cells.count, to: sections.count)
        let origins = batch.origins(from: cells.map(\.count), to: sections.map(\.cells.count))
        let (oldCells, oldViews) = (cells, views)
        let newSections = Set(batch.sections.reloads.map(\.section))
        let updated = Set(batch.sections.reconfigures.map(\.section))
        let (reloaded, reconfigured) = (Set(batch.cells.reloads), Set(batch.cells.reconfigures))
        var faults: [ListViewFault] = []
        cells = zip(sections, origins).map { section, origins in
            zip(section.cells, origins).map { content, origin in
                guard let origin, !reloaded.contains(origin), !newSections.contains(origin.section) else { return makeCell(content) }
                let cell = oldCells[origin.section][origin.item]
                if reconfigured.contains(origin) { faults += reconfigure(cell, with: content) }
                return cell
            }
        }
        for (section, origin) in zip(sections, sectionOrigins) {
            guard let origin, !newSections.contains(origin) else { continue }
            let (old, new) = (oldViews[origin], section.views)
            // If the section is not updated, only its header and its footer are compared, because supplementary views can appear and
            // disappear together with their cells.
            let names = updated.contains(origin) ? Set(old.keys).union(new.keys) : ["header", "footer"]
            guard let name = names.sorted().first(where: { old[$0] != new[$0] }) else { continue }
            let types = "has the type \(new[name] ?? "none"), but the list view shows \(old[name] ?? "none")"
            faults.append(ListViewFault(.updatedViews, "the \(name) of section \(origin) \(types)"))
        }
        views = sections.map(\.views)
        return faults
    }

    private func reconfigure(_ cell: Cell, with content: Content) -> [ListViewFault] {
        let new = reuseIdentifier(content)
        cell.content = content
        if new == cell.reuseIdentifier { return [] }
        let message =
            "Attempted to dequeue a cell for a different registration or reuse identifier than the existing cell when reconfiguring "
            + "an item, which is not allowed. You can only dequeue a cell with the same registration or reuse identifier that was used for "
            + "the existing cell. Dequeued reuse identifier: \(new); Original reuse identifier: \(cell.reuseIdentifier)"
        return [ListViewFault(.reconfiguredType, message)]
    }

    private func makeCell(_ content: Content) -> Cell {
        Cell(content, reuseIdentifier: reuseIdentifier(content))
    }
}
