/// Leads from one list of sections to another in stages that are each one safe batch update.
///
///     for stage in changeset.stages { … }            // what to tell the view
///     let shown = try changeset.data(after: 2)       // what it shows then
public struct StagedChangeset<Section: DifferentiableSection> {
    public let source: [Section]
    public let target: [Section]
    /// At most five, in the protocol's order; none if nothing differs.
    public let stages: [Stage]

    public init(source: [Section], target: [Section]) {
        self.source = source
        self.target = target
        let pairs = Correspondence(source: TypedSide(source), target: TypedSide(target), isUnique: false)
        stages = Staging.stages(for: pairs)
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

/// Shows sections of any type to matching.
private struct TypedSide<Section: DifferentiableSection>: MatchingSide {
    let sections: [Section]
    let cells: [Section.Cell]
    let cellIDs: [Section.Cell.DifferenceIdentifier]
    let shape: Shape

    init(_ sections: [Section]) {
        self.sections = sections
        cells = sections.flatMap(\.cells)
        cellIDs = cells.map(\.differenceIdentifier)
        shape = Shape(cellCounts: sections.lazy.map(\.cells.count))
    }

    func cellID(_ cell: Int) -> Section.Cell.DifferenceIdentifier { cellIDs[cell] }
    func sectionID(_ section: Int) -> Section.DifferenceIdentifier { sections[section].differenceIdentifier }
    static func hash(_ id: Section.Cell.DifferenceIdentifier) -> UInt64 { UInt64(bitPattern: Int64(id.hashValue)) }
    static func hash(section id: Section.DifferenceIdentifier) -> UInt64 { UInt64(bitPattern: Int64(id.hashValue)) }

    func isCellContentEqual(_ cell: Int, to other: TypedSide, _ otherCell: Int) -> Bool {
        other.cells[otherCell].isContentEqual(to: cells[cell])
    }

    func areViewsEqual(_ section: Int, to other: TypedSide, _ otherSection: Int) -> Bool {
        other.sections[otherSection].isContentEqual(to: sections[section])
    }
}
