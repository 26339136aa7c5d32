/// The key of a record in history. It identifies a version of a screen that was sent to an audience.
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

/// A stored record of a version in history.
public struct HistoryRecord: Hashable, Sendable {
    /// The approximate number of bytes of a record without its outline.
    public static let overhead = 128

    public let key: HistoryKey
    /// A hash of a view that has this version. The hash is the same in every process.
    public let view: UInt64
    /// The encoded outline, followed by its seal.
    public let outline: [UInt8]
    /// The recorded time of the last use, in seconds since 1970. A version is used when it is sent to a client or presented by a client.
    public let usedAt: Int64

    public init(key: HistoryKey, view: UInt64, outline: [UInt8], usedAt: Int64) {
        self.key = key
        self.view = view
        self.outline = outline
        self.usedAt = usedAt
    }

    /// Creates a replacement for a damaged record. The replacement has no valid seal, so its version is treated as unknown.
    public init(damaged key: HistoryKey) {
        self.init(key: key, view: 0, outline: [], usedAt: 0)
    }

    /// The approximate size of the record in bytes.
    public var cost: Int { outline.count + Self.overhead }
}

/// Changes to history that are written in one transaction.
public struct HistoryBatch: Hashable, Sendable {
    /// New records, and records that replace stored records with the same key.
    public var saved: [HistoryRecord]
    /// The new time of the last use of each stored record, in seconds since 1970. Keys without a stored record are ignored.
    public var used: [HistoryKey: Int64]

    public init(saved: [HistoryRecord] = [], used: [HistoryKey: Int64] = [:]) {
        (self.saved, self.used) = (saved, used)
    }

    public var isEmpty: Bool { saved.isEmpty && used.isEmpty }

    var changesOneByOne: [HistoryBatch] {
        saved.map { HistoryBatch(saved: [$0]) } + used.map { HistoryBatch(used: [$0.key: $0.value]) }
    }
}

/// An error that a store throws if it writes no part of a batch because a page or a row is damaged.
public struct HistoryDamage: Error, Hashable {
    public init() {}
}

/// The number of versions in a store and their size in bytes, after the removal of old versions.
public struct HistoryUsage: Hashable, Sendable {
    public var versions: Int
    public var bytes: Int
    /// The number of versions that were removed although they had been used within ``HistoryBounds/protection``.
    public var removedEarly: Int

    public init(versions: Int, bytes: Int, removedEarly: Int) {
        self.versions = versions
        self.bytes = bytes
        self.removedEarly = removedEarly
    }
}

/// A store of history.
public protocol HistoryStoring: Sendable {
    /// A Boolean value that indicates whether other replicas also write to the store.
    var isShared: Bool { get }
    /// Returns the stored records with these keys, in any order.
    func records(of keys: [HistoryKey]) async throws -> [HistoryRecord]
    /// Writes a batch in one transaction, or throws ``HistoryDamage`` or an error of the store.
    func write(_ batch: HistoryBatch) async throws
    /// Removes versions that are too old, and then the versions that ``HistoryRetention`` chooses.
    ///
    /// - Returns: The number and size of the remaining versions, or `nil` if another replica is removing versions.
    func removeExcess(over bounds: HistoryBounds, now: Int64) async throws -> HistoryUsage?
}

extension HistoryStoring {
    public var isShared: Bool { false }
}

/// The bounds of history.
public struct HistoryBounds: Hashable, Sendable {
    /// The number of seconds for which a version is protected after its last use. A protected version is removed only if the store is full
    /// and contains no unprotected versions.
    public static let protection: Int64 = 3600
    /// The minimum number of seconds between two recorded uses of a version.
    static let useInterval: Int64 = 600

    /// Returns a Boolean value that indicates whether a recorded use is recent. In a damaged store, `time` can be any number.
    static func isRecent(_ time: Int64, at now: Int64) -> Bool {
        let (age, overflow) = now.subtractingReportingOverflow(time)
        return !overflow && (0..<useInterval).contains(age)
    }

    /// The number of seconds after which an unused version is removed.
    public var age: Int64
    /// The approximate maximum number of bytes of all versions in the store.
    public var bytes: Int
    /// The approximate maximum number of bytes of memory that history uses.
    public var memoryBytes: Int

    public init(age: Int64 = 30 * 24 * 3600, bytes: Int = 256 << 20, memoryBytes: Int = 64 << 20) {
        self.age = age
        self.bytes = bytes
        self.memoryBytes = memoryBytes
    }
}
