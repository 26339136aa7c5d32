/// How much history is kept, and for how long.
public struct HistoryBounds: Hashable, Sendable {
    /// For so many seconds after it was handed out or presented a version stays, whatever others ask for
    /// meanwhile; only a store that is full of such versions lets go of one.
    public static let protection: Int64 = 3600
    /// How many seconds may pass between the use of a version and the use that its record tells.
    static let useInterval: Int64 = 600

    /// Seconds since a version was used.
    public var age: Int64
    /// Bytes of all versions in the store, about.
    public var bytes: Int
    /// Bytes of the versions that are looked up without the store, about: those that were used last, and
    /// those that the store does not have yet. The least recently used go first.
    public var memoryBytes: Int

    public init(age: Int64 = 30 * 24 * 3600, bytes: Int = 256 << 20, memoryBytes: Int = 64 << 20) {
        self.age = age
        self.bytes = bytes
        self.memoryBytes = memoryBytes
    }
}
