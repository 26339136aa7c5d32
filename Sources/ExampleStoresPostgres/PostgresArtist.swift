public import ExampleStores
public import RelistPostgres
import ScreenService

/// Artists, their albums and their tracks in PostgreSQL.
public struct PostgresArtist: PostgresTables, ArtistTransaction {
    public static let migration = PostgresMigration(
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

    private let transaction: PostgresTransaction

    public static func transaction(_ transaction: PostgresTransaction) -> any ArtistTransaction {
        PostgresArtist(transaction: transaction)
    }
}

// MARK: - Artists and tracks

extension PostgresArtist {
    public func artist(_ id: String) throws -> Artist? {
        try transaction.row(
            of: .artist,
            """
            SELECT id, name, english_genre, french_genre, english_biography, french_biography FROM example.artist WHERE id = $1
            """,
            [id], Artist.init
        )
    }

    public func tracks(ofArtist id: String) throws -> [Track] {
        try transaction.rows(
            of: .artist,
            """
            SELECT track.album, track.number, track.title, track.seconds, track.plays
            FROM example.track JOIN example.album ON album.id = track.album
            WHERE album.artist = $1 ORDER BY track.album, track.number
            """,
            [id], Track.init
        )
    }

    public func insertArtist(_ artist: Artist) throws {
        try transaction.write(
            "INSERT INTO example.artist VALUES ($1, $2, $3, $4, $5, $6)",
            [
                artist.id, artist.name, artist.genre.english, artist.genre.french, artist.biography.english,
                artist.biography.french,
            ],
            announcing: [.artist], ifTaken: ArtistStoreError.artistExists(id: artist.id)
        )
    }

    public func insertTrack(_ track: Track) throws {
        try transaction.write(
            "INSERT INTO example.track VALUES ($1, $2, $3, $4, $5)",
            [track.album, track.number, track.title, track.seconds, track.plays], announcing: [.artist],
            ifTaken: ArtistStoreError.trackExists(album: track.album, number: track.number),
            ifOrphaned: ArtistStoreError.noAlbum(id: track.album)
        )
    }
}

// MARK: - Albums

extension PostgresArtist {
    public func albums(ofArtist id: String) throws -> [Album] {
        let sql = "SELECT id, artist, title, year, is_new, is_explicit FROM example.album WHERE artist = $1 ORDER BY year, id"
        return try transaction.rows(of: .artist, sql, [id], Album.init)
    }

    public func insertAlbum(_ album: Album) throws {
        try transaction.write(
            "INSERT INTO example.album VALUES ($1, $2, $3, $4, $5, $6)", arguments(album), announcing: [.artist],
            ifTaken: ArtistStoreError.albumExists(id: album.id), ifOrphaned: ArtistStoreError.noArtist(id: album.artist)
        )
    }

    public func replaceAlbum(_ album: Album) throws {
        let sql = "SELECT id, artist, title, year, is_new, is_explicit FROM example.album WHERE id = $1"
        guard let old = try transaction.row(of: nil, sql, [album.id], Album.init) else {
            throw ArtistStoreError.noAlbum(id: album.id)
        }
        guard album != old else { return }
        try transaction.write(
            "UPDATE example.album SET artist = $2, title = $3, year = $4, is_new = $5, is_explicit = $6 WHERE id = $1",
            arguments(album), announcing: [.artist], ifOrphaned: ArtistStoreError.noArtist(id: album.artist)
        )
    }

    public func deleteAlbum(_ id: String) throws -> Bool {
        try transaction.write("DELETE FROM example.album WHERE id = $1", [id], announcing: [.artist]) > 0
    }

    private func arguments(_ album: Album) -> [PostgresTransaction.Argument] {
        [album.id, album.artist, album.title, album.year, album.isNew, album.isExplicit]
    }
}

extension Topic {
    /// An artist, their albums or their tracks.
    fileprivate static let artist = Topic("artist")
}

extension Artist {
    fileprivate init(_ row: PostgresRow) throws {
        try self.init(
            id: row[0],
            name: row[1],
            genre: TranslatedText(english: row[2], french: row[3]),
            biography: TranslatedText(english: row[4], french: row[5])
        )
    }
}

extension Album {
    fileprivate init(_ row: PostgresRow) throws {
        try self.init(id: row[0], artist: row[1], title: row[2], year: row[3], isNew: row[4], isExplicit: row[5])
    }
}

extension Track {
    fileprivate init(_ row: PostgresRow) throws {
        try self.init(album: row[0], number: row[1], title: row[2], seconds: row[3], plays: row[4])
    }
}
