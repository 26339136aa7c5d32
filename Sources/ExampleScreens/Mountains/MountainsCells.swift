import ScreenModel
import Storage

// The types of their views on the wire are `count`, `mountain`, `empty`.
extension Mountains {
    /// Says how many mountains the list shows.
    struct CountHeader: ViewContent {
        let text: String

        func writeFields(to content: inout some ContentWriter) {
            content.field("text", text)
        }
    }

    /// Shows one mountain.
    struct MountainCell: CellContent {
        let mountain: Mountain
        let height: String
        let range: String?
        let country: String

        init(_ mountain: Mountain, _ texts: MountainsTexts) {
            self.mountain = mountain
            height = texts.height(mountain.metres)
            range = mountain.range.map(texts.text)
            country = mountain.countries.map(texts.country).joined(separator: ", ")
        }

        var id: String { mountain.id }

        func writeFields(to content: inout some ContentWriter) {
            content.field("name", mountain.name)
            content.field("height", height)
            content.field("metres", mountain.metres)
            content.field("range", range)
            content.field("country", country)
        }
    }

    /// Says that nothing was found.
    struct EmptyFooter: ViewContent {
        let text: String

        func writeFields(to content: inout some ContentWriter) {
            content.field("text", text)
        }
    }
}
