/// One call to a list view within a batch.
public enum ListOperation: Hashable, Sendable {
    case deleteSections([Int])
    case insertSections([Int])
    /// Shows their headers, footers and supplementary views anew.
    case updateSections([Int])
    case moveSection(from: Int, to: Int)
    case deleteCells([CellPlace])
    case insertCells([CellPlace])
    /// Shows their contents anew.
    case updateCells([CellPlace])
    case moveCell(from: CellPlace, to: CellPlace)
}

extension Stage {
    /// The calls that tell a view of this stage.
    ///
    /// - Parameter isSequential: whether the places of each count in the list that the one before it left.
    public func operations(isSequential: Bool = false) -> [ListOperation] {
        let moves = moveCells.flatMap(\.moves)
        var operations: [ListOperation] = []
        func append<Place>(_ operation: ([Place]) -> ListOperation, _ places: [Place]) {
            if !places.isEmpty { operations.append(operation(places)) }
        }
        append(ListOperation.deleteSections, deleteSections)
        append(ListOperation.insertSections, insertSections.map(\.place))
        append(ListOperation.updateSections, updateSections)
        operations += moveSections.map { .moveSection(from: $0.source, to: $0.destination) }
        append(ListOperation.updateCells, updateCells.map(\.place))
        append(ListOperation.deleteCells, deleteCells.flatMap(\.places))
        if isSequential { operations += sequentialMoves(moves) }
        append(ListOperation.insertCells, insertCells.flatMap(\.run.places))
        if !isSequential { operations += moves.map { .moveCell(from: $0.source, to: $0.target) } }
        return operations
    }

    /// Moves within one section, one after another, between its deletes and its inserts.
    ///
    /// Each takes as long as the section is long: who has thousands reloads.
    private func sequentialMoves(_ moves: [(source: CellPlace, target: CellPlace)]) -> [ListOperation] {
        guard let section = moves.first?.source.section else { return [] }
        let deleted = deleteCells.flatMap(\.places).map(\.item)
        let inserted = insertCells.flatMap(\.run.places).map(\.item)
        // As if nothing was deleted or inserted.
        let moves = moves.map { move in
            let (source, target) = (move.source.item, move.target.item)
            return (source: source - deleted.count { $0 < source }, target: target - inserted.count { $0 < target })
        }.sorted { $0.target < $1.target }
        var list = Array(0...moves.reduce(0) { max($0, $1.source, $1.target) })
        let after = list.moving(moves)
        return moves.compactMap { move in
            let from = list.firstIndex(of: move.source)!
            list.remove(at: from)
            let to = move.target == 0 ? 0 : list.firstIndex(of: after[move.target - 1])! + 1
            list.insert(move.source, at: to)
            return from == to ? nil : .moveCell(from: CellPlace(section: section, item: from), to: CellPlace(section: section, item: to))
        }
    }
}

extension [Int] {
    /// The numbers after moves at once, whose targets ascend.
    fileprivate func moving(_ moves: [(source: Int, target: Int)]) -> [Int] {
        let moving = Set(moves.map(\.source))
        var after = filter { !moving.contains($0) }
        for move in moves { after.insert(move.source, at: move.target) }
        return after
    }
}
