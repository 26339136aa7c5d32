/// Leads from one list of sections to another in stages that are each one safe batch update.
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
        let pairs = Correspondence(TypedComparison(source, target))
        self.init(source: source, target: target, stages: Staging.stages(for: pairs, anchor: anchor))
    }

    @usableFromInline
    init(source: [Section], target: [Section], stages: [Stage]) {
        self.source = source
        self.target = target
        self.stages = stages
    }

    /// The sections after the first `count` stages, computed anew at each call.
    ///
    /// - Precondition: `count` is between 0 and the number of stages.
    public func data(after count: Int) throws(StageMisfit) -> [Section] {
        try source.applying(stages.prefix(count), of: self)
    }
}

extension Array where Element: DifferentiableSection {
    /// These sections after all stages of `changeset`.
    ///
    /// - Throws: why a stage does not fit, if these are not the sections that it begins at.
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
