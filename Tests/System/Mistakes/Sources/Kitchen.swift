// Correct declarations, which the mistakes use.
import ScreenModel
import ScreenService

struct DayHeader: ViewContent {
    let day: String

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("day", \.day)
    }
}

struct TotalFooter: ViewContent {
    let total: Int

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("total", \.total)
    }
}

struct OrderCell: CellContent {
    let id: String

    static func fields(_ field: inout some FieldVisitor<Self>) {}
}

struct Kitchen: Screen {
    static let name = "kitchen"
    static let dish = Field.text("dish", "Dish")
    static let count = Field.integer("count", "Count", in: 1...9)

    let title: Text = "Kitchen"
    let visibility = Visibility.everyone

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<AnyView, OrderCell>> {
        ScreenContent(
            title: "Kitchen",
            model: TableViewModel {
                TableViewSection(id: "open", header: AnyView(DayHeader(day: "Monday")), footer: AnyView(TotalFooter(total: 2))) {
                    OrderCell(id: "1")
                }
                TableViewSection(id: "done", footer: nil) {
                    for id in ["2", "3"] { OrderCell(id: id) }
                }
            }
        )
    }
}
