import Relist

/// The list, with a section for each aisle.
struct Groceries: Screen {
    static let name = "groceries"
    static let item = Field.text("name", limit: 100) { _ in "What" }
    static let aisle = Field.text("aisle", limit: 100) { _ in "Where" }

    let visibility = Visibility.everyone
    let list: GroceryList

    func title(in locale: ScreenLocale) -> String { "Groceries" }

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<AisleHeader, GroceryCell>> {
        let aisles = Dictionary(grouping: try await list.groceries(), by: \.aisle).sorted { $0.key < $1.key }
        return ScreenContent(
            title: title(in: request.locale),
            model: TableViewModel(entities: aisles) { aisle, groceries in
                TableViewSection(id: aisle, header: AisleHeader(title: aisle)) {
                    for grocery in groceries { GroceryCell(name: grocery.name) }
                }
            }
        )
    }

    var actions: [Action] {
        [
            Action("add", "Puts something on the list.", Self.item, Self.aisle) { _, name, aisle in
                try await list.add(Grocery(name: name, aisle: aisle))
            },
            Action("buy", "Takes something off the list.", Self.item) { _, name in try await list.buy(name) },
        ]
    }
}

struct AisleHeader: ViewContent, Equatable {
    let title: String

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("title", \.title)
    }
}

struct GroceryCell: CellContent, Selectable, Equatable {
    let name: String

    var id: String { name }
    var whenSelected: Selection { .action(ScreenAction("buy", input: ["name": .string(name)])) }

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("text", \.name)
    }
}
