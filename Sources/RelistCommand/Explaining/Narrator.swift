import ScreenDiff
import ScreenWire

/// The words for what stages do, by ids, and why: from what the snapshots at both ends have.
struct Narrator {
    private let before: SnapshotTree
    private let sectionsBefore: Set<ExactText>
    private let sectionsAfter: Set<ExactText>

    typealias Sections = [SnapshotTree.Section]

    init(before: SnapshotTree, after: SnapshotTree) {
        self.before = before
        sectionsBefore = Set(before.sections.map { ExactText($0.id) })
        sectionsAfter = Set(after.sections.map { ExactText($0.id) })
    }

    func introduction(of changeset: ChangesetTree) -> [String] {
        let title = changeset.title.flatMap { ExactText($0) == before.title.map(ExactText.init) ? nil : $0 }
        var lines = ["\(before.screen.shown), from \(changeset.from.shown) to \(changeset.version.shown)"]
        if changeset.stages.isEmpty && title == nil { lines.append("nothing changed") }
        if let title { lines.append("title: \(before.title.map { "was \($0.quoted)," } ?? "was missing,") is \(title.quoted)") }
        return lines
    }

    /// One line for each operation of a stage.
    func lines(for stage: ChangesetTree.Stage, from old: Sections, to new: Sections) -> [String] {
        switch stage {
        case .updateCells(let updates): updates.map { line(for: $0, old) }
        case .insertSections(let inserts): inserts.map { line(for: $0) }
        case .changeCells(let changes):
            changes.deletes.map { line(for: $0, old) } + changes.inserts.map { line(for: $0, new) }
                + changes.moves.map { line(for: $0, old, new) }
        case .changeSections(let changes):
            changes.deletes.map { line(for: old[$0]) } + changes.moves.map { line(for: $0, old) }
        case .updateSections(let updates): updates.map { line(for: $0, old) }
        }
    }
}

// Cells.
extension Narrator {
    private func line(for update: ChangesetTree.CellUpdate, _ old: Sections) -> String {
        let section = old[update.place.section]
        let changes = ContentWords.changes(from: section.cells[update.place.item].content, to: update.cell.content)
        return "\(section.id.shown)/\(update.cell.id.shown): content changed (\(changes))"
    }

    private func line(for run: CellRun, _ old: Sections) -> String {
        let none = run.count == 1 ? "no such cell" : "none of them"
        return "\(names(run.place, run.count, old)): deleted, because the new snapshot has \(none)"
    }

    private func line(for insert: ChangesetTree.CellInsert, _ new: Sections) -> String {
        let none = insert.cells.count == 1 ? "no such cell" : "none of them"
        let names = names(insert.place, insert.cells.count, new)
        return "\(names): inserted at \(insert.place.item), because the old snapshot has \(none)"
    }

    private func line(for move: CellMove, _ old: Sections, _ new: Sections) -> String {
        let source = old[move.source.section]
        let destination = new[move.destination.section]
        let names = names(move.destination, move.count, new)
        if move.source.section == move.destination.section {
            let order = move.count == 1 ? "its order" : "their order"
            let places = "from \(move.source.item) to \(move.destination.item)"
            return "\(names): moved \(places), because \(order) among the others changed"
        }
        let goes = sectionsAfter.contains(ExactText(source.id)) ? "" : ", which goes"
        let comes = sectionsBefore.contains(ExactText(destination.id)) ? "" : ", into a section that is new"
        let why = goes.isEmpty && comes.isEmpty ? ", because \(move.count == 1 ? "it" : "they") changed section" : goes + comes
        return "\(names): moved here from \(source.id.shown)\(why)"
    }

    private func names(_ place: CellPlace, _ count: Int, _ sections: Sections) -> String {
        let section = sections[place.section]
        return "\(section.id.shown)/\(ContentWords.list(section.cells[place.item..<place.item + count].map(\.id)))"
    }
}

// Sections.
extension Narrator {
    private func line(for insert: ChangesetTree.SectionInsert) -> String {
        let section = insert.section
        let noun = section.cells.count == 1 ? "cell" : "cells"
        let cells = section.cells.isEmpty ? "" : "; with its new \(noun) \(ContentWords.list(section.cells.map(\.id)))"
        return "\(section.id.shown): inserted at \(insert.place), because the old snapshot has no such section\(cells)"
    }

    private func line(for deleted: SnapshotTree.Section) -> String {
        let cells = deleted.cells.map(\.id)
        let verb = cells.count == 1 ? "goes" : "go"
        let rest = cells.isEmpty ? "" : "; with it \(verb) \(ContentWords.list(cells)), which the new snapshot has not either"
        return "\(deleted.id.shown): deleted, because the new snapshot has no such section\(rest)"
    }

    private func line(for move: SectionMove, _ old: Sections) -> String {
        let places = "from \(move.source) to \(move.destination)"
        return "\(old[move.source].id.shown): moved \(places), because its order among the others changed"
    }

    private func line(for update: ChangesetTree.ViewsUpdate, _ old: Sections) -> String {
        let section = old[update.place]
        let changes = [
            ContentWords.change(of: "header", from: section.views.header, to: update.views.header),
            ContentWords.change(of: "footer", from: section.views.footer, to: update.views.footer),
            ContentWords.change(of: "supplementary views", from: section.views.supplementary, to: update.views.supplementary),
        ]
        return "\(section.id.shown): \(changes.compactMap(\.self).joined(separator: ", "))"
    }
}
