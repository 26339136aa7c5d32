/// Compares lists of any types.
///
/// What depends on the types is behind functions that are made in the caller's module, where they are
/// specialised, and that are called for runs of cells; so the core needs to be compiled only once.
@usableFromInline
struct TypedComparison: Comparison {
    let source: Shape
    let target: Shape
    private let cells: Identities
    private let sections: Identities

    @inlinable
    init<Section: DifferentiableSection>(_ source: [Section], _ target: [Section]) {
        self.init(
            cells: Identities(Self.cells(of: source), Self.cells(of: target)), sections: Identities(source, target),
            sourceCounts: source.map(\.cells.count), targetCounts: target.map(\.cells.count)
        )
    }

    @usableFromInline
    init(cells: Identities, sections: Identities, sourceCounts: [Int], targetCounts: [Int]) {
        self.cells = cells
        self.sections = sections
        source = Shape(cellCounts: sourceCounts)
        target = Shape(cellCounts: targetCounts)
    }

    @inlinable
    static func cells<Section: DifferentiableSection>(of sections: [Section]) -> [Section.Cell] {
        sections.count == 1 ? sections[0].cells : sections.flatMap(\.cells)
    }

    /// The stages between the lists.
    ///
    /// - Parameter anchor: the number of a cell of the source.
    @usableFromInline
    func stages(anchor: Int?) -> [Stage] {
        Staging.stages(for: Correspondence(self), anchor: anchor)
    }

    var areCellsUnique: Bool { false }

    func isSameCell(source: Int, target: Int) -> Bool { cells.isSame(source, target) }
    func isSameCell(source: Int, source other: Int) -> Bool { cells.isSameSource(source, other) }
    func commonPrefix(source: Int, target: Int, limit: Int) -> Int { cells.commonPrefix(source, target, limit) }
    func commonSuffix(source: Int, target: Int, limit: Int) -> Int { cells.commonSuffix(source, target, limit) }
    func cellHash(source: Int) -> UInt64 { cells.sourceHash(source) }
    func cellHash(target: Int) -> UInt64 { cells.targetHash(target) }
    func firstChange(source: Int, target: Int, count: Int) -> Int? { cells.firstChange(source, target, count) }

    func isSameSection(source: Int, target: Int) -> Bool { sections.isSame(source, target) }
    func isSameSection(source: Int, source other: Int) -> Bool { sections.isSameSource(source, other) }
    func sectionHash(source: Int) -> UInt64 { sections.sourceHash(source) }
    func sectionHash(target: Int) -> UInt64 { sections.targetHash(target) }
    func areViewsEqual(source: Int, target: Int) -> Bool { sections.firstChange(source, target, 1) == nil }
}
