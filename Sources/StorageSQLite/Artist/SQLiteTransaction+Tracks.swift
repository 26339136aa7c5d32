import GRDB
import Storage

extension SQLiteTransaction {
    func tracks(ofArtist id: String) throws -> [Track] {
        noteRead(.artist)
        return try rows(
            """
            SELECT track.album, track.number, track.title, track.seconds, track.plays
            FROM track JOIN album ON album.id = track.album
            WHERE album.artist = ? ORDER BY track.album, track.number
            """,
            [Text(id)],
            Track.init
        )
    }

    func insertTrack(_ track: Track) throws {
        let arguments: StatementArguments = [
            Text(track.album), track.number, Text(track.title), track.seconds, track.plays,
        ]
        try write(
            "INSERT INTO track VALUES (?, ?, ?, ?, ?)", arguments,
            ifTaken: .trackExists(album: track.album, number: track.number), ifOrphaned: .noAlbum(id: track.album)
        )
        noteWrite(.artist)
    }
}

extension Track {
    fileprivate init(_ row: Row) {
        self.init(album: row[0], number: row[1], title: row[2], seconds: row[3], plays: row[4])
    }
}
