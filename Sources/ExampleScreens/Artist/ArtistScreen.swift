public import ExampleStores
import ScreenModel
public import ScreenService

/// An artist with albums and popular tracks, or one album with its tracks: cells of several
/// kinds that state their sizes.
///
/// A cell has the same id on both pages, so that going from one to the other moves what both show.
struct ArtistScreen: Screen {
    typealias Model = CollectionViewModel<AnyView, AnyCell>

    static let name = "artist"
    static var cellTypes: [any ViewContent.Type]? { [ArtistCell.self, BiographyCell.self, AlbumCell.self, TrackCell.self] }
    static var viewTypes: [any ViewContent.Type]? { [SectionHeader.self, BackHeader.self, BadgeView.self] }
    /// Of whom it is. There is one artist.
    static let artist = "elin-fauvel"
    static let popularCount = 5

    static var example: ScreenExample? { ScreenExample(source: #filePath) }
    let visibility = Visibility.everyone
    let parameters: [any ParameterDeclaring] = [album, width]
    let store: any Store<any ArtistTransaction>

    var values: [ParameterValues] {
        [
            ParameterValues(of: Self.album) { locale, _ in
                let texts = ArtistTexts(locale: locale)
                let albums = try await store.read { try ArtistRecords(of: Self.artist, album: "", in: $0, texts).albums }
                return [ParameterValue("", title: texts.allAlbums)] + albums.map { ParameterValue($0.id, title: $0.title) }
            }
        ]
    }

    func title(in locale: ScreenLocale) -> String {
        ArtistTexts(locale: locale).title
    }

    func content(for request: ScreenRequest) async throws -> ScreenContent<Model> {
        let album = request[Self.album]
        let texts = ArtistTexts(locale: request.locale)
        let records = try await store.read { try ArtistRecords(of: Self.artist, album: album, in: $0, texts) }
        let page = ArtistPage(records: records, width: request[Self.width], locale: request.locale)
        // The list scrolls: its height is nothing that a size could follow from.
        let frame = Size(width: Double(request[Self.width]), height: 0)
        return switch records.album {
        case nil: ScreenContent(title: records.artist.name, frame: frame, model: page.artist())
        case let album?: ScreenContent(title: album.title, frame: frame, model: page.album(album))
        }
    }
}

extension ArtistScreen {
    static let album = Parameter.text("album", "The id of the album to show; without one, all of them.")
        .example("drift-ice").texts { ArtistTexts(locale: $0).albumParameter }

    static let width = Parameter.integer(
        "width", in: 200...2000, default: 375, "How wide the list is, in points. Sizes follow from it."
    )
    .texts { ArtistTexts(locale: $0).widthParameter }

    /// Leads to a page in a list of the same width.
    ///
    /// - Parameter album: nil leads to the page of the artist.
    static func link(toAlbum album: String?, width: Int) -> Selection {
        var parameters: OrderedFields<String> = [:]
        parameters[Self.album.name] = album
        parameters[Self.width.name] = String(width) == Self.width.defaultText ? nil : String(width)
        return .link(ScreenLink(name, parameters: parameters))
    }
}

extension ExampleScreens {
    /// An artist with albums and tracks: cells of several sizes.
    public static func artist(store: any Store<any ArtistTransaction>) -> any Screen {
        ArtistScreen(store: store)
    }
}
