import ScreenModel
import Testing

/// Tests of the traits that all cells and views can have: size, selection and actions.
struct TraitTests {
    let frame = Size(width: 375, height: 667)

    /// Returns the traits of a view through the protocol `ViewContent`, as a renderer reads them.
    func traits<View: ViewContent>(of view: View) -> (Size?, Selection?, [OfferedAction]) {
        (view.size(in: frame), view.selection, view.actions)
    }

    @Test func aCellHasNeitherSizeNorSelectionNorActionsByDefault() {
        let (size, selection, actions) = traits(of: DeliveryCell(id: "1"))
        #expect(size == nil && selection == nil && actions.isEmpty)
    }

    @Test func aCellHasTheSizeAndTheSelectionAndTheActionsThatItsTypeImplements() {
        let (size, selection, actions) = traits(of: AlbumCell(id: "1"))
        #expect(size == Size(width: 187.5, height: 120))
        #expect(selection == .link(ScreenLink("artist", parameters: ["album": "1"])))
        #expect(actions == [OfferedAction("hide", title: "Hide")])
        #expect(AlbumCell(id: "1").size(in: nil) == nil)
    }

    @Test func aHeaderOrFooterCanBeSelectable() {
        struct RetryFooter: ViewContent, Selectable {
            var whenSelected: Selection { .action(ScreenAction("retry")) }

            static func fields(_ field: inout some FieldVisitor<Self>) {}
        }
        #expect(traits(of: RetryFooter()).1 == .action(ScreenAction("retry")))
    }

    @Test func aSizeWithoutAWidthIsWrittenWithItsHeightOnly() {
        #expect(written(Size(width: 187.5, height: 120)) == #"{"width":187.5,"height":120}"#)
        #expect(written(Size(height: 44)) == #"{"height":44}"#)
    }

    @Test func anEmptyInputOfAnActionIsNotWritten() {
        #expect(written(ScreenAction("connect")) == #"{"name":"connect"}"#)
        #expect(
            written(ScreenAction("weigh", input: ["id": "7534-1", "by": 2]))
                == #"{"name":"weigh","input":{"id":"7534-1","by":2}}"#
        )
    }

    @Test func emptyInputAndFalseFlagsOfAnOfferedActionAreNotWritten() {
        #expect(written(OfferedAction("cancel", title: "Annuler")) == #"{"name":"cancel","title":"Annuler"}"#)
        #expect(
            written(OfferedAction("cancel", title: "Annuler", input: ["id": 1], isDisabled: true, isDestructive: true))
                == #"{"name":"cancel","title":"Annuler","input":{"id":1},"disabled":true,"destructive":true}"#
        )
    }

    @Test func emptyParametersOfALinkAreNotWritten() {
        #expect(written(ScreenLink("artist")) == #"{"screen":"artist"}"#)
        #expect(
            written(ScreenLink("artist", parameters: ["width": "375", "album": "1"]))
                == #"{"screen":"artist","parameters":{"width":"375","album":"1"}}"#
        )
    }

    @Test func keysOfOrderedFieldsAreComparedByTheirBytes() {
        var fields: OrderedFields<JSONValue> = ["caf\u{E9}": 1, "cafe\u{301}": 2]
        #expect(fields["cafe\u{301}"] == 2)
        fields["last"] = 3
        fields["caf\u{E9}"] = nil
        fields["none"] = nil
        #expect(written(fields) == "{\"cafe\u{301}\":2,\"last\":3}")
        #expect(fields != ["last": 3, "cafe\u{301}": 2])
        #expect(fields == ["cafe\u{301}": 2, "last": 3])
        #expect(fields != ["caf\u{E9}": 2, "last": 3])
    }

    @Test func actionsWithEqualInputsHaveEqualHashes() {
        let actions = [1, 1, 2].map { ScreenAction("weigh", input: ["by": .int($0)]) }
        #expect(Set(actions).count == 2)
        #expect(Set(actions.map { Selection.action($0) }).count == 2)
    }
}
