/// A musician. The `artist` screen shows one musician.
public struct Artist: Hashable, Decodable, Sendable {
    /// The id. It consists of lowercase ASCII letters, digits and hyphens.
    public let id: String
    public var name: String
    public var genre: TranslatedText
    public var biography: TranslatedText
}

/// An album of an artist.
public struct Album: Hashable, Decodable, Sendable {
    /// The id, which is unique among the albums of all artists. Ids consist of lowercase ASCII letters, digits and hyphens.
    public let id: String
    /// The id of the artist.
    public var artist: String
    public var title: String
    /// The year of publication.
    public var year: Int
    /// A Boolean value that indicates whether the album is marked as new.
    public var isNew = false
    /// A Boolean value that indicates whether the lyrics are unsuitable for children.
    public var isExplicit = false
}

/// A piece of music on an album.
public struct Track: Hashable, Decodable, Sendable {
    /// The id of the album that contains the track.
    public let album: String
    /// The position of the track on the album, counted from 1.
    public let number: Int
    public var title: String
    public var seconds: Int
    /// The number of times that the track was played.
    public var plays: Int
}
