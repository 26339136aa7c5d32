/// The changes of one stage to the cells of all sections.
struct CellEdits<Cell> {
    private let before: [[Cell]]
    /// Nil for sections that nothing was said of.
    private var edits: [ListEdit<Cell>?]
    private var misfits: [StageMisfit] = []

    init(_ before: [[Cell]]) {
        self.before = before
        edits = Array(repeating: nil, count: before.count)
    }

    mutating func update(_ place: CellPlace, with cell: Cell?, by operation: StageMisfit.Operation) {
        edit(place.section, by: operation) { $0.update(place.item, with: cell, by: operation) { $0 = $1 } }
    }

    @discardableResult
    mutating func take(_ run: CellRun, by operation: StageMisfit.Operation) -> ArraySlice<Cell> {
        edit(run.place.section, by: operation) { $0.take(run.place.item, run.count, by: operation) } ?? []
    }

    mutating func insert(_ cells: ArraySlice<Cell>?, at place: CellPlace, by operation: StageMisfit.Operation) {
        edit(place.section, by: operation) { $0.insert(cells, at: place.item, by: operation) }
    }

    mutating func put(_ cells: ArraySlice<Cell>, at place: CellPlace, by operation: StageMisfit.Operation) {
        edit(place.section, by: operation) { $0.put(cells, at: place.item, by: operation) }
    }

    /// The cells of each section after the stage, of no use if there are misfits.
    mutating func finish() -> (cells: [[Cell]], misfits: [StageMisfit]) {
        var after = before
        for section in edits.indices {
            guard let cells = edits[section]?.finish() else { continue }
            after[section] = cells
            misfits += edits[section]?.misfits ?? []
        }
        return (after, misfits)
    }

    @discardableResult
    private mutating func edit<Value>(
        _ section: Int, by operation: StageMisfit.Operation, _ change: (inout ListEdit<Cell>) -> Value
    ) -> Value? {
        guard before.indices.contains(section) else {
            misfits.append(StageMisfit(operation, at: .section(section), .outOfBounds(count: before.count)))
            return nil
        }
        if edits[section] == nil { edits[section] = ListEdit(before[section], ofSection: section) }
        return change(&edits[section]!)
    }
}
