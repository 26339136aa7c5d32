import ScreenModel
import Testing

/// What a client shows that does not know the type of a cell or a view.
struct FallbackTests {
    private struct PromoCell: CellContent, FallingBack {
        var id = "promo"
        var whenUnknown: Fallback

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("colour") { _ in "red" }
        }
    }

    /// Falls back to one that falls back to it.
    private struct CircularCell: CellContent, FallingBack {
        var id = "circle"
        var whenUnknown: Fallback { .view(self) }

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

    @Test func aPlainCellLeavesItToTheClient() {
        #expect(DeliveryCell(id: "1").fallback == nil)
        #expect(members(of: DeliveryCell(id: "1")) == #"{"type":"delivery","tonnes":0}"#)
    }

    @Test func nothingIsNull() {
        #expect(members(of: PromoCell(whenUnknown: .nothing)) == #"{"type":"promo","colour":"red","fallback":null}"#)
    }

    @Test func aFallbackIsAViewOfItsOwnInTheSameFrameAndHasNoID() {
        let cell = PromoCell(whenUnknown: .view(AlbumCell(id: "1")))
        let album = #"{"type":"album","size":{"width":50,"height":120},"actions":[{"name":"hide","title":"Hide"}],"#
            + #""link":{"screen":"artist","parameters":{"album":"1"}}}"#
        #expect(members(of: cell, in: Size(width: 100, height: 100)) == #"{"type":"promo","colour":"red","fallback":\#(album)}"#)
    }

    @Test func aFallbackHasNone() {
        #expect(members(of: CircularCell()) == #"{"type":"circular","fallback":{"type":"circular"}}"#)
        let wrapped = PromoCell(whenUnknown: .view(AnyCell(PromoCell(whenUnknown: .nothing))))
        #expect(members(of: wrapped) == #"{"type":"promo","colour":"red","fallback":{"type":"promo","colour":"red"}}"#)
    }

    @Test func whatIsOneOfSeveralFallsBackAsThatOneDoes() {
        let cell = PromoCell(whenUnknown: .view(DeliveryCell(id: "1")))
        let expected = members(of: cell)
        #expect(members(of: SomeCell.promo(cell)) == expected)
        #expect(members(of: AnyCell(cell)) == expected && members(of: AnyView(cell)) == expected)
        #expect(AnyCell(cell).fallback != nil)
    }
}
