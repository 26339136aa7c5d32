public import ExampleStores
import GRDB
import ScreenService
public import RelistSQLite

/// Artists, their albums and their tracks in SQLite.
public struct SQLiteArtist: SQLiteTables, ArtistTransaction {
    public static let migration = SQLiteMigration(
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
    )

    private let transaction: SQLiteTransaction

    public static func transaction(_ transaction: SQLiteTransaction) -> any ArtistTransaction {
        SQLiteArtist(transaction: transaction)
    }
}

// MARK: - Artists and tracks

extension SQLiteArtist {
    public func artist(_ id: String) throws -> Artist? {
        try transaction.row(
            of: .artist,
            """
            SELECT id, name, englishGenre, frenchGenre, englishBiography, frenchBiography FROM artist WHERE id = ?
            """,
            [id], Artist.init
        )
    }

    public func tracks(ofArtist id: String) throws -> [Track] {
        try transaction.rows(
            of: .artist,
            """
            SELECT track.album, track.number, track.title, track.seconds, track.plays
            FROM track JOIN album ON album.id = track.album
            WHERE album.artist = ? ORDER BY track.album, track.number
            """,
            [id], Track.init
        )
    }

    public func insertArtist(_ artist: Artist) throws {
        try transaction.write(
            "INSERT INTO artist VALUES (?, ?, ?, ?, ?, ?)",
            [
                artist.id, artist.name, artist.genre.english, artist.genre.french, artist.biography.english,
                artist.biography.french,
            ],
            announcing: [.artist], ifTaken: ArtistStoreError.artistExists(id: artist.id)
        )
    }

    public func insertTrack(_ track: Track) throws {
        try transaction.write(
            "INSERT INTO track VALUES (?, ?, ?, ?, ?)",
            [track.album, track.number, track.title, track.seconds, track.plays], announcing: [.artist],
            ifTaken: ArtistStoreError.trackExists(album: track.album, number: track.number),
            ifOrphaned: ArtistStoreError.noAlbum(id: track.album)
        )
    }
}

// MARK: - Albums

extension SQLiteArtist {
    public func albums(ofArtist id: String) throws -> [Album] {
        let sql = "SELECT id, artist, title, year, isNew, isExplicit FROM album WHERE artist = ? ORDER BY year, id"
        return try transaction.rows(of: .artist, sql, [id], Album.init)
    }

    public func insertAlbum(_ album: Album) throws {
        try transaction.write(
            "INSERT INTO album VALUES (?, ?, ?, ?, ?, ?)", arguments(album), announcing: [.artist],
            ifTaken: ArtistStoreError.albumExists(id: album.id), ifOrphaned: ArtistStoreError.noArtist(id: album.artist)
        )
    }

    public func replaceAlbum(_ album: Album) throws {
        let sql = "SELECT id, artist, title, year, isNew, isExplicit FROM album WHERE id = ?"
        guard let old = try transaction.row(of: nil, sql, [album.id], Album.init) else {
            throw ArtistStoreError.noAlbum(id: album.id)
        }
        guard album != old else { return }
        // `REPLACE` would delete the row first, and with it the tracks.
        try transaction.write(
            """
            INSERT INTO album VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET
                artist = excluded.artist, title = excluded.title, year = excluded.year,
                isNew = excluded.isNew, isExplicit = excluded.isExplicit
            """,
            arguments(album), announcing: [.artist], ifOrphaned: ArtistStoreError.noArtist(id: album.artist)
        )
    }

    public func deleteAlbum(_ id: String) throws -> Bool {
        try transaction.write("DELETE FROM album WHERE id = ?", [id], announcing: [.artist]) > 0
    }

    private func arguments(_ album: Album) -> [SQLiteTransaction.Argument] {
        [album.id, album.artist, album.title, album.year, album.isNew, album.isExplicit]
    }
}

extension Topic {
    /// An artist, their albums or their tracks.
    fileprivate static let artist = Topic("artist")
}

extension Artist {
    fileprivate init(_ row: Row) throws {
        try self.init(
            id: row.value(0),
            name: row.value(1),
            genre: TranslatedText(english: row.value(2), french: row.value(3)),
            biography: TranslatedText(english: row.value(4), french: row.value(5))
        )
    }
}

extension Album {
    fileprivate init(_ row: Row) throws {
        try self.init(id: row.value(0), artist: row.value(1), title: row.value(2), year: row.value(3), isNew: row.value(4), isExplicit: row.value(5))
    }
}

extension Track {
    fileprivate init(_ row: Row) throws {
        try self.init(album: row.value(0), number: row.value(1), title: row.value(2), seconds: row.value(3), plays: row.value(4))
    }
}
