import Testing

@testable import ScreenModel

/// Tests of the `type` in the JSON of a cell or a view. The `type` is derived from the name of the Swift type, unless the Swift type
/// implements `reuseIdentifier`.
struct ReuseIdentifierTests {
    @Test(arguments: [
        ("DeliveryCell", "delivery"), ("DayHeader", "day"), ("EndFooter", "end"),
        ("BadgeView", "badge"), ("Album", "album"),
        ("ArtistHeaderCell", "artistHeader"), ("HeaderView", "header"),
        ("Cell", "cell"), ("View", "view"),
        ("URLCell", "url"), ("URLPreviewCell", "urlPreview"), ("WiFiCell", "wiFi"),
        ("MP3Cell", "mp3"), ("ACell", "a"), ("URL", "url"), ("ElementCell", "element"),
        ("Cellular", "cellular"), ("rowCell", "row"), ("ÉtatCell", "état"),
        ("RowCell<Int>", "row"), ("RowCell<Array<OtherCell>>", "row"),
    ])
    func theReuseIdentifierIsTheTypeNameInLowerCamelCaseWithoutSuffixAndGenericArguments(name: String, expected: String) {
        #expect(ReuseIdentifiers.identifier(fromTypeName: name) == expected)
    }

    @Test func theReuseIdentifierOfANestedOrLocalTypeOmitsTheEnclosingType() {
        struct TrackCell<Content: Sendable>: CellContent {
            var id = ""

            static func fields(_ field: inout some FieldVisitor<Self>) {}
        }
        #expect(TrackCell<Int>().reuseIdentifier == "track")
        #expect(TrackCell<[String]>().reuseIdentifier == "track")
        #expect(NestedCell().reuseIdentifier == "nested")
    }

    private struct NestedCell: ViewContent {
        static func fields(_ field: inout some FieldVisitor<Self>) {}
    }

    @Test func theReuseIdentifierOfEachTypeIsCachedSeparately() {
        for _ in 0..<2 {
            #expect(DeliveryCell(id: "1").reuseIdentifier == "delivery")
            #expect(DayHeader(day: "7/12").reuseIdentifier == "day")
        }
    }

    @Test func aReuseIdentifierImplementedByATypeReplacesTheDerivedReuseIdentifier() {
        struct OtherCell: CellContent {
            var id = ""
            var reuseIdentifier: String { "stated" }

            static func fields(_ field: inout some FieldVisitor<Self>) {}
        }
        #expect(OtherCell().reuseIdentifier == "stated")
        #expect(AnyCell(OtherCell()).reuseIdentifier == "stated")
    }
}
