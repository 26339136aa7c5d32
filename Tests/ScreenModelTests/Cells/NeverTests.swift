import ScreenModel
import Testing

/// A model of `Never` renders like any other.
struct NeverTests {
    func describe<HeaderFooter: ViewContent, Cell: CellContent>(
        _ model: TableViewModel<HeaderFooter, Cell>
    ) -> [String] {
        model.flatMap { section in
            [section.header.map { $0.reuseIdentifier } ?? "none"] + section.map { $0.id + written($0) }
        }
    }

    @Test func aModelWithoutHeadersRenders() {
        let model = TableViewModel<Never, DeliveryCell>(cells: [DeliveryCell(id: "1", tonnes: 2)])
        #expect(describe(model) == ["none", #"1{"tonnes":2}"#])
    }

    @Test func aModelWithoutCellsRenders() {
        let section = TableViewSection<DayHeader, Never>(header: DayHeader(day: "7/12"), cells: [])
        #expect(describe(TableViewModel(section: section)) == ["day"])
    }
}
