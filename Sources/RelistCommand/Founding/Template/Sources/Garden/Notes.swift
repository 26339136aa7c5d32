import Relist

/// All notes. Choosing one removes it.
struct Notes: Screen {
    static let name = "notes"
    static let text = Field.text("text", limit: 200) { _ in "Text" }

    let visibility = Visibility.everyone
    let notes: NoteStore

    func title(in locale: ScreenLocale) -> String { "Notes" }

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, NoteCell>> {
        let texts = try await notes.texts()
        return ScreenContent(
            title: title(in: request.locale),
            model: TableViewModel { TableViewSection(id: "notes") { for text in texts { NoteCell(text: text) } } }
        )
    }

    var actions: [Action] {
        [
            Action("add", "Adds a note.", Self.text) { _, text in try await notes.add(text) },
            Action("remove", "Removes a note.", Self.text) { _, text in try await notes.remove(text) },
        ]
    }
}

struct NoteCell: CellContent, Selectable, Equatable {
    let text: String

    var id: String { text }
    var whenSelected: Selection { .action(ScreenAction("remove", input: ["text": .string(text)])) }

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("text", \.text)
    }
}
