/// Reads artists, their albums and tracks.
public protocol ArtistReading {
    /// The artist with this id; nil where there is none.
    func artist(_ id: String) throws -> Artist?

    /// The albums of an artist, ordered by year and then by id (as UTF-8). None where there is no
    /// such artist.
    func albums(ofArtist id: String) throws -> [Album]

    /// The tracks of all albums of an artist, ordered by the ids of their albums (as UTF-8) and then
    /// by number. None where there is no such artist.
    func tracks(ofArtist id: String) throws -> [Track]
}

/// Writes artists, their albums and tracks.
public protocol ArtistWriting: ArtistReading {
    /// - Throws: ``StoreError/artistExists(id:)``
    func insertArtist(_ artist: Artist) throws

    /// - Throws: ``StoreError/albumExists(id:)``, ``StoreError/noArtist(id:)``
    func insertAlbum(_ album: Album) throws

    /// Puts `album` in the place of the one with its id, and leaves its tracks as they are.
    ///
    /// - Throws: ``StoreError/noAlbum(id:)``, ``StoreError/noArtist(id:)``
    func replaceAlbum(_ album: Album) throws

    /// Deletes an album with its tracks; false where there is none with this id.
    @discardableResult
    func deleteAlbum(_ id: String) throws -> Bool

    /// - Throws: ``StoreError/trackExists(album:number:)``, ``StoreError/noAlbum(id:)``
    func insertTrack(_ track: Track) throws
}
