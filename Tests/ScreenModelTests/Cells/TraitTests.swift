import ScreenModel
import Testing

/// A trait answers a requirement that a plain cell leaves at its default.
struct TraitTests {
    let frame = Size(width: 375, height: 667)

    /// Asks as a renderer does, knowing of the protocol alone.
    func keys<View: ViewContent>(of view: View) -> (Size?, Selection?, [OfferedAction]) {
        (view.size(in: frame), view.selection, view.actions)
    }

    @Test func aPlainCellHasNoSizeNoSelectionAndNoActions() {
        let (size, selection, actions) = keys(of: DeliveryCell(id: "1"))
        #expect(size == nil)
        #expect(selection == nil)
        #expect(actions.isEmpty)
    }

    @Test func aCellThatStatesTraitsHasThem() {
        let (size, selection, actions) = keys(of: AlbumCell(id: "1"))
        #expect(size == Size(width: 187.5, height: 120))
        #expect(selection == .link(ScreenLink("artist", parameters: ["album": "1"])))
        #expect(actions == [OfferedAction("hide", title: "Hide")])
    }

    @Test func withoutAFrameThereIsNoSize() {
        #expect(AlbumCell(id: "1").size(in: nil) == nil)
    }

    @Test func aHeaderHasTraitsToo() {
        struct RetryFooter: ViewContent, Selectable {
            var whenSelected: Selection { .action(ScreenAction("retry")) }

            static func fields(_ field: inout some FieldVisitor<Self>) {}
        }
        #expect(keys(of: RetryFooter()).1 == .action(ScreenAction("retry")))
    }

    @Test func aSelectionIsEitherAnActionOrALink() {
        let action = ScreenAction("connect")
        let link = ScreenLink("artist")
        #expect(Selection.action(action).action == action)
        #expect(Selection.action(action).link == nil)
        #expect(Selection.link(link).action == nil)
        #expect(Selection.link(link).link == link)
    }
}
