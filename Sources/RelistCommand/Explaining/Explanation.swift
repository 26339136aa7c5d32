import ScreenDiff
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
            lines.append("stage \(index + 1) of \(stages.count): \(stage.operations.title)")
            lines += narrator.lines(for: stage, from: playback.states[index], to: playback.states[index + 1]).map { "  \($0)" }
        }
        description = lines.joined(separator: "\n")
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
