import Testing

@testable import RelistCommand

@Suite("The selected row of relist watch") struct SelectableRowsTests {
    private func rows(_ text: String) -> [WatchedRow] { WatchedRow.rows(text) }

    private func list(_ text: String, selecting steps: Int) -> SelectableRows {
        var list = SelectableRows()
        list.replace(with: rows(text))
        list.select(steps)
        return list
    }

    @Test func theFirstCellIsSelectedInitially() {
        #expect(list("# 1 2", selecting: 0).selected == "1" && list("#", selecting: 0).selected == nil)
    }

    @Test func theSelectionStaysOnItsCellWhenTheCellMoves() {
        var list = list("1 2 3", selecting: 1)
        list.replace(with: rows("2 # 3 1 4"))
        #expect(list.selected == "2" && !list.hasLostSelection)
    }

    @Test func theNextRowIsSelectedWhenTheSelectedRowIsDeleted() {
        var list = list("1 2 3 4", selecting: 1)
        list.replace(with: rows("1 4"))
        #expect(list.selected == "4" && list.hasLostSelection)
    }

    @Test func theRowAboveIsSelectedWhenTheSelectedLastRowIsDeleted() {
        var list = list("1 2 3", selecting: 2)
        list.replace(with: rows("1 2"))
        #expect(list.selected == "2" && list.hasLostSelection)
    }

    @Test func theFirstRowIsSelectedIfAllEarlierRowsWereReplaced() {
        var list = list("1 2", selecting: 1)
        list.replace(with: rows("3 4"))
        #expect(list.selected == "3" && list.hasLostSelection)
    }

    @Test func theSelectionIsConfirmedWhenItMovesAndStaysWithinTheList() {
        var list = list("1 2 3", selecting: 1)
        list.replace(with: rows("1 3"))
        list.select(5)
        #expect(list.selected == "3" && !list.hasLostSelection)
        list.select(-5)
        #expect(list.selected == "1")
    }
}

extension WatchedRow {
    /// Returns the rows for a text such as `# 1 2`: a header, and the cells 1 and 2.
    static func rows(_ text: String) -> [WatchedRow] {
        text.split(separator: " ").map { name in
            WatchedRow(cell: name == "#" ? nil : String(name), text: "row \(name)", change: nil)
        }
    }
}
