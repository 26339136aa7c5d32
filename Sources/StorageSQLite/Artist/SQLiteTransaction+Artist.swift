import GRDB
import Storage

extension SQLiteTransaction: ArtistWriting {
    func artist(_ id: String) throws -> Artist? {
        noteRead(.artist)
        return try row(
            """
            SELECT id, name, englishGenre, frenchGenre, englishBiography, frenchBiography FROM artist WHERE id = ?
            """,
            [Text(id)],
            Artist.init
        )
    }

    func albums(ofArtist id: String) throws -> [Album] {
        noteRead(.artist)
        return try rows(
            "SELECT id, artist, title, year, isNew, isExplicit FROM album WHERE artist = ? ORDER BY year, id",
            [Text(id)],
            Album.init
        )
    }

    func insertArtist(_ artist: Artist) throws {
        let arguments: StatementArguments = [
            Text(artist.id), Text(artist.name), Text(artist.genre.english), Text(artist.genre.french),
            Text(artist.biography.english), Text(artist.biography.french),
        ]
        try write("INSERT INTO artist VALUES (?, ?, ?, ?, ?, ?)", arguments, ifTaken: .artistExists(id: artist.id))
        noteWrite(.artist)
    }

    func insertAlbum(_ album: Album) throws {
        try write(
            "INSERT INTO album VALUES (?, ?, ?, ?, ?, ?)", arguments(album),
            ifTaken: .albumExists(id: album.id), ifOrphaned: .noArtist(id: album.artist)
        )
        noteWrite(.artist)
    }

    func replaceAlbum(_ album: Album) throws {
        guard let old = try storedAlbum(album.id) else { throw StoreError.noAlbum(id: album.id) }
        guard album != old else { return }
        // `REPLACE` would delete the row first, and with it the tracks.
        try write(
            """
            INSERT INTO album VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET
                artist = excluded.artist, title = excluded.title, year = excluded.year,
                isNew = excluded.isNew, isExplicit = excluded.isExplicit
            """,
            arguments(album), ifOrphaned: .noArtist(id: album.artist)
        )
        noteWrite(.artist)
    }

    func deleteAlbum(_ id: String) throws -> Bool {
        guard try write("DELETE FROM album WHERE id = ?", [Text(id)]) > 0 else { return false }
        noteWrite(.artist)
        return true
    }

    private func storedAlbum(_ id: String) throws -> Album? {
        try row("SELECT id, artist, title, year, isNew, isExplicit FROM album WHERE id = ?", [Text(id)], Album.init)
    }

    private func arguments(_ album: Album) -> StatementArguments {
        [Text(album.id), Text(album.artist), Text(album.title), album.year, album.isNew, album.isExplicit]
    }
}

extension Artist {
    fileprivate init(_ row: Row) {
        self.init(
            id: row[0],
            name: row[1],
            genre: TranslatedText(english: row[2], french: row[3]),
            biography: TranslatedText(english: row[4], french: row[5])
        )
    }
}

extension Album {
    fileprivate init(_ row: Row) {
        self.init(id: row[0], artist: row[1], title: row[2], year: row[3], isNew: row[4], isExplicit: row[5])
    }
}
