import Relist

/// A screen that lists all notes. Selecting a note removes it.
struct Notes: Screen {
    static let name = "notes"
    static let text = Field.text("text", "Text", limit: 200)
    /// The text of the note that is selected. The cell provides it, so there is no form.
    static let selected = Field.text("text", "Text", limit: 200, source: .cell)

    static let add = Action("add", "Adds a note.", text) { (screen: Notes, _, text) in
        try await screen.notes.add(text)
    }
    static let remove = Action("remove", "Removes a note.", selected) { (screen: Notes, _, text) in
        try await screen.notes.remove(text)
    }

    let title: Text = "Notes"
    let visibility = Visibility.everyone
    let actions = [add, remove]
    let notes: NoteStore

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, NoteCell>> {
        let texts = try await notes.texts()
        return ScreenContent(
            title: title.in(request.locale),
            model: TableViewModel { TableViewSection(id: "notes") { for text in texts { NoteCell(text: text) } } }
        )
    }
}

struct NoteCell: CellContent, Selectable, Equatable {
    let text: String

    var id: String { text }
    var whenSelected: Selection { .action(ScreenAction(Notes.remove, input: [Notes.selected.name: .string(text)])) }

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("text", \.text)
    }
}
