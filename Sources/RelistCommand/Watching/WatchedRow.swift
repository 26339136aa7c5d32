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
    init(_ view: ListModel.View) {
        self.init(cell: nil, text: Self.text(view.content), change: nil)
    }

    /// Creates the row of a cell. It is `nil` if the cell is hidden.
    init?(_ cell: ListModel.Cell, _ change: Change?) {
        let text = Self.text(cell.content)
        if cell.value.isHidden, cell.content["fallback"] == .null, text.isEmpty { return nil }
        self.init(cell: cell.id, text: text, change: change)
    }

    /// Returns the texts and numbers in the content of a view, in the order of the JSON object. A member that is `true` is represented by
    /// its name.
    private static func text(_ content: JSONValue) -> String {
        guard case .object(let members) = content else { return "" }
        let known: Set<String> = ["id", "type", "size", "action", "actions", "link", "fallback"]
        return members.filter { !known.contains($0.name) }.compactMap { word(for: $0.name, $0.value) }.joined(separator: "  ").printable
    }

    private static func word(for name: String, _ value: JSONValue) -> String? {
        switch value {
        case .string(let text): text.isEmpty ? nil : text
        case .number(let digits): digits
        case .bool(let isTrue): isTrue ? name : nil
        case .object: text(value).isEmpty ? nil : text(value)
        case .null, .array: nil
        }
    }
}
