import ScreenClient

/// A line of a screen in the terminal.
struct WatchedRow: Equatable {
    enum Change: String {
        case inserted = "+"
        case updated = "~"
        case moved = ">"
    }

    /// The id of the cell, or `nil` for a header or a footer.
    let cell: String?
    let text: String
    /// The change of the cell in the last update.
    let change: Change?
}

extension WatchedRow {
    /// Creates the row of a header or a footer.
    ///
    /// - Parameter show: Returns the text of a date.
    init(_ view: ListModel.View, show: (LiveDate) -> String) {
        self.init(cell: nil, text: Self.text(view.content, show), change: nil)
    }

    /// Creates the row of a cell. It is `nil` if the cell is hidden.
    ///
    /// - Parameter show: Returns the text of a date.
    init?(_ cell: ListModel.Cell, _ change: Change?, show: (LiveDate) -> String) {
        let text = Self.text(cell.content, show)
        if cell.value.isHidden, cell.content["fallback"] == .null, text.isEmpty { return nil }
        self.init(cell: cell.id, text: text, change: change)
    }

    /// Returns the texts, numbers and dates in the content of a view, in the order of the JSON object. A member that is `true` is
    /// represented by its name.
    private static func text(_ content: JSONValue, _ show: (LiveDate) -> String) -> String {
        guard case .object(let members) = content else { return "" }
        let known: Set<String> = ["id", "type", "size", "action", "actions", "link", "fallback"]
        let words = members.filter { !known.contains($0.name) }.compactMap { word(for: $0.name, $0.value, show) }
        return words.joined(separator: "  ").printable
    }

    private static func word(for name: String, _ value: JSONValue, _ show: (LiveDate) -> String) -> String? {
        switch value {
        case .string(let text): return text.isEmpty ? nil : text
        case .number(let digits): return digits
        case .bool(let isTrue): return isTrue ? name : nil
        case .object:
            if let date = LiveDate(value) { return show(date) }
            let text = text(value, show)
            return text.isEmpty ? nil : text
        case .null, .array: return nil
        }
    }
}
