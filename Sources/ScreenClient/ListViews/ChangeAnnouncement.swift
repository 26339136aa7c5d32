import Foundation
import ScreenWire

/// The text that VoiceOver says after a change: "3 deliveries added, 1 delivery removed".
public struct ChangeAnnouncement: Sendable {
    /// The verbs, in the order in which they occur in the text.
    private enum Verb: CaseIterable { case inserted, deleted, moved, updated }

    /// For each verb, the number of changed cells of each type. The types are in the order of their first cells in the list.
    private var counts: [Verb: [(type: String, count: Int)]] = [:]
    private var movedSections = 0

    /// Counts the cells that a change inserts, deletes, moves or updates. It reads all cells, so create it only while VoiceOver runs.
    ///
    /// - Parameter sections: The sections before the change.
    public init(from sections: ListModel.Sections, to update: ListUpdate) {
        let moved = update.moved
        var old: [ExactText: ListModel.Cell] = [:]
        for section in sections { for cell in section.cells { old[ExactText(cell.id)] = cell } }
        var kept: Set<ExactText> = []
        for section in update.model.sections {
            for cell in section.cells {
                let id = ExactText(cell.id)
                guard let before = old[id] else {
                    count(.inserted, cell.type)
                    continue
                }
                kept.insert(id)
                if moved.cells.contains(id) { count(.moved, cell.type) }
                if !cell.showsSame(as: before) { count(.updated, cell.type) }
            }
        }
        for section in sections { for cell in section.cells where !kept.contains(ExactText(cell.id)) { count(.deleted, cell.type) } }
        movedSections = moved.sections.count
    }

    private mutating func count(_ verb: Verb, _ type: String) {
        if let index = counts[verb]?.firstIndex(where: { ExactText($0.type) == ExactText(type) }) {
            counts[verb]?[index].count += 1
        } else {
            counts[verb, default: []].append((type, 1))
        }
    }

    /// Returns the text in a language, or in English if the language is not French. The text is empty if no cell changed and no section
    /// moved.
    ///
    /// - Parameter language: A language tag, such as `fr-CH`.
    public func text(in language: String = "en") -> String {
        let isFrench = language.split(separator: "-").first == "fr"
        let parts = Verb.allCases.flatMap { verb in
            let counts = counts[verb] ?? []
            guard isFrench else { return counts.map { "\(Self.many($0.count, Self.words(of: $0.type))) \(Self.english(verb))" } }
            // The names of types are English words, so a French text calls cells of all types rows.
            let total = counts.reduce(0) { $0 + $1.count }
            return total == 0 ? [] : ["\(total) \(total > 1 ? "lignes" : "ligne") \(Self.french(verb))\(total > 1 ? "s" : "")"]
        }
        guard parts.isEmpty, movedSections > 0 else { return parts.joined(separator: ", ") }
        guard isFrench else { return "\(Self.many(movedSections, "section")) moved" }
        return movedSections > 1 ? "\(movedSections) sections déplacées" : "1 section déplacée"
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
        count == 1 ? "1 \(word)" : "\(count.formatted(.number.locale(Locale(identifier: "en")))) \(plural(of: word))"
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
