public import ScreenService

/// A transaction on artists, their albums and their tracks.
public struct ArtistTransaction: ExampleTransaction {
    public static let sqlite = [
        RecordMigration(
            "artist",
            """
            CREATE TABLE artist (
                id TEXT NOT NULL PRIMARY KEY,
                name TEXT NOT NULL,
                englishGenre TEXT NOT NULL,
                frenchGenre TEXT NOT NULL,
                englishBiography TEXT NOT NULL,
                frenchBiography TEXT NOT NULL
            ) STRICT;

            CREATE TABLE album (
                id TEXT NOT NULL PRIMARY KEY,
                artist TEXT NOT NULL REFERENCES artist (id),
                title TEXT NOT NULL,
                year INTEGER NOT NULL,
                isNew INTEGER NOT NULL,
                isExplicit INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX albumByYear ON album (artist, year, id);

            CREATE TABLE track (
                album TEXT NOT NULL REFERENCES album (id) ON DELETE CASCADE,
                number INTEGER NOT NULL,
                title TEXT NOT NULL,
                seconds INTEGER NOT NULL,
                plays INTEGER NOT NULL,
                PRIMARY KEY (album, number)
            ) STRICT;
            """
        ),
        RecordMigration(
            "artist names",
            """
            ALTER TABLE artist RENAME COLUMN englishGenre TO english_genre;
            ALTER TABLE artist RENAME COLUMN frenchGenre TO french_genre;
            ALTER TABLE artist RENAME COLUMN englishBiography TO english_biography;
            ALTER TABLE artist RENAME COLUMN frenchBiography TO french_biography;
            ALTER TABLE album RENAME COLUMN isNew TO is_new;
            ALTER TABLE album RENAME COLUMN isExplicit TO is_explicit;
            """
        ),
    ]
    public static let postgres = [
        RecordMigration(
            "artist",
            """
            CREATE TABLE example.artist (
                id text COLLATE "C" NOT NULL PRIMARY KEY,
                name text NOT NULL,
                english_genre text NOT NULL,
                french_genre text NOT NULL,
                english_biography text NOT NULL,
                french_biography text NOT NULL
            );

            CREATE TABLE example.album (
                id text COLLATE "C" NOT NULL PRIMARY KEY,
                artist text COLLATE "C" NOT NULL REFERENCES example.artist (id),
                title text NOT NULL,
                year bigint NOT NULL,
                is_new boolean NOT NULL,
                is_explicit boolean NOT NULL
            );
            CREATE INDEX album_by_year ON example.album (artist, year, id);

            CREATE TABLE example.track (
                album text COLLATE "C" NOT NULL REFERENCES example.album (id) ON DELETE CASCADE,
                number bigint NOT NULL,
                title text NOT NULL,
                seconds bigint NOT NULL,
                plays bigint NOT NULL,
                PRIMARY KEY (album, number)
            );
            """
        )
    ]
    public static let examplesPart: Int? = 3

    private let records: any RecordTransaction

    public init(_ records: any RecordTransaction) {
        self.records = records
    }

    public mutating func insertExamples() throws {
        try insertArtist(Examples.artist)
        for album in Examples.albums { try insertAlbum(album) }
        for track in Examples.tracks { try insertTrack(track) }
    }
}

extension ArtistTransaction {
    /// The artist with this id; nil where there is none.
    public func artist(_ id: String) throws -> Artist? {
        try records.row(
            of: .artist,
            """
            SELECT id, name, english_genre, french_genre, english_biography, french_biography FROM artist WHERE id = $1
            """,
            [id], Artist.init
        )
    }

    /// The albums of an artist, ordered by year and then by id (as UTF-8). None where there is no
    /// such artist.
    public func albums(ofArtist id: String) throws -> [Album] {
        let sql = "SELECT id, artist, title, year, is_new, is_explicit FROM album WHERE artist = $1 ORDER BY year, id"
        return try records.rows(of: .artist, sql, [id], Album.init)
    }

    /// The tracks of all albums of an artist, ordered by the ids of their albums (as UTF-8) and then
    /// by number. None where there is no such artist.
    public func tracks(ofArtist id: String) throws -> [Track] {
        try records.rows(
            of: .artist,
            """
            SELECT track.album, track.number, track.title, track.seconds, track.plays
            FROM track JOIN album ON album.id = track.album
            WHERE album.artist = $1 ORDER BY track.album, track.number
            """,
            [id], Track.init
        )
    }

    /// - Throws: ``ArtistStoreError/artistExists(id:)``
    public mutating func insertArtist(_ artist: Artist) throws {
        try records.write(
            "INSERT INTO artist VALUES ($1, $2, $3, $4, $5, $6)",
            [
                artist.id, artist.name, artist.genre.english, artist.genre.french, artist.biography.english,
                artist.biography.french,
            ],
            announcing: [.artist], ifTaken: ArtistStoreError.artistExists(id: artist.id)
        )
    }

    /// - Throws: ``ArtistStoreError/albumExists(id:)``, ``ArtistStoreError/noArtist(id:)``
    public mutating func insertAlbum(_ album: Album) throws {
        try records.write(
            "INSERT INTO album VALUES ($1, $2, $3, $4, $5, $6)", arguments(album), announcing: [.artist],
            ifTaken: ArtistStoreError.albumExists(id: album.id), ifOrphaned: ArtistStoreError.noArtist(id: album.artist)
        )
    }

    /// Puts `album` in the place of the one with its id, and leaves its tracks as they are.
    ///
    /// - Throws: ``ArtistStoreError/noAlbum(id:)``, ``ArtistStoreError/noArtist(id:)``
    public mutating func replaceAlbum(_ album: Album) throws {
        let sql = "SELECT id, artist, title, year, is_new, is_explicit FROM album WHERE id = $1"
        guard let old = try records.row(of: nil, sql, [album.id], Album.init) else {
            throw ArtistStoreError.noAlbum(id: album.id)
        }
        guard album != old else { return }
        try records.write(
            "UPDATE album SET artist = $2, title = $3, year = $4, is_new = $5, is_explicit = $6 WHERE id = $1",
            arguments(album), announcing: [.artist], ifOrphaned: ArtistStoreError.noArtist(id: album.artist)
        )
    }

    /// Deletes an album with its tracks; false where there is none with this id.
    @discardableResult
    public mutating func deleteAlbum(_ id: String) throws -> Bool {
        try records.write("DELETE FROM album WHERE id = $1", [id], announcing: [.artist]) > 0
    }

    /// - Throws: ``ArtistStoreError/trackExists(album:number:)``, ``ArtistStoreError/noAlbum(id:)``
    public mutating func insertTrack(_ track: Track) throws {
        try records.write(
            "INSERT INTO track VALUES ($1, $2, $3, $4, $5)",
            [track.album, track.number, track.title, track.seconds, track.plays], announcing: [.artist],
            ifTaken: ArtistStoreError.trackExists(album: track.album, number: track.number),
            ifOrphaned: ArtistStoreError.noAlbum(id: track.album)
        )
    }

    private func arguments(_ album: Album) -> [(any RecordValue)?] {
        [album.id, album.artist, album.title, album.year, album.isNew, album.isExplicit]
    }
}

extension Topic {
    /// An artist, their albums or their tracks.
    fileprivate static let artist = Topic("artist")
}

extension Artist {
    fileprivate init(_ row: any RecordRow) throws {
        try self.init(
            id: row[0],
            name: row[1],
            genre: TranslatedText(english: row[2], french: row[3]),
            biography: TranslatedText(english: row[4], french: row[5])
        )
    }
}

extension Album {
    fileprivate init(_ row: any RecordRow) throws {
        try self.init(id: row[0], artist: row[1], title: row[2], year: row[3], isNew: row[4], isExplicit: row[5])
    }
}

extension Track {
    fileprivate init(_ row: any RecordRow) throws {
        try self.init(album: row[0], number: row[1], title: row[2], seconds: row[3], plays: row[4])
    }
}

/// A fault of a write of artists, albums and tracks.
public enum ArtistStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    case artistExists(id: String)
    case noArtist(id: String)
    case albumExists(id: String)
    case noAlbum(id: String)
    case trackExists(album: String, number: Int)

    /// The fault in one English sentence for logs.
    public var description: String {
        switch self {
        case .artistExists(let id): "There is an artist \(id) already."
        case .noArtist(let id): "There is no artist \(id)."
        case .albumExists(let id): "There is an album \(id) already."
        case .noAlbum(let id): "There is no album \(id)."
        case .trackExists(let album, let number): "There is a track \(number) on the album \(album) already."
        }
    }
}
