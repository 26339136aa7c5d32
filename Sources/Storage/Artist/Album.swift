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
