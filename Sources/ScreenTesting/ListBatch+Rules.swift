import ScreenDiff

extension ListBatch {
    /// Returns the first fault that a list view reports, or nil if there is none.
    ///
    /// - Parameters:
    ///   - before: the number of cells in each section before the batch.
    ///   - after: the number of cells in each section that the data source states after the batch.
    func fault(from before: [Int], to after: [Int], in kind: ListViewKind) -> ListViewFault? {
        let counts = CellCounts(before: before, after: after, kind: kind)
        return sections.fault(with: counts) ?? changedSectionFault(counts) ?? cells.fault(with: counts)
            ?? sectionCountFault(counts) ?? cellCountFault(counts)
    }

    /// Returns the first fault that UIKit does not report, because the broken rule is stricter than UIKit.
    func stricterFault(in kind: ListViewKind) -> ListViewFault? {
        sections.stricterFault ?? cells.stricterFault ?? impliedOperation(in: kind)
    }

    /// Returns a fault if the batch changes both a cell and the section of this cell.
    private func changedSectionFault(_ counts: CellCounts) -> ListViewFault? {
        if sections.isEmpty || cells.isEmpty { return nil }
        let deleted = Set(sections.deletes.map(\.section))
        let inserted = Set(sections.inserts.map(\.section))
        for move in cells.moves {
            if deleted.contains(move.source.section) {
                return ListViewFault(
                    .cellOfChangedSection, "cannot move \(counts.aCell) from a deleted section (\(move.source.section))")
            }
            if inserted.contains(move.target.section) {
                return ListViewFault(
                    .cellOfChangedSection, "cannot move \(counts.aCell) into a newly inserted section (\(move.target.section))")
            }
        }
        // UIKit has no specific message for the following cases.
        let reloaded = Set(sections.reloads.map(\.section))
        let (left, arrived) = (Set(sections.moves.map(\.source.section)), Set(sections.moves.map(\.target.section)))
        let changed = cells.reloads + cells.reconfigures + cells.moves.map(\.source)
        let place =
            changed.first { deleted.contains($0.section) || reloaded.contains($0.section) || left.contains($0.section) }
            ?? cells.deletes.first { left.contains($0.section) } ?? cells.inserts.first { arrived.contains($0.section) }
            ?? cells.moves.map(\.target).first { reloaded.contains($0.section) || arrived.contains($0.section) }
        return place.map {
            ListViewFault(.cellOfChangedSection, "attempt to change \(name(of: $0, counts.kind)) and its section in one batch")
        }
    }

    /// Returns a fault if the batch deletes or inserts a cell together with its section.
    private func impliedOperation(in kind: ListViewKind) -> ListViewFault? {
        let deleted = Set((sections.deletes + sections.reloads).map(\.section))
        let inserted = Set((sections.inserts + sections.reloads).map(\.section))
        let place = cells.deletes.first { deleted.contains($0.section) } ?? cells.inserts.first { inserted.contains($0.section) }
        return place.map { ListViewFault(.impliedOperation, "\(name(of: $0, kind)) is deleted or inserted together with its section") }
    }

    private func name(of place: CellPlace, _ kind: ListViewKind) -> String { "the \(kind.cell) at index path (\(place.label))" }

    private func sectionCountFault(_ counts: CellCounts) -> ListViewFault? {
        let (before, after) = (counts.before.count, counts.after.count)
        let (inserted, deleted) = (sections.inserts.count, sections.deletes.count)
        if after == before + inserted - deleted { return nil }
        let view = counts.kind.view
        return ListViewFault(
            .sectionCount,
            "Invalid update: invalid number of sections.  The number of sections contained in the \(view) after the update "
                + "(\(after)) must be equal to the number of sections contained in the \(view) before the update (\(before)), plus or "
                + "minus the number of sections inserted or deleted (\(inserted) inserted, \(deleted) deleted).")
    }

    private func cellCountFault(_ counts: CellCounts) -> ListViewFault? {
        let origins = sectionOrigins(from: counts.before.count, to: counts.after.count)
        for (section, origin) in origins.enumerated() {
            guard let origin else { continue }
            let reloaded = sections.reloads.contains { $0.section == origin }
            let (before, after) = (counts.before[origin], counts.after[section])
            let inserted = cells.inserts.count { $0.section == section }
            let deleted = cells.deletes.count { $0.section == origin }
            let movedIn = cells.moves.count { $0.target.section == section && $0.source.section != origin }
            let movedOut = cells.moves.count { $0.source.section == origin && $0.target.section != section }
            // A reloaded section is deleted and inserted, so it can have any number of cells.
            if reloaded || after == before + inserted - deleted + movedIn - movedOut { continue }
            let cells = "\(counts.kind.cell)s"
            return ListViewFault(
                .cellCount,
                "Invalid update: invalid number of \(cells) in section \(section).  The number of \(cells) contained in an "
                    + "existing section after the update (\(after)) must be equal to the number of \(cells) contained in that section "
                    + "before the update (\(before)), plus or minus the number of \(cells) inserted or deleted from that section "
                    + "(\(inserted) inserted, \(deleted) deleted) and plus or minus the number of \(cells) moved into or out of that "
                    + "section (\(movedIn) moved in, \(movedOut) moved out).")
        }
        return nil
    }
}
