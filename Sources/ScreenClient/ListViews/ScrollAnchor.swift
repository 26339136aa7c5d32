public import ScreenDiff
import ScreenWire

/// The row that a list view keeps in place while it performs a change, so that changes above this row do not move the text that the user
/// reads.
public struct ScrollAnchor: Hashable, Sendable {
    /// The place of the row before the change.
    public let before: CellPlace
    /// The place of the row after the change.
    public let after: CellPlace

    /// Finds the first visible row that survives a change and does not move. Returns `nil` if there is no such row.
    ///
    /// - Parameters:
    ///   - visible: The places of the visible rows, from top to bottom.
    ///   - sections: The sections before the change.
    public init?(visible: [CellPlace], of sections: ListModel.Sections, in update: ListUpdate) {
        let moved = update.moved
        var places: [ExactText: CellPlace] = [:]
        let wanted = Set(visible.map { ExactText(sections[$0.section].cells[$0.item].id) }).subtracting(moved.cells)
        for (index, section) in update.model.sections.enumerated() where !moved.sections.contains(ExactText(section.id)) {
            for (item, cell) in section.cells.enumerated() where wanted.contains(ExactText(cell.id)) {
                places[ExactText(cell.id)] = CellPlace(section: index, item: item)
            }
        }
        for before in visible {
            guard let after = places[ExactText(sections[before.section].cells[before.item].id)] else { continue }
            (self.before, self.after) = (before, after)
            return
        }
        return nil
    }
}

extension ListUpdate {
    /// The ids of the cells and sections that the stages move.
    var moved: (cells: Set<ExactText>, sections: Set<ExactText>) {
        var moved: (cells: Set<ExactText>, sections: Set<ExactText>) = ([], [])
        guard case .stages(let steps) = kind else { return moved }
        for step in steps {
            let sections = step.model.sections
            for move in step.stage.moveSections { moved.sections.insert(ExactText(sections[move.destination].id)) }
            for move in step.stage.moveCells {
                let cells = sections[move.destination.section].cells
                for item in move.destination.item..<move.destination.item + move.count { moved.cells.insert(ExactText(cells[item].id)) }
            }
        }
        return moved
    }
}
