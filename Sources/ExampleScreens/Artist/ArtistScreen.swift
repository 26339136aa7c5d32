public import ExampleRecords
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
        // The list scrolls: its height is nothing that a size could follow from.
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
    public static func artist(store: Store<ArtistTransaction>) -> any Screen {
        ArtistScreen(store: store)
    }
}
