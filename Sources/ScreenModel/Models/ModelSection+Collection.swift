// The standard library's implementations of these methods would create a section without the id and the views.

extension ModelSection {
    /// Removes all cells. The section keeps its id and its views.
    @inlinable
    public mutating func removeAll(keepingCapacity keepCapacity: Bool = false) {
        cells.removeAll(keepingCapacity: keepCapacity)
    }

    /// Returns this section with only the cells that satisfy the given predicate.
    @inlinable
    public func filter(_ isIncluded: (Cell) throws -> Bool) rethrows -> Self {
        let kept = try cells.indices.filter { try isIncluded(cells[$0]) }
        return with(kept.map { cells[$0] }, from: kept)
    }

    /// Returns this section after applying `difference` to its cells, or `nil` if the difference does not match the cells.
    @inlinable
    public func applying(_ difference: CollectionDifference<Cell>) -> Self? {
        let changes = difference.map { change -> CollectionDifference<Int?>.Change in
            switch change {
            case .remove(let offset, _, let other): .remove(offset: offset, element: nil, associatedWith: other)
            // `other` is the index from which the cell moves, or `nil` for a new cell.
            case .insert(let offset, _, let other): .insert(offset: offset, element: other, associatedWith: other)
            }
        }
        guard let cells = cells.applying(difference), let places = CollectionDifference(changes),
            let sources = indices.map(Optional.some).applying(places)
        else { return nil }
        return with(cells, from: sources)
    }

    /// Returns the first section with the cells of the second section appended.
    @inlinable
    public static func + (lhs: Self, rhs: Self) -> Self {
        var section = lhs
        section.appendCells(of: rhs)
        return section
    }

    /// Returns the section with the given cells inserted before its own cells.
    @inlinable
    public static func + (lhs: some Sequence<Cell>, rhs: Self) -> Self {
        rhs.with(before: Array(lhs))
    }

    /// Returns the section with the given cells inserted before its own cells.
    @inlinable
    public static func + (lhs: some RangeReplaceableCollection<Cell>, rhs: Self) -> Self {
        // Without this overload, the sum of an array and a section would be an array.
        rhs.with(before: Array(lhs))
    }

    @inlinable
    func with(before new: [Cell]) -> Self {
        with(new + cells, from: new.map { _ in nil } + Array(cells.indices))
    }

    @inlinable
    func with(_ cells: [Cell], from sources: [Int?]) -> Self {
        var section = self
        section.replaceCells(with: cells, from: sources)
        return section
    }
}
