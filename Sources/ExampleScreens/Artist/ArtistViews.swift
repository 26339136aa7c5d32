import ExampleRecords
import ScreenModel
import ScreenService

// The types of these views on the wire are `section`, `back`, `badge`.
extension ArtistScreen {
    /// The header of a section.
    struct SectionHeader: Sized {
        let title: String

        func preferredSize(in frame: Size) -> Size {
            Size(width: frame.width, height: 44)
        }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("title", \.title)
        }
    }

    /// The header above an album, which leads back to the page of the artist.
    struct BackHeader: Sized, Selectable {
        let title: String
        /// The width of the list, for the link.
        let width: Int

        var whenSelected: Selection { ArtistScreen.link(toAlbum: nil, width: width) }

        func preferredSize(in frame: Size) -> Size {
            Size(width: frame.width, height: 44)
        }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("title", \.title)
        }
    }

    /// The marks of an album.
    struct BadgeView: ViewContent, Equatable {
        enum Mark: String, CaseIterable, ContentValue {
            case new, explicit

            var title: Text {
                switch self {
                case .new: Text("New", fr: "Nouveau")
                case .explicit: Text("Explicit", fr: "Explicite")
                }
            }
        }

        let marks: [Mark]
        let text: String

        /// Returns nil where there is nothing to mark.
        init?(_ album: Album, in locale: ScreenLocale) {
            marks = (album.isNew ? [.new] : []) + (album.isExplicit ? [.explicit] : [])
            guard !marks.isEmpty else { return nil }
            text = marks.map { $0.title.in(locale) }.joined(separator: " · ")
        }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("text", \.text)
            field("marks", \.marks)
        }
    }
}
