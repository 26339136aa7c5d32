import ScreenModel

/// The header of a section of a table. Its type on the wire is `section`.
struct SectionHeader: ViewContent {
    let title: String

    static func fields(_ field: inout some FieldVisitor<Self>) {
        field("title", \.title)
    }
}
