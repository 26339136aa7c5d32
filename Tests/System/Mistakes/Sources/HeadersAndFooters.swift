import ScreenModel

// The footer has another type than the header.

func ordersWithTotal() -> TableViewModel<DayHeader, OrderCell> {
    TableViewModel {
        // error: Headers and footers must have the type that the model declares. Use `AnyView` for several types: `AnyView(header)`.
        TableViewSection(id: "open", header: DayHeader(day: "Monday"), footer: TotalFooter(total: 2)) {
            OrderCell(id: "1")
        }
    }
}

func listWithTotal(_ cells: [OrderCell]) -> CollectionViewModel<DayHeader, OrderCell> {
    // error: Headers and footers must have the type that the model declares. Use `AnyView` for several types: `AnyView(header)`.
    CollectionViewModel(sections: [CollectionViewSection(header: DayHeader(day: "Monday"), footer: TotalFooter(total: 2), cells: cells)])
}

// The model has views of any type, but the header is not converted to one.

func ordersOfAnyDay() -> TableViewModel<AnyView, OrderCell> {
    TableViewModel {
        // error: Headers and footers must have the type that the model declares. Use `AnyView` for several types: `AnyView(header)`.
        TableViewSection(header: DayHeader(day: "Monday"), entities: 1...3) { OrderCell(id: "\($0)") }
    }
}
