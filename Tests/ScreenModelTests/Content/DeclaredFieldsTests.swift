import ScreenModel
import Testing

/// What a type declares is known without a value of it.
struct DeclaredFieldsTests {
    /// The fields as `key: Type`, with `?` behind the key of one that may be left out.
    private func declared(_ type: any Content.Type) -> [String] {
        DeclaredFields(of: type).fields.map { "\($0.key)\($0.isRequired ? "" : "?"): \($0.type)" }
    }

    @Test func keysTypesAndWhatMayBeLeftOutAreDeclared() {
        #expect(
            declared(ContentTests.Weighing.self) == [
                "id: Int", "tonnes?: Double", "tags: Array<String>", "note: Optional<String>", "late?: String",
            ]
        )
        #expect(declared(DeliveryCell.self) == ["tonnes: Double"])
        #expect(declared(AlbumCell.self) == [])
    }

    @Test func onlyWhatIsKnownFromAValueLeavesThemOpen() {
        #expect(!DeclaredFields(of: ContentTests.Weighing.self).areOpen)
        #expect(DeclaredFields(of: ContentTests.Counts.self).areOpen)
        #expect(declared(ContentTests.Counts.self) == ["title: String"])
        #expect(DeclaredFields(of: AnyCell.self).areOpen)
        #expect(!DeclaredFields(of: Never.self).areOpen)
    }
}
