import ScreenDiff

/// The operations of a batch, as a view collects them before it performs them.
struct ListBatch {
    var sections = Edits()
    var cells = Edits()

    typealias Move = (source: CellPlace, target: CellPlace)

    /// The operations on sections, or the operations on cells. The place of a section is a `CellPlace` that ``CellPlace/init(ofSection:)``
    /// creates. Sources are places in the list before the batch. Targets are places in the list after the batch.
    struct Edits {
        var deletes: [CellPlace] = []
        var inserts: [CellPlace] = []
        var reloads: [CellPlace] = []
        /// The cells whose contents are updated in place, or the sections whose views are updated in place. These views are headers,
        /// footers and supplementary views.
        var reconfigures: [CellPlace] = []
        var moves: [Move] = []

        var isEmpty: Bool { deletes.isEmpty && inserts.isEmpty && reloads.isEmpty && reconfigures.isEmpty && moves.isEmpty }
    }

    mutating func add(_ operation: ListOperation) {
        switch operation {
        case .deleteSections(let places): sections.deletes += places.map(CellPlace.init(ofSection:))
        case .insertSections(let places): sections.inserts += places.map(CellPlace.init(ofSection:))
        case .reloadSections(let places): sections.reloads += places.map(CellPlace.init(ofSection:))
        case .updateSections(let places): sections.reconfigures += places.map(CellPlace.init(ofSection:))
        case .moveSection(let source, let target): sections.moves.append((CellPlace(ofSection: source), CellPlace(ofSection: target)))
        case .deleteCells(let places): cells.deletes += places
        case .insertCells(let places): cells.inserts += places
        case .reloadCells(let places): cells.reloads += places
        case .reconfigureCells(let places): cells.reconfigures += places
        case .moveCell(let source, let target): cells.moves.append((source, target))
        }
    }
}

extension CellPlace {
    init(ofSection section: Int) {
        self.init(section: section, item: .min)
    }

    var isSection: Bool { item == .min }
}

// The result of a batch that follows all rules.
extension ListBatch {
    /// Returns, for each place in the list after the batch, the place of the same cell in the list before the batch. The result is nil for
    /// a new cell.
    ///
    /// - Parameters:
    ///   - before: the number of cells in each section before the batch.
    ///   - after: the number of cells in each section after the batch.
    func origins(from before: [Int], to after: [Int]) -> [[CellPlace?]] {
        let leaving = Set(cells.deletes).union(cells.moves.map(\.source))
        var arrivals: [CellPlace: CellPlace?] = [:]
        for place in cells.inserts { arrivals[place] = .some(nil) }
        for move in cells.moves { arrivals[move.target] = move.source }
        return zip(sectionOrigins(from: before.count, to: after.count), after).enumerated().map { section, pair in
            let (origin, count) = pair
            guard let origin else { return Array(repeating: nil, count: count) }
            let places = (0..<before[origin]).lazy.map { CellPlace(section: origin, item: $0) }
            var staying = places.filter { !leaving.contains($0) }.makeIterator()
            return (0..<count).map { item in
                arrivals[CellPlace(section: section, item: item)] ?? staying.next()
            }
        }
    }

    /// Returns, for each section after the batch, its index before the batch. The result is nil for a new section.
    func sectionOrigins(from before: Int, to after: Int) -> [Int?] {
        let leaving = Set(sections.deletes.map(\.section)).union(sections.moves.map(\.source.section))
        var arrivals: [Int: Int?] = [:]
        for place in sections.inserts { arrivals[place.section] = .some(nil) }
        for move in sections.moves { arrivals[move.target.section] = move.source.section }
        var staying = (0..<before).lazy.filter { !leaving.contains($0) }.makeIterator()
        return (0..<after).map { arrivals[$0] ?? staying.next() }
    }
}
