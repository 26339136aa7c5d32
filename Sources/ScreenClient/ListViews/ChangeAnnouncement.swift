import Foundation
import ScreenDiff
import ScreenWire

/// The text that VoiceOver says after a change: "3 deliveries added, 1 delivery removed". If the whole content is new, the text is "List
/// updated".
public struct ChangeAnnouncement: Sendable {
    /// The verbs, in the order in which they occur in the text.
    private enum Verb: CaseIterable { case inserted, deleted, moved, updated }

    /// For each verb, the number of changed cells of each type. The types are in the order of their first cells in the list.
    private var counts: [Verb: [(type: String, count: Int)]] = [:]
    private var movedSections = 0
    private var isNewContent = false

    /// Counts the cells that a change inserts, deletes, moves or updates. Only the operations of the stages are read.
    ///
    /// - Parameter sections: The sections before the change.
    public init(from sections: ListModel.Sections, to update: ListUpdate) {
        guard case .stages(let steps) = update.kind else {
            isNewContent = true
            return
        }
        var before = sections
        for step in steps {
            count(step.stage, from: before, to: step.model.sections)
            before = step.model.sections
        }
    }

    private mutating func count(_ stage: Stage, from before: ListModel.Sections, to after: ListModel.Sections) {
        for update in stage.updateCells { count(.updated, after[update.place.section].cells[update.place.item].type) }
        for insert in stage.insertSections { for cell in after[insert.place].cells { count(.inserted, cell.type) } }
        for run in stage.deleteCells { count(.deleted, run, in: before) }
        for insert in stage.insertCells { count(.inserted, insert.run, in: after) }
        for move in stage.moveCells { count(.moved, CellRun(place: move.destination, count: move.count), in: after) }
        for section in stage.deleteSections { for cell in before[section].cells { count(.deleted, cell.type) } }
        movedSections += stage.moveSections.count
    }

    private mutating func count(_ verb: Verb, _ run: CellRun, in sections: ListModel.Sections) {
        let cells = sections[run.place.section].cells
        for item in run.place.item..<run.place.item + run.count { count(verb, cells[item].type) }
    }

    private mutating func count(_ verb: Verb, _ type: String) {
        if let index = counts[verb]?.firstIndex(where: { ExactText($0.type) == ExactText(type) }) {
            counts[verb]?[index].count += 1
        } else {
            counts[verb, default: []].append((type, 1))
        }
    }

    /// Returns the text in French if the language is French, and otherwise in English. The text is empty if no cell changed and no section
    /// moved.
    ///
    /// - Parameter language: A language tag, such as `fr-CH`.
    public func text(in language: String = "en") -> String {
        let isFrench = language.split(separator: "-").first == "fr"
        if isNewContent { return isFrench ? "Liste mise à jour" : "List updated" }
        let parts = Verb.allCases.flatMap { verb in
            let counts = counts[verb] ?? []
            guard isFrench else { return counts.map { "\(Self.many($0.count, Self.words(of: $0.type))) \(Self.english(verb))" } }
            // The names of types are English words, so a French text uses the word “ligne” (row) for cells of all types.
            let total = counts.reduce(0) { $0 + $1.count }
            let rows = "\(Self.number(total, "fr")) \(total > 1 ? "lignes" : "ligne")"
            return total == 0 ? [] : ["\(rows) \(Self.french(verb))\(total > 1 ? "s" : "")"]
        }
        guard parts.isEmpty, movedSections > 0 else { return parts.joined(separator: ", ") }
        guard isFrench else { return "\(Self.many(movedSections, "section")) moved" }
        return movedSections > 1 ? "\(Self.number(movedSections, "fr")) sections déplacées" : "1 section déplacée"
    }

    private static func english(_ verb: Verb) -> String {
        switch verb {
        case .inserted: "added"
        case .deleted: "removed"
        case .moved: "moved"
        case .updated: "changed"
        }
    }

    private static func french(_ verb: Verb) -> String {
        switch verb {
        case .inserted: "ajoutée"
        case .deleted: "supprimée"
        case .moved: "déplacée"
        case .updated: "modifiée"
        }
    }

    /// Returns a number with a noun, as in `1 delivery` or `2 deliveries`.
    private static func many(_ count: Int, _ word: String) -> String {
        count == 1 ? "1 \(word)" : "\(number(count, "en")) \(plural(of: word))"
    }

    private static func number(_ count: Int, _ language: String) -> String {
        count.formatted(.number.locale(Locale(identifier: language)))
    }

    private static func plural(of word: String) -> String {
        if word.hasSuffix("y"), let letter = word.dropLast().last, !"aeiou".contains(letter) { return word.dropLast() + "ies" }
        return ["s", "x", "z", "ch", "sh"].contains(where: word.hasSuffix) ? word + "es" : word + "s"
    }

    /// Converts a type such as `artistHeader` to words.
    private static func words(of type: String) -> String {
        var words = ""
        for character in type {
            let startsWord = character.isUppercase && words.last.map { $0.isLowercase || $0.isNumber } == true
            if startsWord { words += " " }
            words += character == "-" || character == "_" ? " " : String(character)
        }
        return words.lowercased()
    }
}
