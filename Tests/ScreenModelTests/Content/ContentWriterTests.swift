import ScreenModel
import Testing

/// An object writes its fields, keys first.
struct ContentWriterTests {
    struct Weighing: Content {
        var tonnes: Double?
        var note: String?

        func writeFields(to content: inout some ContentWriter) {
            content.field("id", 7)
            content.field("tonnes", tonnes)
            content.field("tags", ["a", "b"])
            content.key("note")
            note.write(to: &content)
        }
    }

    @Test func fieldsAreWrittenInTheirOrder() {
        #expect(
            written(Weighing(tonnes: 1.5, note: "wet"))
                == "{ id: 7 tonnes: 1.5 tags: [ 'a' 'b' ] note: 'wet' }"
        )
    }

    @Test func aFieldThatIsNilIsLeftOutUnlessItIsWrittenAsAValue() {
        #expect(written(Weighing()) == "{ id: 7 tags: [ 'a' 'b' ] note: null }")
    }

    @Test func objectsAreElementsAndFields() {
        struct Day: Content {
            func writeFields(to content: inout some ContentWriter) {
                content.field("first", Weighing())
            }
        }
        #expect(written([Day()]) == "[ { first: { id: 7 tags: [ 'a' 'b' ] note: null } } ]")
    }
}
