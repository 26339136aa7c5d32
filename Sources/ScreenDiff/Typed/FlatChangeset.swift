/// Is a list without sections, as the one section that it then is.
public struct FlatSection<Cell: Differentiable>: DifferentiableSection {
    public let cells: [Cell]

    @inlinable
    public init(cells: [Cell]) {
        self.cells = cells
    }

    @inlinable
    public var differenceIdentifier: Int { 0 }

    @inlinable
    public func isContentEqual(to source: FlatSection) -> Bool { true }

    public func with(cells: [Cell]) -> FlatSection {
        FlatSection(cells: cells)
    }
}

extension StagedChangeset {
    /// The changeset between two lists without sections: all places are in section 0.
    @inlinable
    public init<Cell>(
        source: [Cell], target: [Cell], anchor: Cell.DifferenceIdentifier? = nil
    ) where Section == FlatSection<Cell> {
        self.init(source: [FlatSection(cells: source)], target: [FlatSection(cells: target)], anchor: anchor)
    }
}

extension Array where Element: Differentiable {
    /// These elements after all stages of `changeset`.
    public func applying(_ changeset: StagedChangeset<FlatSection<Element>>) throws(StageMisfit) -> [Element] {
        try [FlatSection(cells: self)].applying(changeset)[0].cells
    }
}
