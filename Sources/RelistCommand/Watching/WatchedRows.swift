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
    var change: Change?
}

/// The rows of a screen, and what changed in the last update.
struct WatchedRows {
    private(set) var rows: [WatchedRow] = []
    /// The number of cells that the last update deleted.
    private(set) var deletedCount = 0

    /// Creates the rows of a model. If `update` has stages, the rows that they changed are marked.
    ///
    /// - Parameter earlier: The model before the update.
    init(_ update: ListUpdate, after earlier: ListModel?) {
        var changes: [String: WatchedRow.Change] = [:]
        if case .stages(let steps) = update.kind {
            var before = earlier
            for step in steps {
                Self.add(step, &changes)
                deletedCount += Self.deletedCount(of: step.stage, in: before)
                before = step.model
            }
        }
        for section in update.model.sections {
            if let header = section.header { rows.append(WatchedRow(cell: nil, text: Self.text(header.content))) }
            for cell in section.cells where !(cell.value.isHidden && cell.content["fallback"] == .null && cell.text.isEmpty) {
                rows.append(WatchedRow(cell: cell.id, text: cell.text, change: changes[cell.id]))
            }
            if let footer = section.footer { rows.append(WatchedRow(cell: nil, text: Self.text(footer.content))) }
        }
    }

    private static func add(_ step: ListUpdate.Step, _ changes: inout [String: WatchedRow.Change]) {
        func mark(_ run: CellRun, _ change: WatchedRow.Change) {
            for cell in step.model.sections[run.place.section].cells[run.place.item..<run.place.item + run.count] {
                if changes[cell.id] != .inserted { changes[cell.id] = change }
            }
        }
        for update in step.stage.updateCells { mark(CellRun(place: update.place, count: 1), .updated) }
        for insert in step.stage.insertCells { mark(insert.run, .inserted) }
        for move in step.stage.moveCells { mark(CellRun(place: move.destination, count: move.count), .moved) }
        for insert in step.stage.insertSections {
            mark(CellRun(place: CellPlace(section: insert.place, item: 0), count: step.model.sections[insert.place].cells.count), .inserted)
        }
    }

    private static func deletedCount(of stage: Stage, in model: ListModel?) -> Int {
        let cells = stage.deleteCells.reduce(0) { $0 + $1.count }
        return stage.deleteSections.reduce(cells) { $0 + (model?.sections[$1].cells.count ?? 0) }
    }

    /// Returns the texts and numbers in the content of a view, in the order of the JSON object. A member that is `true` is represented by
    /// its name.
    fileprivate static func text(_ content: JSONValue) -> String {
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

extension ListModel.Cell {
    fileprivate var text: String { WatchedRows.text(content) }
}

extension String {
    /// The text without characters that could control the terminal.
    var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
