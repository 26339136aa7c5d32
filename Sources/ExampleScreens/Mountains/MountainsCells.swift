import ExampleRecords
import ScreenModel

// These views have the types `count`, `mountain` and `empty` on the wire.
extension Mountains {
    /// A header with the number of mountains in the list.
    struct CountHeader: ViewContent, Equatable {
        let text: String

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("text", \.text)
        }
    }

    /// A cell that shows a mountain.
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

    /// A footer with a text for a search without results.
    struct EmptyFooter: ViewContent, Equatable {
        let text: String

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("text", \.text)
        }
    }
}
