/// An operation that a list view performs within a batch.
public enum ListOperation: Hashable, Sendable {
    case deleteSections([Int])
    case insertSections([Int])
    /// Updates the headers, footers and supplementary views of sections in place. This operation is used only if no view appears,
    /// disappears or changes its type.
    case updateSections([Int])
    /// Recreates the headers, footers and supplementary views of sections. This operation is used if a view appears, disappears or changes
    /// its type, or if the types of the views are not known. A table or collection view also recreates the cells of these sections.
    case reloadSections([Int])
    case moveSection(from: Int, to: Int)
    case deleteCells([CellPlace])
    case insertCells([CellPlace])
    /// Updates the contents of cells in place. This operation is used only if the types of the cells stay the same.
    case reconfigureCells([CellPlace])
    /// Replaces the views of cells. This operation is used if the types of the cells change or are not known.
    case reloadCells([CellPlace])
    case moveCell(from: CellPlace, to: CellPlace)
}

extension Stage {
    /// Returns the operations that perform this stage on a list view.
    ///
    /// - Parameters:
    ///   - inPlace: the updates that do not replace a view. All other updates replace a view.
    ///   - isSequential: a Boolean value that indicates whether the place in an operation is an index in the list after the
    ///     previous operation. If it is true, all cells of the stage must be in one section.
    package func operations(inPlace: UpdatesInPlace = UpdatesInPlace(), isSequential: Bool = false) -> [ListOperation] {
        var operations: [ListOperation] = []
        func append<Place>(_ operation: ([Place]) -> ListOperation, _ places: [Place]) {
            if !places.isEmpty { operations.append(operation(places)) }
        }
        append(ListOperation.deleteSections, deleteSections)
        append(ListOperation.insertSections, insertSections.map(\.place))
        append(ListOperation.updateSections, updateSections.filter(inPlace.sections.contains))
        append(ListOperation.reloadSections, updateSections.filter { !inPlace.sections.contains($0) })
        operations += moveSections.map { .moveSection(from: $0.source, to: $0.destination) }
        let updates = updateCells.map(\.place)
        append(ListOperation.reconfigureCells, updates.filter(inPlace.cells.contains))
        append(ListOperation.reloadCells, updates.filter { !inPlace.cells.contains($0) })
        append(ListOperation.deleteCells, deleteCells.flatMap(\.places))
        if isSequential { operations += sequentialMoves() }
        append(ListOperation.insertCells, insertCells.flatMap(\.run.places))
        if !isSequential { operations += moveCells.flatMap(\.moves).map { .moveCell(from: $0.source, to: $0.target) } }
        return operations
    }
}

extension Changeset {
    /// Returns the operations that perform this stage on a list view. The types of updated cells and views are compared when this function
    /// is called, not earlier.
    ///
    /// The type of a cell is known if the cell is `ReuseIdentifying`. The types of the views of a section are known if they are
    /// `ReuseIdentifying` and the section belongs to a model. All types in a changeset from a server are known.
    ///
    /// - Parameter isSequential: a Boolean value that indicates whether the place in an operation is an index in the list after
    ///   the previous operation. If it is true, all cells of the stage must be in one section.
    public func operations(isSequential: Bool = false) -> [ListOperation] {
        stage.operations(inPlace: updatesInPlace, isSequential: isSequential)
    }
}
