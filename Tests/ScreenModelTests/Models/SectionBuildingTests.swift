import ScreenModel
import Testing

/// Tests of the result builders that create models and sections.
struct SectionBuildingTests {
    typealias Model = TableViewModel<DayHeader, DeliveryCell>

    @Test func theReturnTypeOfAFunctionDeterminesTheTypesOfBuiltSections() {
        func deliveries(open: Bool) -> TableViewModel<DayHeader, DeliveryCell> {
            TableViewModel {
                TableViewSection(id: "contract") {
                    DeliveryCell(id: "a")
                }
                if open {
                    TableViewSection(id: "day", header: DayHeader(day: "7/12")) {
                        DeliveryCell(id: "b")
                        DeliveryCell(id: "c")
                    }
                }
            }
        }
        #expect(deliveries(open: false).map(\.id) == ["contract"])
        #expect(deliveries(open: true).map(\.id) == ["contract", "day"])
        #expect(deliveries(open: true)[1].cells.map(\.id) == ["b", "c"])
    }

    @Test func aBuilderCanCreateAnyNumberOfCellsFromAnEntity() {
        let section = Model.Section(id: "s", header: DayHeader(day: "7/12"), entities: 0..<3) { number in
            if number != 1 {
                DeliveryCell(id: "\(number)")
                DeliveryCell(id: "\(number)'")
            }
        }
        #expect(section.id == "s" && section.header?.day == "7/12")
        #expect(section.map(\.id) == ["0", "0'", "2", "2'"])
    }

    @Test func aBuilderCanCreateASectionFromAnEntity() {
        func model() -> TableViewModel<DayHeader, DeliveryCell> {
            TableViewModel(entities: ["a", "b"]) { day in
                TableViewSection(id: day, header: DayHeader(day: day), entities: 1...2) { number in
                    DeliveryCell(id: "\(day)\(number)")
                }
            }
        }
        #expect(model().map(\.id) == ["a", "b"])
        #expect(model().flatMap(\.cells).map(\.id) == ["a1", "a2", "b1", "b2"])
    }

    @Test func aBuilderCanCreateSeveralSectionsFromAnEntity() {
        let model = Model(entities: ["a", "b"]) { day in
            Model.Section(id: day) {}
            Model.Section(id: day + "'") {}
        }
        #expect(model.map(\.id) == ["a", "a'", "b", "b'"])
    }

    @Test func aResultBuilderCanCreateACollectionModel() {
        func model() -> CollectionViewModel<DayHeader, DeliveryCell> {
            CollectionViewModel {
                CollectionViewSection(id: "a", entities: 1...2) { DeliveryCell(id: "\($0)") }
                CollectionViewSection(
                    id: "b",
                    supplementaryViews: [
                        SupplementaryViewSectionKey(kind: "badge", item: 0): DayHeader(day: "new")
                    ]
                ) {
                    DeliveryCell(id: "3")
                }
            }
        }
        #expect(model().flatMap(\.cells).map(\.id) == ["1", "2", "3"])
        #expect(model()[1].supplementaryViews.count == 1)
    }

    @Test func anErrorInAResultBuilderIsRethrown() {
        struct Failure: Error {}
        func cell(_ number: Int) throws -> DeliveryCell { throw Failure() }
        #expect(throws: Failure.self) {
            try Model(section: Model.Section(entities: 1...2) { try cell($0) })
        }
        #expect(throws: Failure.self) { try Model { Model.Section(cells: [try cell(1)]) } }
    }
}
