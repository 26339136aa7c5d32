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
        try insertArtist(try Examples.artist)
        for album in try Examples.albums { try insertAlbum(album) }
        for track in try Examples.tracks { try insertTrack(track) }
    }
}

extension ArtistTransaction {
    /// Returns the artist with this id, or `nil` if there is none.
    public func artist(_ id: String) throws -> Artist? {
        try records.row(
            of: .artist,
            """
            SELECT id, name, english_genre, french_genre, english_biography, french_biography FROM artist WHERE id = $1
            """,
            [id], Artist.init
        )
    }

    /// Returns the albums of an artist, ordered by year and then by the UTF-8 bytes of the id.
    public func albums(ofArtist id: String) throws -> [Album] {
        let sql = "SELECT id, artist, title, year, is_new, is_explicit FROM album WHERE artist = $1 ORDER BY year, id"
        return try records.rows(of: .artist, sql, [id], Album.init)
    }

    /// Returns the tracks of all albums of an artist, ordered by the UTF-8 bytes of the album's id and then by number.
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

    /// Inserts an artist.
    public mutating func insertArtist(_ artist: Artist) throws {
        try records.write(
            "INSERT INTO artist VALUES ($1, $2, $3, $4, $5, $6)",
            [
                artist.id, artist.name, artist.genre.english, artist.genre.french, artist.biography.english,
                artist.biography.french,
            ],
            announcing: [.artist]
        )
    }

    /// Inserts an album of an artist.
    public mutating func insertAlbum(_ album: Album) throws {
        try records.write(
            "INSERT INTO album VALUES ($1, $2, $3, $4, $5, $6)",
            [album.id, album.artist, album.title, album.year, album.isNew, album.isExplicit], announcing: [.artist]
        )
    }

    /// Inserts a track of an album.
    public mutating func insertTrack(_ track: Track) throws {
        try records.write(
            "INSERT INTO track VALUES ($1, $2, $3, $4, $5)",
            [track.album, track.number, track.title, track.seconds, track.plays], announcing: [.artist]
        )
    }
}

extension Topic {
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
