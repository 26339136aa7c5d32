/// Names one entry of history: a version of a screen that was handed out to an audience.
public struct HistoryKey: Hashable, Sendable {
    public let audience: Audience
    public let screen: String
    public let version: Version

    public init(audience: Audience, screen: String, version: Version) {
        self.audience = audience
        self.screen = screen
        self.version = version
    }
}

/// One entry of history as it is kept across restarts.
public struct HistoryRecord: Hashable, Sendable {
    public let key: HistoryKey
    /// A stable hash of the view that this version was last the newest of.
    public let view: UInt64
    /// The encoded outline. Its first byte is its format.
    public let outline: [UInt8]
    /// When it was last handed out as the newest, in seconds since 1970.
    public let recordedAt: Int64
    /// When its view got a newer version, in seconds since 1970; nil while it is the newest.
    public let supersededAt: Int64?

    public init(key: HistoryKey, view: UInt64, outline: [UInt8], recordedAt: Int64, supersededAt: Int64?) {
        self.key = key
        self.view = view
        self.outline = outline
        self.recordedAt = recordedAt
        self.supersededAt = supersededAt
    }
}

/// Changes to history that are written together; all of them or none.
public struct HistoryBatch: Hashable, Sendable {
    /// New records, and whole replacements of those with an equal key.
    public var saved: [HistoryRecord] = []
    /// Records that stay as they are but for when they were superseded (seconds since 1970).
    public var superseded: [HistoryKey: Int64] = [:]
    /// Records that go. No key in it is among the others.
    public var removed: Set<HistoryKey> = []

    public init() {}

    public var isEmpty: Bool { count == 0 }

    /// How many records it touches.
    var count: Int { saved.count + superseded.count + removed.count }
}

/// Keeps history across restarts.
public protocol HistoryStoring: Sendable {
    /// All records, in no particular order. Records that cannot be read are left out.
    func records() async throws -> [HistoryRecord]
    /// Writes a batch in one transaction.
    func write(_ batch: HistoryBatch) async throws
}
