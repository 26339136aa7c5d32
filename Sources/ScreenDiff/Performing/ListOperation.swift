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
    /// - Parameter isSequential: whether the places of each count in the list that the one before it left. The cells
    ///   are those of one section then.
    public func operations(isSequential: Bool = false) -> [ListOperation] {
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
        if isSequential { operations += sequentialMoves() }
        append(ListOperation.insertCells, insertCells.flatMap(\.run.places))
        if !isSequential { operations += moveCells.flatMap(\.moves).map { .moveCell(from: $0.source, to: $0.target) } }
        return operations
    }
}
