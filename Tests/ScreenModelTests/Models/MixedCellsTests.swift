import ScreenModel
import Testing

/// Where a list is of `AnyCell`, lines are cells of every type.
struct MixedCellsTests {
    typealias Section = TableViewSection<AnyView, AnyCell>

    @Test func cellsOfSeveralTypesAreLines() {
        let section = Section(header: AnyView(DayHeader(day: "7/12"))) {
            DeliveryCell(id: "1")
            AlbumCell(id: "2")
        }
        #expect(section.map(\.id) == ["1", "2"])
        #expect(section.map(\.reuseIdentifier) == ["delivery", "album"])
        #expect(section.header?.reuseIdentifier == "day")
    }

    @Test func anErasedCellIsALineThatIsNotWrappedAgain() {
        let section = Section { AnyCell(DeliveryCell(id: "1")) }
        #expect(section[0].cell is DeliveryCell)
    }

    @Test func sequencesAndOptionalsOfCellsAreLines() {
        let album: AlbumCell? = AlbumCell(id: "3")
        let none: AlbumCell? = nil
        let erased: AnyCell? = AnyCell(AlbumCell(id: "4"))
        let section = Section {
            [DeliveryCell(id: "1")]
            ["2"].lazy.map { AlbumCell(id: $0) }
            album
            none
            erased
            [AnyCell(DeliveryCell(id: "5"))]
        }
        #expect(section.map(\.id) == ["1", "2", "3", "4", "5"])
        #expect(section[3].cell is AlbumCell)
        #expect(section[4].cell is DeliveryCell)
    }

    @Test func anExistentialIsALine() {
        let cell: any CellContent = AlbumCell(id: "1")
        #expect(Section { cell }[0].cell is AlbumCell)
    }

    @Test func anErasedCellInAnExistentialIsNotWrappedAgain() {
        let cell: any CellContent = AnyCell(AlbumCell(id: "1"))
        #expect(Section { cell }[0].cell is AlbumCell)
        let view: any ViewContent = AnyView(DayHeader(day: "7/12"))
        #expect(AnyView(view).view is DayHeader)
    }

    @Test func entitiesGiveCellsOfSeveralTypes() {
        func model() -> TableViewModel<Never, AnyCell> {
            TableViewModel {
                TableViewSection(id: "a", entities: 1...2) { number in
                    AlbumCell(id: "album \(number)")
                    if number == 2 { DeliveryCell(id: "delivery") }
                }
            }
        }
        #expect(model()[0].map(\.id) == ["album 1", "album 2", "delivery"])
    }
}
