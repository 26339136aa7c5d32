import ScreenWire

/// The reason for each operation of a changeset, in words.
///
/// It speaks of what was played, so it says what the document says, whoever wrote it.
struct Explanation: CustomStringConvertible {
    /// Lines, without a line feed after the last.
    let description: String

    init(of playback: Playback) {
        let narrator = Narrator(before: playback.source, after: playback.result)
        var lines = narrator.introduction(of: playback.changeset)
        let stages = playback.changeset.stages
        for (index, stage) in stages.enumerated() {
            lines.append("stage \(index + 1) of \(stages.count): \(stage.title)")
            lines += narrator.lines(for: stage, from: playback.states[index], to: playback.states[index + 1]).map { "  \($0)" }
        }
        description = lines.joined(separator: "\n")
    }
}

extension ChangesetTree.Stage {
    fileprivate var title: String {
        switch self {
        case .updateCells: return "update cells"
        case .insertSections: return "insert sections"
        case .updateSections: return "update headers, footers and supplementary views"
        case .changeCells(let changes):
            let verbs = [
                changes.deletes.isEmpty ? nil : "delete", changes.inserts.isEmpty ? nil : "insert",
                changes.moves.isEmpty ? nil : "move",
            ]
            return verbs.compactMap(\.self).joined(separator: ", ") + " cells"
        case .changeSections(let changes):
            let verbs = [changes.deletes.isEmpty ? nil : "delete", changes.moves.isEmpty ? nil : "move"]
            return verbs.compactMap(\.self).joined(separator: ", ") + " sections"
        }
    }
}
