import ScreenModel
import Testing

@testable import RelistCommand

@Suite("The page of relist watch") struct WatchedPageTests {
    /// Returns the lines without the sequences for colours.
    private func lines(
        _ rows: Int, _ columns: Int, _ state: WatchedState, title: String = "Title", connection: String = "live"
    ) -> [String] {
        WatchedPage(rows: rows, columns: columns).lines(of: state, title: title, connection: connection).map {
            $0.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
        }
    }

    private func state(_ text: String, _ count: Int) -> WatchedState {
        var state = WatchedState()
        state.show((0..<count).map { WatchedRow(cell: "\($0)", text: text, change: nil) })
        state.report(text)
        state.change = "12 bytes"
        return state
    }

    @Test(arguments: 1...8, [1, 2, 10, 61]) func thePageFitsIntoTerminalsOfAllSizes(rows: Int, columns: Int) {
        var state = state(String(repeating: "漢字", count: 60), 30)
        for _ in 0..<2 {
            let lines = lines(rows, columns, state, title: String(repeating: "題", count: 60), connection: "offline, tries again")
            #expect(lines.count == rows && lines.allSatisfy { $0.columns <= columns }, "\(lines)")
            state.offer([OfferedAction("join", title: String(repeating: "字", count: 60))], of: "1")
        }
    }

    @Test func aLongTitleLeavesRoomForTheStateOfTheConnection() {
        let lines = lines(5, 40, state("a", 1), title: String(repeating: "題", count: 60), connection: "offline, tries again")
        #expect(lines[0].hasSuffix("  offline, tries again"), "\(lines)")
    }

    @Test func aPasswordIsShownAsDots() throws {
        var state = state("row", 1)
        _ = state.ask(try ActionFormTests.form("join", ["password": "geheim"]))
        let lines = lines(8, 60, state)
        #expect(lines.last?.contains("Password, optional: ••••••▏") == true, "\(lines)")
        #expect(state.prompt?.text == "geheim")
    }

    @Test func theSelectedRowIsVisible() {
        var state = state("row", 30)
        for _ in 0..<29 { _ = state.press(.down) }
        let lines = WatchedPage(rows: 8, columns: 40).lines(of: state, title: "Title", connection: "live")
        #expect(lines.contains { $0.hasPrefix("\u{1B}[7m") })
    }

    @Test func aSmallTerminalStillShowsTheTitleAndOneRowAndTheMessage() {
        let lines = lines(3, 40, state("a", 3))
        #expect(lines == ["Title  live", "  a", "a"])
    }

    @Test func theEndOfALongInputIsVisible() {
        var state = state("a", 1)
        state.search("Search", parameter: "q", text: String(repeating: "x", count: 100) + "end")
        #expect(lines(6, 20, state).last?.hasSuffix("end▏") == true)
    }
}
