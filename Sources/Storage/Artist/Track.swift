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
