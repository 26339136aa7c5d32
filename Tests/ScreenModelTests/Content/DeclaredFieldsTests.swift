import ScreenModel
import Testing

/// Tests that the declared fields of a type are known without a value of the type.
struct DeclaredFieldsTests {
    /// Returns the declared fields in the form `key: Type`, with `?` after the keys of optional fields.
    private func declared(_ type: any Content.Type) -> [String] {
        DeclaredFields(of: type).fields.map { "\($0.key)\($0.isRequired ? "" : "?"): \($0.type)" }
    }

    @Test func aDeclaredFieldHasAKeyATypeAndAnOptionality() {
        #expect(
            declared(ContentTests.Weighing.self) == [
                "id: Int", "tonnes?: Double", "tags: Array<String>", "note: Optional<String>", "late?: String",
            ]
        )
        #expect(declared(DeliveryCell.self) == ["tonnes: Double"])
        #expect(declared(AlbumCell.self) == [])
    }

    @Test func onlyTypesWithDynamicFieldsCanHaveUndeclaredFields() {
        #expect(!DeclaredFields(of: ContentTests.Weighing.self).areOpen)
        #expect(DeclaredFields(of: ContentTests.Counts.self).areOpen)
        #expect(declared(ContentTests.Counts.self) == ["title: String"])
        #expect(DeclaredFields(of: AnyCell.self).areOpen)
        #expect(!DeclaredFields(of: Never.self).areOpen)
    }
}
