public import ExampleRecords
import ScreenModel
public import ScreenService

/// A screen that shows an artist with albums and popular tracks, or one album with its tracks. A cell that appears on both pages has the
/// same id on both. So the cell is moved when a client opens the other page.
struct ArtistScreen: Screen {
    typealias Model = CollectionViewModel<AnyView, AnyCell>

    static let name = "artist"
    static var cellTypes: [any ViewContent.Type]? { [ArtistCell.self, BiographyCell.self, AlbumCell.self, TrackCell.self] }
    static var viewTypes: [any ViewContent.Type]? { [SectionHeader.self, BackHeader.self, BadgeView.self] }
    static let artist = "elin-fauvel"
    static let popularCount = 5

    static var example: ScreenExample? { ScreenExample(source: #filePath) }
    let title = Text("Artist", fr: "Artiste")
    let visibility = Visibility.everyone
    let parameters: [any ParameterDeclaring] = [album, width]
    let store: Store<ArtistTransaction>

    var values: [ParameterValues] {
        [
            ParameterValues(of: Self.album) { locale, _ in
                let albums = try await store.read { try ArtistRecords(of: Self.artist, album: "", in: $0, locale).albums }
                let all = ParameterValue("", title: Text("All albums", fr: "Tous les albums").in(locale))
                return [all] + albums.map { ParameterValue($0.id, title: $0.title) }
            }
        ]
    }

    func content(for request: ScreenRequest) async throws -> ScreenContent<Model> {
        let (album, locale) = (request[Self.album], request.locale)
        let records = try await store.read { try ArtistRecords(of: Self.artist, album: album, in: $0, locale) }
        let page = ArtistPage(records: records, width: request[Self.width], locale: locale)
        // The height is 0, because the list scrolls and no size depends on the height.
        let frame = Size(width: Double(request[Self.width]), height: 0)
        return switch records.album {
        case nil: ScreenContent(title: records.artist.name, frame: frame, model: page.artist())
        case let album?: ScreenContent(title: album.title, frame: frame, model: page.album(album))
        }
    }
}

extension ArtistScreen {
    static let album = Parameter.text(
        "album", title: "Album",
        Text("The album to show; without one, all of them.", fr: "L’album à afficher ; sans lui, tous.")
    )
    .example("drift-ice")

    static let width = Parameter.integer(
        "width", title: Text("Width", fr: "Largeur"), in: 200...2000, default: 375,
        Text(
            "How wide the list is, in points. Sizes follow from it.",
            fr: "La largeur de la liste, en points. Les tailles en découlent."
        )
    )

    /// Returns a link to the page of an album, or to the page of the artist if `album` is `nil`. The link passes `width` as a parameter.
    static func link(toAlbum album: String?, width: Int) -> Selection {
        var parameters: OrderedFields<String> = [:]
        parameters[Self.album.name] = album
        parameters[Self.width.name] = String(width) == Self.width.defaultText ? nil : String(width)
        return .link(ScreenLink(name, parameters: parameters))
    }
}

extension ExampleScreens {
    /// Creates the screen of an artist with albums and tracks.
    public static func artist(store: Store<ArtistTransaction>) -> any Screen {
        ArtistScreen(store: store)
    }
}
