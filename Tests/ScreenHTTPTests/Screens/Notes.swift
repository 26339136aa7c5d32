import ScreenModel
import ScreenService

/// A screen for users. It shows a list of notes, and has parameters of each kind.
struct Notes: Screen {
    typealias Model = TableViewModel<ListHeader, NoteCell>

    enum Order: String, CaseIterable {
        case given, reversed
    }

    static let name = "notes"
    static let revisions = 1...3
    static var example: ScreenExample? { ScreenExample(source: #filePath) }
    static let list = Parameter(
        "list", .text(limit: 100, shape: "a text"), "The list to show.", default: "inbox", defaultText: "inbox",
        parse: { $0 }, format: { $0 }
    )
    static let limit = Parameter.integer("limit", in: 1...100, default: 100, "The maximum number of notes.")
    static let order = Parameter.choice("order", default: Order.given, "The order of the notes.")

    let visibility = Visibility.user
    let parameters: [any ParameterDeclaring] = [list, limit, order]
    let store: NoteStore

    static let text = Field.text("te/xt", "Text", limit: 20)

    var actions: [Action] {
        [
            Action("add", "Adds a note.", Self.text) { request, text in
                guard text != "spam" else {
                    let rule = request.locale == .french ? "Pas de spam." : "No spam."
                    throw BrokenRules([BrokenRule(field: "te/xt", rule), BrokenRule("Please.")])
                }
                let list = request[Self.list]
                store.set(list, to: (try store.notes(in: list) ?? []) + [text])
            }
        ]
    }

    let title = Text("Notes", fr: "Mémos")

    func content(for request: ScreenRequest) async throws -> ScreenContent<Model> {
        let list = request[Self.list]
        guard let notes = try store.notes(in: list) else {
            let detail = request.locale == .french ? "La liste \(list) n’existe pas." : "There is no list \(list)."
            throw ScreenError.noSuchValue(parameter: "list", detail: detail)
        }
        let shown = request[Self.order] == .reversed ? notes.reversed() : notes
        // From revision 2 on, `isFirst` marks the first note.
        let cells = shown.prefix(request[Self.limit]).enumerated().map { place, note in
            NoteCell(id: note, text: "note \(note)", isFirst: request.revision > 1 && place == 0)
        }
        let section = Model.Section(id: list, header: ListHeader(title: list), entities: cells) { $0 }
        return ScreenContent(title: title.in(request.locale), model: Model(section: section))
    }
}

/// A screen for everyone with the notes of the list `news`.
struct News: Screen {
    typealias Model = TableViewModel<Never, NoteCell>

    static let name = "news"

    let visibility = Visibility.everyone
    let store: NoteStore

    let title: Text = "News"

    func content(for request: ScreenRequest) async throws -> ScreenContent<Model> {
        let cells = (try store.notes(in: "news") ?? []).map { NoteCell(id: $0, text: $0) }
        return ScreenContent(title: "News", model: Model(section: Model.Section(id: "all", entities: cells) { $0 }))
    }
}

struct ListHeader: ViewContent {
    let title: String

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("title", \.title)
    }
}

struct NoteCell: CellContent {
    let id: String
    let text: String
    var isFirst = false

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("text", \.text)
        field("isFirst") { $0.isFirst ? true : nil }
    }
}
