/// An operation that a list view performs within a batch.
public enum ListOperation: Hashable, Sendable {
    case deleteSections([Int])
    case insertSections([Int])
    /// Updates the headers, footers and supplementary views of sections.
    case updateSections([Int])
    case moveSection(from: Int, to: Int)
    case deleteCells([CellPlace])
    case insertCells([CellPlace])
    /// Updates the contents of cells.
    case updateCells([CellPlace])
    case moveCell(from: CellPlace, to: CellPlace)
}

extension Stage {
    /// Returns the operations that perform this stage on a list view.
    ///
    /// - Parameter isSequential: a Boolean value that indicates whether the place in an operation is an index in the list after
    ///   the previous operation. If it is true, all cells of the stage must be in one section.
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
