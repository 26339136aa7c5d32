import Foundation
import Relist

/// The orders of a restaurant, with a section for each state. Waiters place and serve, cooks cook, and only a chief voids an order: each
/// sees the buttons of its own role.
struct Orders: Screen {
    static let name = "orders"
    static let number = Field.integer("number", Text("Number", fr: "Numéro"), in: 1...Int.max, source: .cell)
    static let dish = Field.text("dish", Text("Dish", fr: "Plat"), limit: 60)
    static let table = Field.integer("table", "Table", in: 1...99)

    static let place = Action("place", title: Text("Order", fr: "Commander"), "Places an order.", dish, table) {
        (orders: Orders, context, dish, table) in
        try await orders.book.place(dish, for: table, at: context.now)
    }.access(.users(with: "role", "waiter"))
    static let cook = Action("cook", title: Text("Cook", fr: "Cuisiner"), "Begins to cook an order.", number) {
        (orders: Orders, context, number) in
        try await orders.book.cook(number, in: context.locale)
    }.access(.users(with: "role", "cook"))
    static let serve = Action("serve", title: Text("Serve", fr: "Servir"), "Serves an order.", number) {
        (orders: Orders, context, number) in
        try await orders.book.remove(number, in: context.locale)
    }.access(.users(with: "role", "waiter"))
    static let void = Action("void", title: Text("Void", fr: "Annuler"), "Voids an order.", number) {
        (orders: Orders, context, number) in
        try await orders.book.remove(number, in: context.locale)
    }.access(.users(with: "role", "chief"))

    let title = Text("Orders", fr: "Commandes")
    let visibility = Visibility.everyone
    let access = Access.users
    let actions = [place, cook, serve, void]
    let book: OrderBook
    /// The number of minutes after which an order is late.
    let lateAfter: Int

    func content(for request: ScreenRequest) async throws -> ScreenContent<TableViewModel<StateHeader, OrderCell>> {
        let orders = try await book.orders()
        let late = Int(request.now(every: .minutes(1)).timeIntervalSince1970) - lateAfter * 60
        return ScreenContent(
            title: title.in(request.locale),
            model: TableViewModel(entities: Order.State.allCases) { state in
                TableViewSection(id: state.rawValue, header: StateHeader(title: state.title.in(request.locale))) {
                    for order in orders where order.state == state {
                        OrderCell(order: order, isLate: order.placed <= late, locale: request.locale)
                    }
                }
            }
        )
    }
}

extension Order.State {
    fileprivate var title: Text {
        switch self {
        case .waiting: Text("Waiting", fr: "En attente")
        case .cooking: Text("Cooking", fr: "En cuisine")
        }
    }
}

struct StateHeader: ViewContent, Equatable {
    let title: String

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("title", \.title)
    }
}

/// An order. How long ago it was placed is shown by the clients, which keep the text current. That it is late is decided here.
struct OrderCell: CellContent, Equatable {
    let order: Order
    let isLate: Bool
    let locale: ScreenLocale

    var id: String { "order-\(order.number)" }

    var actions: [OfferedAction] {
        let input: OrderedFields<JSONValue> = [Orders.number.name: .int(order.number)]
        let next = order.state == .waiting ? Orders.cook : Orders.serve
        return [
            OfferedAction(next, in: locale, input: input), OfferedAction(Orders.void, in: locale, input: input, isDestructive: true),
        ]
    }

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("title", \.order.dish)
        field("table", \.order.table)
        field("placed") { LiveDate(secondsSince1970: Int64($0.order.placed), style: .relative) }
        field("isLate", \.isLate)
    }
}
