import ScreenModel
import Testing

/// What traits state is written with the keys of the protocol.
struct TraitContentTests {
    @Test func aSizeWritesItsWidthIfItHasOne() {
        #expect(written(Size(width: 187.5, height: 120)) == #"{"width":187.5,"height":120}"#)
        #expect(written(Size(height: 44)) == #"{"height":44}"#)
    }

    @Test func anActionWritesItsInputIfThereIsAny() {
        #expect(written(ScreenAction("connect")) == #"{"name":"connect"}"#)
        #expect(
            written(ScreenAction("weigh", input: ["id": "7534-1", "by": 2]))
                == #"{"name":"weigh","input":{"id":"7534-1","by":2}}"#
        )
    }

    @Test func anOfferedActionWritesWhatSetsItApart() {
        #expect(written(OfferedAction("cancel", title: "Annuler")) == #"{"name":"cancel","title":"Annuler"}"#)
        #expect(
            written(OfferedAction("cancel", title: "Annuler", input: ["id": 1], isDisabled: true))
                == #"{"name":"cancel","title":"Annuler","input":{"id":1},"disabled":true}"#
        )
    }

    @Test func aLinkWritesItsParametersIfThereAreAny() {
        #expect(written(ScreenLink("artist")) == #"{"screen":"artist"}"#)
        #expect(
            written(ScreenLink("artist", parameters: ["width": "375", "album": "1"]))
                == #"{"screen":"artist","parameters":{"width":"375","album":"1"}}"#
        )
    }

    @Test func fieldsAreSetRemovedAndFoundByTheBytesOfTheirKeys() {
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

    @Test func equalTraitsHashAlike() {
        let actions = [1, 1, 2].map { ScreenAction("weigh", input: ["by": .int($0)]) }
        #expect(Set(actions).count == 2)
        #expect(Set(actions.map { Selection.action($0) }).count == 2)
        #expect(Set([Size(height: 1), Size(height: 1), Size(width: 1, height: 1)]).count == 2)
        #expect(Set([ScreenLink("a"), ScreenLink("a", parameters: ["b": "c"])]).count == 2)
        #expect(Set([OfferedAction("a", title: "A"), OfferedAction("a", title: "B")]).count == 2)
    }
}
