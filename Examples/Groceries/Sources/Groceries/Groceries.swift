import Relist

/// The grocery list, with a section for each aisle.
struct Groceries: Screen {
    static let name = "groceries"
    static let item = Field.text("name", "What", limit: 100)
    static let listed = Field.text("name", "What", source: .cell)
    static let aisle = Field.text("aisle", "Where", limit: 100)

    static let add = Action("add", "Puts something on the list.", item, aisle) { (groceries: Groceries, _, name, aisle) in
        try await groceries.list.add(Grocery(name: name, aisle: aisle))
    }
    static let buy = Action("buy", "Takes something off the list.", listed) { (groceries: Groceries, _, name) in
        try await groceries.list.buy(name)
    }

    let title: Text = "Groceries"
    let visibility = Visibility.everyone
    let actions = [add, buy]
    let list: GroceryList

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<AisleHeader, GroceryCell>> {
        let aisles = Dictionary(grouping: try await list.groceries(), by: \.aisle).sorted { $0.key < $1.key }
        return ScreenContent(
            title: title.in(request.locale),
            model: TableViewModel(entities: aisles) { aisle, groceries in
                TableViewSection(id: aisle, header: AisleHeader(title: aisle)) {
                    for grocery in groceries { GroceryCell(name: grocery.name) }
                }
            }
        )
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
    var whenSelected: Selection { .action(ScreenAction(Groceries.buy, input: [Groceries.listed.name: .string(name)])) }

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("text", \.name)
    }
}
