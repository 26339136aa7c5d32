import ExampleRecords
import ScreenModel
import ScreenService

/// A builder of the two pages of ``ArtistScreen``: the page of the artist and the page of one album.
struct ArtistPage {
    typealias Model = ArtistScreen.Model

    let records: ArtistRecords
    let width: Int
    private let texts: ArtistTexts

    init(records: ArtistRecords, width: Int, locale: ScreenLocale) {
        self.records = records
        self.width = width
        texts = ArtistTexts(locale: locale)
    }

    func artist() -> Model {
        Model {
            Model.Section(id: "artist") {
                ArtistScreen.ArtistCell(records, texts)
                ArtistScreen.BiographyCell(text: records.artist.biography.in(texts.locale))
            }
            albums(records.albums.reversed(), id: "albums", header: header("Albums"))
            Model.Section(id: "tracks", header: header(Text("Popular tracks", fr: "Titres populaires").in(texts.locale))) {
                trackCells(records.popularTracks(ArtistScreen.popularCount))
            }
        }
    }

    /// Returns the page of an album, below a link to the page of the artist.
    func album(_ album: Album) -> Model {
        let back = ArtistScreen.BackHeader(title: records.artist.name, width: width)
        let tracks = records.tracks(of: album)
        return Model {
            albums([album], id: "album", header: AnyView(back))
            Model.Section(id: "tracks", header: header(texts.contents(of: tracks))) { trackCells(tracks) }
        }
    }

    private func albums(_ albums: [Album], id: String, header: AnyView) -> Model.Section {
        let cells = albums.map { ArtistScreen.AlbumCell(album: $0, width: width) }
        var badges: [SupplementaryViewCellKey: AnyView] = [:]
        for cell in cells {
            let badge = ArtistScreen.BadgeView(cell.album, in: texts.locale)
            badges[SupplementaryViewCellKey(kind: "badge", cell: cell.id)] = badge.map { AnyView($0) }
        }
        return Model.Section(id: id, header: header, supplementaryViews: badges) { cells }
    }

    @ListBuilder<AnyCell>
    private func trackCells(_ tracks: [Track]) -> [AnyCell] {
        let titles = Dictionary(records.albums.map { ($0.id, $0.title) }) { first, _ in first }
        for track in tracks {
            ArtistScreen.TrackCell(track, of: titles[track.album] ?? "", width: width, texts)
        }
    }

    private func header(_ title: String) -> AnyView {
        AnyView(ArtistScreen.SectionHeader(title: title))
    }
}

/// A grid of albums with as many columns as fit into a width.
struct AlbumGrid {
    /// The space between two columns, in points.
    static let spacing = 10.0
    /// The minimum width of a column, in points.
    static let leastWidth = 140.0
    /// The height of the text below the cover, in points.
    static let captionHeight = 48.0

    let width: Double

    var columnCount: Int {
        max(1, Int((width + Self.spacing) / (Self.leastWidth + Self.spacing)))
    }

    /// The size of an album with its caption. The width is rounded down, so that the last column fits.
    var albumSize: Size {
        let free = width - Self.spacing * Double(columnCount - 1)
        let side = (free / Double(columnCount)).rounded(.down)
        return Size(width: side, height: side + Self.captionHeight)
    }
}
