/// The way from one list of sections to another, in stages that are each one safe batch update.
///
///     for stage in changeset.stages { … }            // what to tell the view
///     let shown = try changeset.data(after: 2)       // what it shows then
public struct StagedChangeset<Section: DifferentiableSection> {
    public let source: [Section]
    public let target: [Section]
    /// At most five, in the protocol's order; none if nothing differs.
    public let stages: [Stage]

    /// - Parameter anchor: the identifier of a cell that stays in place rather than another, such as
    ///   the one that the user looks at, where that costs no further move.
    @inlinable
    public init(source: [Section], target: [Section], anchor: Section.Cell.DifferenceIdentifier? = nil) {
        let anchor = anchor.flatMap { anchor in
            source.lazy.flatMap(\.cells).enumerated().first { $0.element.differenceIdentifier == anchor }?.offset
        }
        let pairs = Correspondence(TypedLists(source, target))
        self.init(source: source, target: target, stages: Staging.stages(for: pairs, anchor: anchor))
    }

    @usableFromInline
    init(source: [Section], target: [Section], stages: [Stage]) {
        self.source = source
        self.target = target
        self.stages = stages
    }

    /// Returns the sections after the first `count` stages, computed anew at each call.
    ///
    /// - Precondition: `count` is between 0 and the number of stages.
    public func data(after count: Int) throws(StageMisfit) -> [Section] {
        try source.applying(stages.prefix(count), of: self)
    }
}

extension Array where Element: DifferentiableSection {
    /// Returns these sections after all stages of `changeset`.
    ///
    /// - Throws: the first reason why a stage does not fit, if these are not the sections that it begins at.
    public func applying(_ changeset: StagedChangeset<Element>) throws(StageMisfit) -> [Element] {
        try applying(changeset.stages[...], of: changeset)
    }

    func applying(_ stages: ArraySlice<Stage>, of changeset: StagedChangeset<Element>) throws(StageMisfit) -> [Element] {
        var list = SectionedList(sections: self, cells: map(\.cells))
        let target = SectionedList(sections: changeset.target, cells: changeset.target.map(\.cells))
        for stage in stages { try list.apply(stage, from: target) }
        return zip(list.sections, list.cells).map { $0.with(cells: $1) }
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
    /// Returns these elements after all stages of `changeset`.
    public func applying(_ changeset: StagedChangeset<FlatSection<Element>>) throws(StageMisfit) -> [Element] {
        try [FlatSection(cells: self)].applying(changeset)[0].cells
    }
}
