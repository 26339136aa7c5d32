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
    /// A Boolean value that indicates whether it is presented as new.
    public var isNew: Bool
    /// A Boolean value that indicates whether its words are not for children.
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
    /// The number of times that it was listened to.
    public var plays: Int

    public init(album: String, number: Int, title: String, seconds: Int, plays: Int) {
        self.album = album
        self.number = number
        self.title = title
        self.seconds = seconds
        self.plays = plays
    }
}
