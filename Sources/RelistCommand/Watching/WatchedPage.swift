/// The lines that the terminal shows for a state. No line is wider than the terminal, and there are exactly as many lines as it has rows.
struct WatchedPage {
    let rows: Int
    let columns: Int

    func lines(of state: WatchedState, title: String, connection: String) -> [String] {
        let footer = footer(of: state)
        let room = max(0, rows - 1 - footer.count)
        let list = list(state.list, room)
        let space = Array(repeating: "", count: room - list.count)
        return Array(([head(title, connection)] + list + space + footer).prefix(rows))
    }

    /// Returns the first line. A long title leaves at least half of the line to the state of the connection.
    private func head(_ title: String, _ connection: String) -> String {
        let title = title.printable.fitted(to: max(columns - connection.columns - 2, columns / 2 - 2))
        return "\u{1B}[1m\(title)\u{1B}[0m" + "  \(connection)".fitted(to: columns - title.columns)
    }

    /// Returns the rows of the list around the selected one.
    private func list(_ list: SelectableRows, _ room: Int) -> [String] {
        let index = list.rows.firstIndex { $0.cell != nil && $0.cell == list.selected } ?? 0
        let first = min(max(0, index - room / 2), max(0, list.rows.count - room))
        return list.rows.dropFirst(first).prefix(room).map { row in
            let text = (row.cell == nil ? "" : row.change.map { "\($0.rawValue) " } ?? "  ") + row.text
            return (row.cell != nil && row.cell == list.selected ? "\u{1B}[7m" : "") + row.color + text.fitted(to: columns)
        }
    }

    /// Returns the last lines. In a small terminal, the least important of them are left out, so that the title and one row remain.
    private func footer(of state: WatchedState) -> [String] {
        let help = "↑ ↓ select   ⏎ open   a actions   / search   b back   r refresh   q quit"
        let actions = state.actions.printable.fitted(to: columns)
        let message = state.message.printable.fitted(to: columns)
        let last = state.prompt.map(line) ?? "\u{1B}[2m" + help.fitted(to: columns)
        let notice = message.isEmpty ? actions : message
        switch rows {
        case 5...: return [actions.isEmpty ? "\u{1B}[2m" + state.change.fitted(to: columns) : actions, message, last]
        case 4: return [notice, last]
        default: return [state.prompt == nil && !notice.isEmpty ? notice : last]
        }
    }

    /// Returns the line of a prompt. If the line is too long, the end of the text that is typed remains visible.
    private func line(_ prompt: WatchedState.Prompt) -> String {
        let text = "\(prompt.shownText.printable)▏"
        let title = "\(prompt.title.printable): ".fitted(to: max(columns - text.columns, columns / 2))
        return title + text.fittedEnd(to: columns - title.columns)
    }
}

extension WatchedRow {
    fileprivate var color: String {
        switch change {
        case .inserted: "\u{1B}[32m"
        case .updated: "\u{1B}[33m"
        case .moved: "\u{1B}[36m"
        case nil: cell == nil ? "\u{1B}[2m" : ""
        }
    }
}
