import ScreenModel

/// Stands above a section of a table. Its type on the wire is `section`.
struct SectionHeader: ViewContent {
    let title: String

    func writeFields(to content: inout some ContentWriter) {
        content.field("title", title)
    }
}
