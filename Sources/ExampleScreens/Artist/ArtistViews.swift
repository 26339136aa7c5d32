import ExampleRecords
import ScreenModel
import ScreenService

// These views have the types `section`, `back` and `badge` on the wire.
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

    /// The header above an album, with a link to the page of the artist.
    struct BackHeader: Sized, Selectable {
        let title: String
        let width: Int

        var whenSelected: Selection { ArtistScreen.link(toAlbum: nil, width: width) }

        func preferredSize(in frame: Size) -> Size {
            Size(width: frame.width, height: 44)
        }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("title", \.title)
        }
    }

    /// A badge on an album that is new or explicit.
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
