import ScreenDiff

/// Collects what one stage does to cells, section by section.
struct CellEdits {
    private var sections: [SnapshotTree.Section]
    private var edits: [Int: ListEdit<SnapshotTree.Cell>] = [:]
    private(set) var faults: [DocumentFault] = []

    init(_ sections: [SnapshotTree.Section]) {
        self.sections = sections
    }

    mutating func take(_ place: CellPlace, _ count: Int, at pointer: JSONPointer) -> ArraySlice<SnapshotTree.Cell> {
        edit(place.section, at: pointer) { $0.take(place.item, count, at: pointer) } ?? []
    }

    mutating func put(_ cells: ArraySlice<SnapshotTree.Cell>, at place: CellPlace, _ pointer: JSONPointer) {
        edit(place.section, at: pointer) { $0.put(cells, at: place.item, pointer) }
    }

    /// - Returns: the cell that was there.
    mutating func replace(_ place: CellPlace, at pointer: JSONPointer, with cell: SnapshotTree.Cell) -> SnapshotTree.Cell? {
        edit(place.section, at: pointer) { $0.replace(place.item, at: pointer) { _ in cell } } ?? nil
    }

    /// The sections after the stage; of no use if there are faults.
    mutating func finish() -> [SnapshotTree.Section] {
        for section in edits.keys.sorted() {
            guard var edit = edits[section] else { continue }
            sections[section].cells = edit.finish()
            faults += edit.faults
        }
        return sections
    }

    @discardableResult
    private mutating func edit<Value>(
        _ section: Int, at pointer: JSONPointer, _ change: (inout ListEdit<SnapshotTree.Cell>) -> Value
    ) -> Value? {
        guard sections.indices.contains(section) else {
            faults.append(DocumentFault(pointer: pointer, cause: .outOfBounds(count: sections.count)))
            return nil
        }
        return change(&edits[section, default: ListEdit(sections[section].cells)])
    }
}
