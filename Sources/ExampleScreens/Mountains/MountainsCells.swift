import ExampleRecords
import ScreenModel

// The types of their views on the wire are `count`, `mountain`, `empty`.
extension Mountains {
    /// The number of mountains that the list shows.
    struct CountHeader: ViewContent, Equatable {
        let text: String

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("text", \.text)
        }
    }

    /// One mountain.
    struct MountainCell: CellContent, Equatable {
        let mountain: Mountain
        let height: String
        let range: String?
        let country: String

        init(_ mountain: Mountain, _ texts: MountainsTexts) {
            self.mountain = mountain
            height = texts.height(mountain.metres)
            range = mountain.range?.in(texts.locale)
            country = mountain.countries.map(texts.country).joined(separator: ", ")
        }

        var id: String { mountain.id }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("name", \.mountain.name)
            field("height", \.height)
            field("metres", \.mountain.metres)
            field("range", \.range)
            field("country", \.country)
        }
    }

    /// The note that nothing was found.
    struct EmptyFooter: ViewContent, Equatable {
        let text: String

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("text", \.text)
        }
    }
}
