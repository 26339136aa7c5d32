import ScreenModel
import Testing

/// Tests that a variant forwards all requirements to the cell or view that the variant wraps.
struct VariantTests {
    enum ArtistCell: CellVariant {
        case album(AlbumCell)
        case delivery(DeliveryCell)

        var cell: any CellContent {
            switch self {
            case .album(let cell): cell
            case .delivery(let cell): cell
            }
        }
    }

    enum ArtistHeader: ViewVariant {
        case day(DayHeader)
        case album(AlbumCell)

        var view: any ViewContent {
            switch self {
            case .day(let view): view
            case .album(let view): view
            }
        }
    }

    func expectEqual(_ variant: some ViewContent, _ view: some ViewContent) {
        let frame = Size(width: 100, height: 100)
        #expect(variant.reuseIdentifier == view.reuseIdentifier)
        #expect(variant.size(in: frame) == view.size(in: frame))
        #expect(variant.selection == view.selection)
        #expect(variant.actions == view.actions)
        #expect(written(variant) == written(view))
    }

    @Test func aTypeErasedCellOrViewHasTheTraitsAndContentOfTheWrappedValue() {
        expectEqual(AnyCell(AlbumCell(id: "1")), AlbumCell(id: "1"))
        expectEqual(AnyCell(DeliveryCell(id: "1", tonnes: 2)), DeliveryCell(id: "1", tonnes: 2))
        #expect(AnyCell(DeliveryCell(id: "1")).id == "1")
        expectEqual(AnyView(DayHeader(day: "7/12")), DayHeader(day: "7/12"))
        expectEqual(AnyView(AlbumCell(id: "1")), AlbumCell(id: "1"))
    }

    @Test func aTypeErasedCellOrViewIsNotWrappedAgain() {
        #expect(AnyCell(AnyCell(AlbumCell(id: "1"))).cell is AlbumCell)
        #expect(AnyView(AnyView(DayHeader(day: "7/12"))).view is DayHeader)
        let view: any ViewContent = AnyView(DayHeader(day: "7/12"))
        #expect(AnyView(view).view is DayHeader)
    }

    @Test func anEnumVariantHasTheTraitsAndContentOfTheCellOrViewInItsCase() {
        let cells = TableViewSection<Never, ArtistCell> {
            ArtistCell.album(AlbumCell(id: "1"))
            ArtistCell.delivery(DeliveryCell(id: "2"))
        }
        expectEqual(cells[0], AlbumCell(id: "1"))
        expectEqual(cells[1], DeliveryCell(id: "2"))
        #expect(cells.map(\.id) == ["1", "2"])
        expectEqual(ArtistHeader.day(DayHeader(day: "7/12")), DayHeader(day: "7/12"))
        expectEqual(ArtistHeader.album(AlbumCell(id: "1")), AlbumCell(id: "1"))
    }
}
