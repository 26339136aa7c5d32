/// Says how much history is kept.
public struct HistoryBounds: Hashable, Sendable {
    /// Versions of one screen for one audience.
    public var versionsPerScreen: Int
    /// Seconds since a version was superseded.
    public var age: Int64
    /// Bytes of all versions together.
    public var bytes: Int

    public init(versionsPerScreen: Int = 64, age: Int64 = 30 * 24 * 3600, bytes: Int = 256 << 20) {
        self.versionsPerScreen = versionsPerScreen
        self.age = age
        self.bytes = bytes
    }
}
