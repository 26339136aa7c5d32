// What the standard library makes a new collection for, and would forget all but the cells.

extension ModelSection {
    /// Removes all cells; what stands around them stays.
    @inlinable
    public mutating func removeAll(keepingCapacity keepCapacity: Bool = false) {
        cells.removeAll(keepingCapacity: keepCapacity)
    }

    /// Returns this section with those of its cells that satisfy the given predicate.
    @inlinable
    public func filter(_ isIncluded: (Cell) throws -> Bool) rethrows -> Self {
        with(try cells.filter(isIncluded))
    }

    /// Returns this section with its cells after a difference; nil if that does not fit them.
    @inlinable
    public func applying(_ difference: CollectionDifference<Cell>) -> Self? {
        cells.applying(difference).map(with)
    }

    /// Returns the left section with the right one's cells after its own.
    @inlinable
    public static func + (lhs: Self, rhs: Self) -> Self {
        lhs.with(lhs.cells + rhs.cells)
    }

    /// Returns the section with more cells before its own.
    @inlinable
    public static func + (lhs: some Sequence<Cell>, rhs: Self) -> Self {
        rhs.with(lhs + rhs.cells)
    }

    // Without it, an array and a section would be an array.
    /// Returns the section with more cells before its own.
    @inlinable
    public static func + (lhs: some RangeReplaceableCollection<Cell>, rhs: Self) -> Self {
        rhs.with(lhs + rhs.cells)
    }

    @inlinable
    func with(_ cells: [Cell]) -> Self {
        var section = self
        section.cells = cells
        return section
    }
}
