import ExampleRecords
import ScreenModel

// These cells have the types `artist`, `biography`, `album` and `track` on the wire.
extension ArtistScreen {
    /// A cell with the name of the artist, the genre, and the numbers of albums and tracks.
    struct ArtistCell: CellContent, Sized, Equatable {
        let id = "artist"
        let name: String
        let genre: String
        let detail: String

        init(_ records: ArtistRecords, _ texts: ArtistTexts) {
            name = records.artist.name
            genre = records.artist.genre.in(texts.locale)
            detail = texts.detail(albumCount: records.albums.count, trackCount: records.tracks.count)
        }

        func preferredSize(in frame: Size) -> Size {
            Size(width: frame.width, height: 160)
        }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("name", \.name)
            field("genre", \.genre)
            field("detail", \.detail)
        }
    }

    /// A cell with the biography of the artist. The height of the cell is half of its width.
    struct BiographyCell: CellContent, Sized, Equatable {
        let id = "biography"
        let text: String

        func preferredSize(in frame: Size) -> Size {
            Size(width: frame.width, height: (frame.width ?? 0) / 2)
        }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("text", \.text)
        }
    }

    /// A cell that shows an album and links to the page of the album.
    struct AlbumCell: CellContent, Sized, Selectable, Equatable {
        let album: Album
        /// The width of the list that contains this cell. The link to the album passes the width as a parameter.
        let width: Int

        var id: String { "album-" + album.id }
        var whenSelected: Selection { ArtistScreen.link(toAlbum: album.id, width: width) }

        func preferredSize(in frame: Size) -> Size {
            AlbumGrid(width: frame.width ?? 0).albumSize
        }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("title", \.album.title)
            field("year", \.album.year)
        }
    }

    /// A cell that shows a track and links to the page of its album.
    struct TrackCell: CellContent, Sized, Selectable, Equatable {
        let track: Track
        let album: String
        let width: Int
        let duration: String

        init(_ track: Track, of album: String, width: Int, _ texts: ArtistTexts) {
            self.track = track
            self.album = album
            self.width = width
            duration = texts.duration(track.seconds)
        }

        var id: String { "track-\(track.album)-\(track.number)" }
        var whenSelected: Selection { ArtistScreen.link(toAlbum: track.album, width: width) }

        func preferredSize(in frame: Size) -> Size {
            Size(width: frame.width, height: 120)
        }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("title", \.track.title)
            field("album", \.album)
            field("number", \.track.number)
            field("duration", \.duration)
            field("seconds", \.track.seconds)
        }
    }
}
