import ScreenModel
import Testing

/// Tests of fallbacks. Clients show a fallback if they do not know the type of a cell or a view.
struct FallbackTests {
    private struct PromoCell: CellContent, FallbackProviding {
        var id = "promo"
        var fallbackView: Fallback

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("colour") { _ in "red" }
        }
    }

    /// A cell that is its own fallback.
    private struct CircularCell: CellContent, FallbackProviding {
        var id = "circle"
        var fallbackView: Fallback { .view(self) }

        static func fields(_ field: inout some FieldVisitor<Self>) {}
    }

    private enum SomeCell: CellVariant {
        case promo(PromoCell)

        var cell: any CellContent {
            switch self {
            case .promo(let cell): cell
            }
        }
    }

    private func members(of view: some ViewContent, in frame: Size? = nil) -> String {
        var writer = JSONWriter()
        writer.writeObject { view.writeMembers(to: &$0, in: frame) }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func aCellHasNoFallbackByDefault() {
        #expect(DeliveryCell(id: "1").fallback == nil)
        #expect(members(of: DeliveryCell(id: "1")) == #"{"type":"delivery","tonnes":0}"#)
    }

    @Test func aFallbackThatShowsNothingIsWrittenAsNull() {
        #expect(members(of: PromoCell(fallbackView: .nothing)) == #"{"type":"promo","colour":"red","fallback":null}"#)
    }

    @Test func aFallbackIsWrittenWithoutAnIDAndItsSizeIsComputedForTheFrameOfTheCell() {
        let cell = PromoCell(fallbackView: .view(AlbumCell(id: "1")))
        let album =
            #"{"type":"album","size":{"width":50,"height":120},"actions":[{"name":"hide","title":"Hide"}],"#
            + #""link":{"screen":"artist","parameters":{"album":"1"}}}"#
        #expect(members(of: cell, in: Size(width: 100, height: 100)) == #"{"type":"promo","colour":"red","fallback":\#(album)}"#)
    }

    @Test func theFallbackOfAFallbackIsNotWritten() {
        #expect(members(of: CircularCell()) == #"{"type":"circular","fallback":{"type":"circular"}}"#)
        let wrapped = PromoCell(fallbackView: .view(AnyCell(PromoCell(fallbackView: .nothing))))
        #expect(members(of: wrapped) == #"{"type":"promo","colour":"red","fallback":{"type":"promo","colour":"red"}}"#)
    }

    @Test func aVariantIsWrittenWithTheFallbackOfTheWrappedCell() {
        let cell = PromoCell(fallbackView: .view(DeliveryCell(id: "1")))
        let expected = members(of: cell)
        #expect(members(of: SomeCell.promo(cell)) == expected)
        #expect(members(of: AnyCell(cell)) == expected && members(of: AnyView(cell)) == expected)
        #expect(AnyCell(cell).fallback != nil)
    }
}
