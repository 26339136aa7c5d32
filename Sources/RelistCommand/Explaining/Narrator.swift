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
        let operations = stage.operations
        var lines = zip(operations.updateCells, stage.updatedCells).map { line(for: $1, at: $0.place, old) }
        lines += zip(operations.insertSections, stage.insertedSections).map { line(for: $1, at: $0.place) }
        lines += operations.deleteCells.map { line(forDeleted: $0, old) }
        lines += operations.insertCells.map { line(forInserted: $0.run, new) }
        lines += operations.moveCells.map { line(for: $0, old, new) }
        lines += operations.deleteSections.map { line(for: old[$0]) }
        lines += operations.moveSections.map { line(for: $0, old) }
        return lines + zip(operations.updateSections, stage.updatedViews).map { line(for: $1, of: old[$0]) }
    }
}

// Cells.
extension Narrator {
    private func line(for cell: SnapshotTree.Cell, at place: CellPlace, _ old: Sections) -> String {
        let section = old[place.section]
        let changes = ContentWords.changes(from: section.cells[place.item].content, to: cell.content)
        return "\(section.id.shown)/\(cell.id.shown): content changed (\(changes))"
    }

    private func line(forDeleted run: CellRun, _ old: Sections) -> String {
        let none = run.count == 1 ? "no such cell" : "none of them"
        return "\(names(run.place, run.count, old)): deleted, because the new snapshot has \(none)"
    }

    private func line(forInserted run: CellRun, _ new: Sections) -> String {
        let none = run.count == 1 ? "no such cell" : "none of them"
        return "\(names(run.place, run.count, new)): inserted at \(run.place.item), because the old snapshot has \(none)"
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
    private func line(for section: SnapshotTree.Section, at place: Int) -> String {
        let noun = section.cells.count == 1 ? "cell" : "cells"
        let cells = section.cells.isEmpty ? "" : "; with its new \(noun) \(ContentWords.list(section.cells.map(\.id)))"
        return "\(section.id.shown): inserted at \(place), because the old snapshot has no such section\(cells)"
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

    private func line(for views: SnapshotTree.Views, of section: SnapshotTree.Section) -> String {
        let changes = [
            ContentWords.change(of: "header", from: section.views.header, to: views.header),
            ContentWords.change(of: "footer", from: section.views.footer, to: views.footer),
            ContentWords.change(of: "supplementary views", from: section.views.supplementary, to: views.supplementary),
        ]
        return "\(section.id.shown): \(changes.compactMap(\.self).joined(separator: ", "))"
    }
}
