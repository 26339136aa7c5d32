/// The rows of a screen, one of which is selected.
struct SelectableRows {
    private(set) var rows: [WatchedRow] = []
    /// The id of the selected cell, or `nil` if there are no cells.
    private(set) var selected: String?
    /// A Boolean value that indicates whether the selected cell was deleted, and the user has not confirmed the new selection yet.
    private(set) var hasLostSelection = false
    /// A Boolean value that indicates whether the user changed the view, for example with a search, and has not used the selection since
    /// then. The deletion of the selected cell is then no surprise.
    private var expectsOtherRows = false

    /// Replaces the rows. If the selected cell was deleted, the nearest remaining cell below it is selected. If there is none, the nearest
    /// remaining cell above it is selected. If no old cell remains, the first cell is selected.
    mutating func replace(with new: [WatchedRow]) {
        let ids = new.compactMap(\.cell)
        let old = rows
        rows = new
        guard let selected, let index = old.firstIndex(where: { $0.cell == selected }) else { return self.selected = ids.first }
        let remaining = Set(ids)
        if remaining.contains(selected) { return }
        hasLostSelection = !expectsOtherRows
        let neighbours = old[index...].compactMap(\.cell) + old[..<index].reversed().compactMap(\.cell)
        self.selected = neighbours.first(where: remaining.contains) ?? ids.first
    }

    /// Replaces the texts of the rows, after the text of a date has changed. The cells are the same.
    mutating func updateTexts(from new: [WatchedRow]) {
        rows = new
    }

    /// Moves the selection down by `step` cells, or up if `step` is negative. The selection stops at the ends of the list.
    mutating func select(_ step: Int) {
        confirmSelection()
        let ids = rows.compactMap(\.cell)
        guard let index = ids.firstIndex(where: { $0 == selected }) else { return }
        selected = ids[min(max(0, index + step), ids.count - 1)]
    }

    mutating func confirmSelection() {
        (hasLostSelection, expectsOtherRows) = (false, false)
    }

    mutating func expectOtherRows() {
        (hasLostSelection, expectsOtherRows) = (false, true)
    }
}
