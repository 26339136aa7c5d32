import ExampleRecords
import Foundation

/// A search for mountains, with the order of its results.
struct MountainSearch {
    let query: String
    let order: Mountains.Order

    init(query: String, order: Mountains.Order) {
        self.query = query.trimmingCharacters(in: .whitespacesAndNewlines)
        self.order = order
    }

    var isNarrowing: Bool { !query.isEmpty }

    /// Returns the mountains that match the query, in the order of the search.
    func found(in mountains: [Mountain], _ texts: MountainsTexts) -> [Mountain] {
        let sought = FoldedText(query)
        // Each name is folded only once, because folding a name costs more than all of its comparisons.
        return mountains.map { Candidate(mountain: $0, name: FoldedText($0.name)) }
            .filter {
                !isNarrowing || $0.name.contains(sought) || texts.regionNames(of: $0.mountain).contains { FoldedText($0).contains(sought) }
            }
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
        // Mountains with equal names are ordered by id, so that the order is always the same.
        return mountain.name == other.mountain.name
            ? mountain.id.utf8.lexicographicallyPrecedes(other.mountain.id.utf8)
            : mountain.name.utf8.lexicographicallyPrecedes(other.mountain.name.utf8)
    }
}
