import ExampleRecords
import ScreenService
import ScreenWire

/// What ``ArtistScreen`` shows, as one transaction read it.
struct ArtistRecords {
    let artist: Artist
    /// All of the artist's, ordered by year.
    let albums: [Album]
    /// Of all albums, ordered within each by number.
    let tracks: [Track]
    /// The album whose page it is; nil on the artist's.
    let album: Album?

    func tracks(of album: Album) -> [Track] {
        tracks.filter { $0.album == album.id }
    }

    /// Those that were listened to most, the first of them most of all.
    func popularTracks(_ count: Int) -> [Track] {
        Array(tracks.sorted { Self.isMorePopular($0, $1) }.prefix(count))
    }

    /// Albums and numbers come last, so that no two are in an order of chance.
    private static func isMorePopular(_ one: Track, _ other: Track) -> Bool {
        if one.plays != other.plays { return one.plays > other.plays }
        return one.album == other.album
            ? one.number < other.number : one.album.utf8.lexicographicallyPrecedes(other.album.utf8)
    }
}

extension ArtistRecords {
    /// - Parameter album: empty for none.
    /// - Throws: `ScreenError.noSuchValue` where the artist has no such album, `DataUnavailable` where the artist is not stored.
    init(of artist: String, album: String, in store: ArtistTransaction, _ locale: ScreenLocale) throws {
        guard let found = try store.artist(artist) else { throw DataUnavailable(reason: "the artist is not stored") }
        self.artist = found
        albums = try store.albums(ofArtist: artist)
        tracks = try store.tracks(ofArtist: artist)
        self.album = albums.first { ExactText($0.id) == ExactText(album) }
        if self.album == nil, !album.isEmpty { throw Self.noAlbum(album, known: albums.map(\.id), locale) }
    }

    static func noAlbum(_ album: String, known: [String], _ locale: ScreenLocale) -> ScreenError {
        let list = known.joined(separator: ", ")
        let isListed = (1...10).contains(known.count)
        let detail = Text(
            "There is no album \(album)." + (isListed ? " Known are \(list)." : ""),
            fr: "L’album \(album) n’existe pas." + (isListed ? " On connaît \(list)." : "")
        )
        return .noSuchValue(parameter: ArtistScreen.album.name, detail: detail.in(locale))
    }
}
