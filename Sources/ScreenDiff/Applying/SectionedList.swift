/// A list of sections with cells, to which the stages of a changeset can be applied.
///
/// `Section` is the type of a section without its cells.
public struct SectionedList<Section, Cell> {
    public private(set) var sections: [Section]
    /// The cells of each section.
    public private(set) var cells: [[Cell]]

    /// Creates a list from sections.
    ///
    /// - Parameter cells: returns the cells of a section.
    public init(_ sections: [Section], cells: (Section) throws -> [Cell]) rethrows {
        self.init(sections: sections, cells: try sections.map(cells))
    }

    @usableFromInline
    package init(sections: [Section], cells: [[Cell]]) {
        precondition(sections.count == cells.count, "each section has its cells")
        self.sections = sections
        self.cells = cells
    }

    /// Applies one stage to the list. The result is the list that a list view shows after the stage.
    ///
    /// - Parameter target: the list after the last stage of the changeset. Inserted and updated elements are read from it.
    /// - Throws: the error of the first operation that cannot be applied. In this case, the list does not change.
    public mutating func apply(_ stage: Stage, from target: SectionedList) throws(StageMisfit) {
        try apply(stage, from: target, sectionUpdates: { $0 })
    }

    /// Applies one stage. `place` converts an index from `updateSections` to the index of the same section in the target.
    mutating func apply(
        _ stage: Stage, from target: SectionedList, sectionUpdates place: (Int) -> Int
    ) throws(StageMisfit) {
        var result = self
        var misfits = result.changeCells(
            updates: stage.updateCells.map { ($0.place, target.cells(CellRun(place: $0.target, count: 1))?.first) },
            deletes: stage.deleteCells,
            inserts: stage.insertCells.map { insert in
                let items = CellPlace(section: insert.targetSection, item: insert.run.place.item)
                return (insert.run.place, target.cells(CellRun(place: items, count: insert.run.count)))
            },
            moves: stage.moveCells
        )
        misfits += result.changeSections(
            inserts: stage.insertSections.map { ($0.place, target.section($0.target, with: $0.newItems)) },
            deletes: stage.deleteSections, moves: stage.moveSections,
            updates: stage.updateSections.map { ($0, target.sections.element(at: place($0))) }
        )
        if let misfit = misfits.first { throw misfit }
        self = result
    }

    private func cells(_ run: CellRun) -> ArraySlice<Cell>? {
        guard cells.indices.contains(run.place.section) else { return nil }
        return cells[run.place.section].run(from: run.place.item, count: run.count)
    }

    private func section(_ index: Int, with items: [Range<Int>]) -> Whole? {
        guard sections.indices.contains(index) else { return nil }
        var chosen: [Cell] = []
        for range in items {
            let (count, overflow) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
            guard !overflow, let run = cells[index].run(from: range.lowerBound, count: count) else { return nil }
            chosen += run
        }
        return (sections[index], chosen)
    }
}

extension SectionedList: Sendable where Section: Sendable, Cell: Sendable {}

extension Array {
    /// Returns the element at an index, or nil if the index is out of bounds.
    func element(at index: Int) -> Element? {
        indices.contains(index) ? self[index] : nil
    }

    fileprivate func run(from start: Int, count: Int) -> ArraySlice<Element>? {
        guard start >= 0, start <= self.count, count >= 0, count <= self.count - start else { return nil }
        return self[start..<start + count]
    }
}
