import ScreenModel
import Testing

/// Tests of sections of `AnyCell`, in which a result builder accepts cells of every type.
struct MixedCellsTests {
    typealias Section = TableViewSection<AnyView, AnyCell>

    @Test func aBuilderOfTypeErasedCellsAcceptsCellsAndSequencesAndOptionals() {
        let album: AlbumCell? = AlbumCell(id: "3")
        let none: AlbumCell? = nil
        let section = Section(header: AnyView(DayHeader(day: "7/12"))) {
            DeliveryCell(id: "0")
            [DeliveryCell(id: "1")]
            ["2"].lazy.map { AlbumCell(id: $0) }
            album
            none
        }
        #expect(section.map(\.id) == ["0", "1", "2", "3"])
        #expect(section.map(\.reuseIdentifier) == ["delivery", "delivery", "album", "album"])
        #expect(section.header?.reuseIdentifier == "day")
    }

    @Test func aBuilderOfTypeErasedCellsDoesNotWrapTypeErasedCellsAgain() {
        let (cell, erased): (any CellContent, any CellContent) = (AlbumCell(id: "4"), AnyCell(AlbumCell(id: "5")))
        let optional: AnyCell? = AnyCell(AlbumCell(id: "2"))
        let section = Section {
            AnyCell(AlbumCell(id: "1"))
            optional
            [AnyCell(AlbumCell(id: "3"))]
            cell
            erased
        }
        #expect(section.map(\.id) == ["1", "2", "3", "4", "5"])
        #expect(section.allSatisfy { $0.cell is AlbumCell })
    }

    @Test func anEntityCanProvideCellsOfSeveralTypes() {
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
