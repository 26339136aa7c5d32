import ExampleRecords
import ScreenService
import ScreenWire

/// The records that ``ArtistScreen`` shows. They are read in one transaction.
struct ArtistRecords {
    let artist: Artist
    let albums: [Album]
    let tracks: [Track]
    /// The album whose page is shown, or `nil` for the page of the artist.
    let album: Album?

    func tracks(of album: Album) -> [Track] {
        tracks.filter { $0.album == album.id }
    }

    func popularTracks(_ count: Int) -> [Track] {
        Array(tracks.sorted { Self.isMorePopular($0, $1) }.prefix(count))
    }

    /// Returns a Boolean value that indicates whether `one` comes before `other` in the list of popular tracks. The tracks with the most
    /// plays come first. Tracks with equal plays are ordered by album and number.
    private static func isMorePopular(_ one: Track, _ other: Track) -> Bool {
        if one.plays != other.plays { return one.plays > other.plays }
        return one.album == other.album
            ? one.number < other.number : one.album.utf8.lexicographicallyPrecedes(other.album.utf8)
    }
}

extension ArtistRecords {
    /// Reads an artist with all albums and tracks. `album` is the id of the shown album, or empty for the page of the artist.
    init(of artist: String, album: String, in store: ArtistTransaction, _ locale: ScreenLocale) throws {
        guard let found = try store.artist(artist) else { throw DataUnavailable(reason: "the artist is not stored") }
        self.artist = found
        albums = try store.albums(ofArtist: artist)
        tracks = try store.tracks(ofArtist: artist)
        self.album = albums.first { ExactText($0.id) == ExactText(album) }
        if self.album == nil, !album.isEmpty { throw Self.noAlbum(album, known: albums.map(\.id), locale) }
    }

    static func noAlbum(_ album: String, known: [String], _ locale: ScreenLocale) -> ScreenError {
        let detail = Text("There is no album \(album).", fr: "L’album \(album) n’existe pas.")
        return .unknownValue(of: ArtistScreen.album, detail, existing: known, in: locale)
    }
}
