import Relist

/// A screen that shows the number of groceries to buy in each aisle.
struct Aisles: Screen {
    static let name = "aisles"

    let title: Text = "Aisles"
    let visibility = Visibility.everyone
    let list: GroceryList

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<Never, AisleCell>> {
        let aisles = Dictionary(grouping: try await list.groceries(), by: \.aisle).sorted { $0.key < $1.key }
        return ScreenContent(
            title: title.in(request.locale),
            model: TableViewModel {
                TableViewSection(id: "aisles") {
                    for (name, groceries) in aisles { AisleCell(name: name, count: groceries.count) }
                }
            }
        )
    }
}

struct AisleCell: CellContent, Equatable {
    let name: String
    let count: Int

    var id: String { name }

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("name", \.name)
        field("count", \.count)
    }
}
