import ScreenWire

extension ShownScreen: CustomStringConvertible {
    /// The title, and a line for each section, view and cell.
    public var description: String {
        ([title ?? view.screen] + sections.flatMap(\.lines)).joined(separator: "\n")
    }
}

extension ShownScreen.Section {
    fileprivate var lines: [String] {
        ["section \(id)"] + [header.map { "  header \($0.line)" }].compactMap(\.self) + cells.map { "  cell \($0.content.line)" }
            + supplementary.map { "  \($0.kind) \($0.content.line)" } + [footer.map { "  footer \($0.line)" }].compactMap(\.self)
    }
}

extension ScreenChange: CustomStringConvertible {
    /// A line for each change: `+` inserted, `-` deleted, `>` moved, `~` updated with the content before and after. `no change` if there is none.
    public var description: String {
        let lines =
            [before.title == after.title ? nil : "~ title \(before.title ?? "none") → \(after.title ?? "none")"].compactMap(\.self)
            + deletedSections.map { "- section \($0)" } + insertedSections.map { "+ section \($0)" }
            + movedSections.map { "> section \($0)" }
            + updatedSections.map { "~ section \($0)" } + deleted.map { "- \(before.line(of: $0))" }
            + inserted.map { "+ \(after.line(of: $0))" } + moved.map { "> cell \($0)" }
            + updated.map { "~ \(before.line(of: $0)) → \(after.line(of: $0))" }
        return lines.isEmpty ? "no change" : lines.joined(separator: "\n")
    }
}

extension ShownScreen {
    fileprivate func line(of id: String) -> String {
        cell(id)?.content.line ?? id
    }
}

extension JSONValue {
    /// The value as JSON text.
    fileprivate var line: String {
        var writer = JSONWriter()
        write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
