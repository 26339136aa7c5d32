import ExampleRecords
import Foundation

/// A search that decides which mountains a list shows, and in which order.
struct MountainSearch {
    /// Without the space around it.
    let query: String
    let order: Mountains.Order

    init(query: String, order: Mountains.Order) {
        self.query = query.trimmingCharacters(in: .whitespacesAndNewlines)
        self.order = order
    }

    /// Whether it leaves out any mountain.
    var isNarrowing: Bool { !query.isEmpty }

    /// - Parameter texts: in whose language ranges and countries are searched.
    func found(in mountains: [Mountain], _ texts: MountainsTexts) -> [Mountain] {
        let sought = FoldedText(query)
        // Each name is folded once: it costs more than all comparisons with it.
        return mountains.map { Candidate(mountain: $0, name: FoldedText($0.name)) }
            .filter { !isNarrowing || $0.name.contains(sought) || texts.surroundings(of: $0.mountain).contains { FoldedText($0).contains(sought) } }
            .sorted { $0.precedes($1, by: order) }
            .map(\.mountain)
    }
}

private struct Candidate {
    let mountain: Mountain
    let name: FoldedText

    func precedes(_ other: Candidate, by order: Mountains.Order) -> Bool {
        if order == .height, mountain.metres != other.mountain.metres { return mountain.metres > other.mountain.metres }
        if name != other.name { return name < other.name }
        // Ids come last, so that no two are in an order of chance.
        return mountain.name == other.mountain.name
            ? mountain.id.utf8.lexicographicallyPrecedes(other.mountain.id.utf8)
            : mountain.name.utf8.lexicographicallyPrecedes(other.mountain.name.utf8)
    }
}
