/// Compares lists of any types.
@usableFromInline
struct TypedComparison<Section: DifferentiableSection>: Comparison {
    @usableFromInline let source: Shape
    @usableFromInline let target: Shape
    @usableFromInline let old: Side
    @usableFromInline let new: Side
    @usableFromInline let hasher = IdentityHasher()

    /// Is one of the lists, its identifiers asked for once: they may be computed.
    @usableFromInline
    struct Side {
        @usableFromInline let sections: [Section]
        @usableFromInline let sectionIDs: [Section.DifferenceIdentifier]
        @usableFromInline let cells: [[Section.Cell]]
        @usableFromInline let cellIDs: [Section.Cell.DifferenceIdentifier]

        @inlinable
        init(_ sections: [Section]) {
            self.sections = sections
            sectionIDs = sections.map(\.differenceIdentifier)
            let cells = sections.map(\.cells)
            self.cells = cells
            // By index: an element that a loop gives out is retained, with all that it holds.
            cellIDs = Array(capacity: cells.reduce(0) { $0 + $1.count }) { ids in
                for section in cells {
                    for item in section.indices { ids.append(section[item].differenceIdentifier) }
                }
            }
        }
    }

    @inlinable
    init(_ source: [Section], _ target: [Section]) {
        old = Side(source)
        new = Side(target)
        self.source = Shape(cellCounts: old.cells.lazy.map(\.count))
        self.target = Shape(cellCounts: new.cells.lazy.map(\.count))
    }

    @inlinable var areCellsUnique: Bool { false }

    @inlinable
    func isSameCell(source: Int, target: Int) -> Bool { old.cellIDs[source] == new.cellIDs[target] }
    @inlinable
    func isSameCell(source: Int, source other: Int) -> Bool { old.cellIDs[source] == old.cellIDs[other] }
    @inlinable
    func cellHash(source: Int) -> UInt64 { hasher.hash(old.cellIDs[source]) }
    @inlinable
    func cellHash(target: Int) -> UInt64 { hasher.hash(new.cellIDs[target]) }

    @inlinable
    func firstChange(source: CellPlace, target: CellPlace, count: Int) -> Int? {
        let old = self.old.cells[source.section]
        let new = self.new.cells[target.section]
        for offset in 0..<count where !new[target.item + offset].isContentEqual(to: old[source.item + offset]) {
            return offset
        }
        return nil
    }

    @inlinable
    func isSameSection(source: Int, target: Int) -> Bool { old.sectionIDs[source] == new.sectionIDs[target] }
    @inlinable
    func isSameSection(source: Int, source other: Int) -> Bool { old.sectionIDs[source] == old.sectionIDs[other] }
    @inlinable
    func sectionHash(source: Int) -> UInt64 { hasher.hash(old.sectionIDs[source]) }
    @inlinable
    func sectionHash(target: Int) -> UInt64 { hasher.hash(new.sectionIDs[target]) }
    @inlinable
    func areViewsEqual(source: Int, target: Int) -> Bool { new.sections[target].isContentEqual(to: old.sections[source]) }
}
