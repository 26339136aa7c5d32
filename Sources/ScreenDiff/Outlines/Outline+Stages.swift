extension Outline {
    /// The stages that turn `source` into this outline; none if they are the same.
    ///
    /// - Parameter anchor: the id of a cell that stays in place rather than another, where that costs
    ///   no further move.
    public func stages(from source: Outline, anchor: UInt64? = nil) -> [Stage] {
        let anchor = anchor.flatMap { id in source.cells.firstIndex { $0.id == id } }
        return Staging.stages(for: Correspondence(OutlineComparison(source, self)), anchor: anchor)
    }
}

/// Compares outlines. Ids are hashes already and need no other.
private struct OutlineComparison: Comparison {
    let old: Outline
    let new: Outline
    let source: Shape
    let target: Shape

    init(_ old: Outline, _ new: Outline) {
        self.old = old
        self.new = new
        source = Shape(cellCounts: old.sections.lazy.map(\.cellCount))
        target = Shape(cellCounts: new.sections.lazy.map(\.cellCount))
    }

    /// Rendering gives out every id once.
    var areCellsUnique: Bool { true }

    func isSameCell(source: Int, target: Int) -> Bool { old.cells[source].id == new.cells[target].id }
    func isSameCell(source: Int, source other: Int) -> Bool { old.cells[source].id == old.cells[other].id }
    func cellHash(source: Int) -> UInt64 { old.cells[source].id }
    func cellHash(target: Int) -> UInt64 { new.cells[target].id }

    func firstChange(source: CellPlace, target: CellPlace, count: Int) -> Int? {
        let first = self.source.number(of: source)
        let second = self.target.number(of: target)
        return (0..<count).first { old.cells[first + $0].content != new.cells[second + $0].content }
    }

    func isSameSection(source: Int, target: Int) -> Bool { old.sections[source].id == new.sections[target].id }
    func isSameSection(source: Int, source other: Int) -> Bool { old.sections[source].id == old.sections[other].id }
    func sectionHash(source: Int) -> UInt64 { old.sections[source].id }
    func sectionHash(target: Int) -> UInt64 { new.sections[target].id }
    func areViewsEqual(source: Int, target: Int) -> Bool { old.sections[source].views == new.sections[target].views }
}
