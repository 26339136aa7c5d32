import ScreenDiff
import ScreenWire

/// A description of a changeset's operations and their reasons, in words.
///
/// The changeset was parsed from a document, which any program may have written.
struct Explanation: CustomStringConvertible {
    private typealias Sections = [SnapshotTree.Section]

    private let playback: Playback
    private let sectionsBefore: Set<ExactText>
    private let sectionsAfter: Set<ExactText>

    init(of playback: Playback) {
        self.playback = playback
        sectionsBefore = Set(playback.source.sections.map { ExactText($0.id) })
        sectionsAfter = Set(playback.result.sections.map { ExactText($0.id) })
    }

    /// The lines of the explanation, without a line feed after the last line.
    var description: String {
        var lines = introduction
        let stages = playback.changeset.stages
        for (index, stage) in stages.enumerated() {
            lines.append("stage \(index + 1) of \(stages.count): \(stage.operations.title)")
            lines += self.lines(for: stage, from: playback.states[index], to: playback.states[index + 1]).map { "  \($0)" }
        }
        return lines.joined(separator: "\n")
    }

    /// The lines about the versions and about a change of the title.
    private var introduction: [String] {
        let (before, changeset) = (playback.source, playback.changeset)
        let title = changeset.title.flatMap { ExactText($0) == before.title.map(ExactText.init) ? nil : $0 }
        var lines = ["\(before.screen.shown), from \(changeset.from.shown) to \(changeset.version.shown)"]
        if changeset.stages.isEmpty && title == nil { lines.append("nothing changed") }
        if let title { lines.append("title: \(before.title.map { "was \($0.quoted)," } ?? "was missing,") is \(title.quoted)") }
        return lines
    }

    /// Returns one line for each operation of a stage.
    private func lines(for stage: ChangesetTree.Stage, from old: Sections, to new: Sections) -> [String] {
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

// MARK: - Cells

extension Explanation {
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
        let comes = sectionsBefore.contains(ExactText(destination.id)) ? "" : ", into a new section"
        let why = goes.isEmpty && comes.isEmpty ? ", because \(move.count == 1 ? "it" : "they") changed section" : goes + comes
        return "\(names): moved here from \(source.id.shown)\(why)"
    }

    private func names(_ place: CellPlace, _ count: Int, _ sections: Sections) -> String {
        let section = sections[place.section]
        return "\(section.id.shown)/\(ContentWords.list(section.cells[place.item..<place.item + count].map(\.id)))"
    }
}

// MARK: - Sections

extension Explanation {
    private func line(for section: SnapshotTree.Section, at place: Int) -> String {
        "\(section.id.shown): inserted at \(place), because the old snapshot has no such section\(cells("new", section))"
    }

    private func cells(_ adjective: String, _ section: SnapshotTree.Section) -> String {
        if section.cells.isEmpty { return "" }
        return "; with its \(adjective) \(section.cells.count == 1 ? "cell" : "cells") \(ContentWords.list(section.cells.map(\.id)))"
    }

    private func line(for deleted: SnapshotTree.Section) -> String {
        "\(deleted.id.shown): deleted, because the new snapshot has no such section\(cells("remaining", deleted))"
    }

    private func line(for move: SectionMove, _ old: Sections) -> String {
        let places = "from \(move.source) to \(move.destination)"
        return "\(old[move.source].id.shown): moved \(places), because its order among the others changed"
    }

    private func line(for views: SnapshotTree.Views, of section: SnapshotTree.Section) -> String {
        let changes = [
            ContentWords.change(of: "header", from: section.views.header?.content, to: views.header?.content),
            ContentWords.change(of: "footer", from: section.views.footer?.content, to: views.footer?.content),
            ContentWords.change(
                of: "supplementary views", from: section.views.supplementary.map(\.content), to: views.supplementary.map(\.content)),
        ]
        return "\(section.id.shown): \(changes.compactMap(\.self).joined(separator: ", "))"
    }
}

extension Stage {
    fileprivate var title: String {
        if !updateCells.isEmpty { return "update cells" }
        if !insertSections.isEmpty { return "insert sections" }
        if !updateSections.isEmpty { return "update headers, footers and supplementary views" }
        let deletes = deleteCells.isEmpty && deleteSections.isEmpty ? nil : "delete"
        let inserts = insertCells.isEmpty ? nil : "insert"
        let moves = moveCells.isEmpty && moveSections.isEmpty ? nil : "move"
        let noun = deleteSections.isEmpty && moveSections.isEmpty ? "cells" : "sections"
        return [deletes, inserts, moves].compactMap(\.self).joined(separator: ", ") + " " + noun
    }
}
