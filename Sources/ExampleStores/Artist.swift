/// Someone who makes music; the `artist` screen shows one.
public struct Artist: Hashable, Sendable {
    /// Small ASCII letters, digits and hyphens.
    public let id: String
    public var name: String
    public var genre: TranslatedText
    public var biography: TranslatedText

    public init(id: String, name: String, genre: TranslatedText, biography: TranslatedText) {
        self.id = id
        self.name = name
        self.genre = genre
        self.biography = biography
    }
}

/// A record of an artist.
public struct Album: Hashable, Sendable {
    /// Small ASCII letters, digits and hyphens; unique among the albums of all artists.
    public let id: String
    /// The id of who made it.
    public var artist: String
    public var title: String
    /// When it came out.
    public var year: Int
    /// Whether it is presented as new.
    public var isNew: Bool
    /// Whether its words are not for children.
    public var isExplicit: Bool

    public init(id: String, artist: String, title: String, year: Int, isNew: Bool = false, isExplicit: Bool = false) {
        self.id = id
        self.artist = artist
        self.title = title
        self.year = year
        self.isNew = isNew
        self.isExplicit = isExplicit
    }
}

/// A piece of music on an album.
public struct Track: Hashable, Sendable {
    /// The id of the album that it is on.
    public let album: String
    /// Its place there, counted from 1.
    public let number: Int
    public var title: String
    public var seconds: Int
    /// How often it was listened to.
    public var plays: Int

    public init(album: String, number: Int, title: String, seconds: Int, plays: Int) {
        self.album = album
        self.number = number
        self.title = title
        self.seconds = seconds
        self.plays = plays
    }
}

/// What the `artist` screen reads and writes within a transaction.
public protocol ArtistTransaction: ExampleInserting {
    /// The artist with this id; nil where there is none.
    func artist(_ id: String) throws -> Artist?

    /// The albums of an artist, ordered by year and then by id (as UTF-8). None where there is no
    /// such artist.
    func albums(ofArtist id: String) throws -> [Album]

    /// The tracks of all albums of an artist, ordered by the ids of their albums (as UTF-8) and then
    /// by number. None where there is no such artist.
    func tracks(ofArtist id: String) throws -> [Track]

    /// - Throws: ``ArtistStoreError/artistExists(id:)``
    mutating func insertArtist(_ artist: Artist) throws

    /// - Throws: ``ArtistStoreError/albumExists(id:)``, ``ArtistStoreError/noArtist(id:)``
    mutating func insertAlbum(_ album: Album) throws

    /// Puts `album` in the place of the one with its id, and leaves its tracks as they are.
    ///
    /// - Throws: ``ArtistStoreError/noAlbum(id:)``, ``ArtistStoreError/noArtist(id:)``
    mutating func replaceAlbum(_ album: Album) throws

    /// Deletes an album with its tracks; false where there is none with this id.
    @discardableResult
    mutating func deleteAlbum(_ id: String) throws -> Bool

    /// - Throws: ``ArtistStoreError/trackExists(album:number:)``, ``ArtistStoreError/noAlbum(id:)``
    mutating func insertTrack(_ track: Track) throws
}

extension ArtistTransaction {
    public static var examplesPart: Int { 3 }

    public mutating func insertExamples() throws {
        try insertArtist(Examples.artist)
        for album in Examples.albums { try insertAlbum(album) }
        for track in Examples.tracks { try insertTrack(track) }
    }
}

/// Why artists, albums and tracks could not be written.
public enum ArtistStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    case artistExists(id: String)
    case noArtist(id: String)
    case albumExists(id: String)
    case noAlbum(id: String)
    case trackExists(album: String, number: Int)

    /// What happened, in one English sentence for logs.
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
