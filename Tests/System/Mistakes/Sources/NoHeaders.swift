import ScreenModel

// The model has no headers, but the section has one.

func ordersOfMonday() -> TableViewModel<Never, OrderCell> {
    TableViewModel {
        // error: The type of headers and footers is `Never`: replace `Never` in the type of the model with their type.
        TableViewSection(id: "open", header: DayHeader(day: "Monday")) {
            OrderCell(id: "1")
        }
    }
}

func totalOfOrders(_ cells: [OrderCell]) -> CollectionViewModel<Never, OrderCell> {
    // error: The type of headers and footers is `Never`: replace `Never` in the type of the model with their type.
    CollectionViewModel(section: CollectionViewSection(footer: TotalFooter(total: 2), cells: cells))
}

func totalOfEntities() -> TableViewModel<Never, OrderCell> {
    TableViewModel {
        // error: The type of headers and footers is `Never`: replace `Never` in the type of the model with their type.
        TableViewSection(footer: TotalFooter(total: 2), entities: 1...3) { OrderCell(id: "\($0)") }
    }
}
