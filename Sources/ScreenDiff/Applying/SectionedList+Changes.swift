// The parameter for the content of an inserted or updated element is nil if the target does not contain that element.
//
// The code is inlinable, so that the compiler specialises it for the types of sections and cells. Otherwise `relist apply` would take a
// third longer.

extension SectionedList {
    @usableFromInline
    package typealias Whole = (section: Section, cells: [Cell])

    /// Performs the cell operations of one stage. Returns an error for each operation that cannot be applied. If there are errors, the list
    /// does not change.
    @inlinable
    package mutating func changeCells(
        updates: [(place: CellPlace, cell: Cell?)] = [], deletes: [CellRun] = [],
        inserts: [(place: CellPlace, cells: ArraySlice<Cell>?)] = [], moves: [CellMove] = []
    ) -> [StageMisfit] {
        if updates.isEmpty && deletes.isEmpty && inserts.isEmpty && moves.isEmpty { return [] }
        var misfits = Self.descents(.deleteCells, deletes.map(\.place), by: precedes) { .cell($0) }
        misfits += Self.descents(.insertCells, inserts.map(\.place), by: precedes) { .cell($0) }
        var edits = CellEdits(cells)
        for (index, update) in updates.enumerated() {
            edits.update(update.place, with: update.cell, by: .init(.updateCells, index))
        }
        for (index, run) in deletes.enumerated() { edits.take(run, by: .init(.deleteCells, index)) }
        for (index, insert) in inserts.enumerated() {
            edits.insert(insert.cells, at: insert.place, by: .init(.insertCells, index))
        }
        for (index, move) in moves.enumerated() {
            let operation = StageMisfit.Operation(.moveCells, index)
            let cells = edits.take(CellRun(place: move.source, count: move.count), by: operation)
            edits.put(cells, at: move.destination, by: operation)
        }
        let after = edits.finish()
        misfits += after.misfits
        if misfits.isEmpty { self = SectionedList(sections: sections, cells: after.cells) }
        return misfits
    }

    /// Performs the section operations of one stage. Returns an error for each operation that cannot be applied. If there are errors, the
    /// list does not change.
    @inlinable
    package mutating func changeSections(
        inserts: [(place: Int, content: Whole?)] = [], deletes: [Int] = [], moves: [SectionMove] = [],
        updates: [(place: Int, section: Section?)] = []
    ) -> [StageMisfit] {
        if inserts.isEmpty && deletes.isEmpty && moves.isEmpty && updates.isEmpty { return [] }
        var misfits = Self.descents(.insertSections, inserts.map(\.place), by: <) { .section($0) }
        misfits += Self.descents(.deleteSections, deletes, by: <) { .section($0) }
        var edit = ListEdit<Whole>(zip(sections, cells).map { ($0, $1) })
        for (index, insert) in inserts.enumerated() {
            edit.insert(insert.content.map { [$0] }, at: insert.place, by: .init(.insertSections, index))
        }
        for (index, place) in deletes.enumerated() { edit.take(place, by: .init(.deleteSections, index)) }
        for (index, move) in moves.enumerated() {
            let operation = StageMisfit.Operation(.moveSections, index)
            edit.put(edit.take(move.source, by: operation), at: move.destination, by: operation)
        }
        for (index, update) in updates.enumerated() {
            edit.update(update.place, with: update.section, by: .init(.updateSections, index)) { $0.section = $1 }
        }
        let after = edit.finish()
        misfits += edit.misfits
        if misfits.isEmpty { self = SectionedList(sections: after.map(\.section), cells: after.map(\.cells)) }
        return misfits
    }

    /// Checks that the places are in ascending order. Returns an error for each place that is less than the place before it in the array.
    /// Equal places are not reported, because `ListEdit` reports them.
    @inlinable
    static func descents<Place>(
        _ kind: StageMisfit.Kind, _ places: [Place], by precedes: (Place, Place) -> Bool, _ place: (Place) -> StageMisfit.Place
    ) -> [StageMisfit] {
        zip(places, places.dropFirst()).enumerated().compactMap { index, pair in
            precedes(pair.1, pair.0) ? StageMisfit(.init(kind, index + 1), at: place(pair.1), .notAscending) : nil
        }
    }
}

@usableFromInline
func precedes(_ a: CellPlace, _ b: CellPlace) -> Bool {
    (a.section, a.item) < (b.section, b.item)
}

/// The changes that one stage makes to the cells of all sections.
@usableFromInline
struct CellEdits<Cell> {
    @usableFromInline let before: [[Cell]]
    @usableFromInline var edits: [ListEdit<Cell>?]
    @usableFromInline var misfits: [StageMisfit] = []

    @inlinable
    init(_ before: [[Cell]]) {
        self.before = before
        edits = Array(repeating: nil, count: before.count)
    }

    @inlinable
    mutating func update(_ place: CellPlace, with cell: Cell?, by operation: StageMisfit.Operation) {
        edit(place.section, by: operation) { $0.update(place.item, with: cell, by: operation) { $0 = $1 } }
    }

    @discardableResult @inlinable
    mutating func take(_ run: CellRun, by operation: StageMisfit.Operation) -> ArraySlice<Cell> {
        edit(run.place.section, by: operation) { $0.take(run.place.item, run.count, by: operation) } ?? []
    }

    @inlinable
    mutating func insert(_ cells: ArraySlice<Cell>?, at place: CellPlace, by operation: StageMisfit.Operation) {
        edit(place.section, by: operation) { $0.insert(cells, at: place.item, by: operation) }
    }

    @inlinable
    mutating func put(_ cells: ArraySlice<Cell>, at place: CellPlace, by operation: StageMisfit.Operation) {
        edit(place.section, by: operation) { $0.put(cells, at: place.item, by: operation) }
    }

    /// Returns the cells after the stage, and the errors of all operations. If there are errors, the cells must not be used.
    @inlinable
    mutating func finish() -> (cells: [[Cell]], misfits: [StageMisfit]) {
        var after = before
        for section in edits.indices {
            guard let cells = edits[section]?.finish() else { continue }
            after[section] = cells
            misfits += edits[section]?.misfits ?? []
        }
        return (after, misfits)
    }

    @discardableResult @inlinable
    mutating func edit<Value>(
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
