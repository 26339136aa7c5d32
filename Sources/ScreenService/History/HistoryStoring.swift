/// The key of one entry of history: a version of a screen that was handed out to an audience.
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
    /// The bytes that a record takes besides its outline, in a store as in memory, about.
    public static let overhead = 128

    public let key: HistoryKey
    /// A stable hash of a view that this version was handed out for.
    public let view: UInt64
    /// The encoded outline with its seal. Its first byte is its format.
    public let outline: [UInt8]
    /// When it was handed out or presented last, in seconds since 1970; it may lag by some minutes.
    public let usedAt: Int64

    public init(key: HistoryKey, view: UInt64, outline: [UInt8], usedAt: Int64) {
        self.key = key
        self.view = view
        self.outline = outline
        self.usedAt = usedAt
    }

    /// A record that is stored but damaged. No seal fits its outline, so its version is unknown.
    public init(damaged key: HistoryKey) {
        self.init(key: key, view: 0, outline: [], usedAt: 0)
    }

    /// The bytes that it counts for in a bound.
    public var cost: Int { outline.count + Self.overhead }
}

/// Changes to history that are written together; all of them or none.
public struct HistoryBatch: Hashable, Sendable {
    /// New records, and whole replacements of those with an equal key.
    public var saved: [HistoryRecord] = []
    /// When records were used, in seconds since 1970; those that the store does not have are none. No key in it
    /// is among the saved.
    public var used: [HistoryKey: Int64] = [:]

    public init() {}

    public var isEmpty: Bool { count == 0 }

    /// How many records it touches.
    var count: Int { saved.count + used.count }

    /// A batch for each record.
    var single: [HistoryBatch] {
        var (batches, batch) = ([HistoryBatch](), HistoryBatch())
        for record in saved {
            batch.saved = [record]
            batches.append(batch)
        }
        batch.saved = []
        for use in used {
            batch.used = [use.key: use.value]
            batches.append(batch)
        }
        return batches
    }
}

/// The error of a store that cannot write a batch because a page or a row is damaged. Nothing of the batch is written.
public struct HistoryDamage: Error, Hashable {
    public init() {}
}

/// What a store has after it has let go of what is over its bounds.
public struct HistoryHoldings: Hashable, Sendable {
    public var versions: Int
    public var bytes: Int
    /// How many went although they had been used within ``HistoryBounds/protection``.
    public var crowdedOut: Int

    public init(versions: Int, bytes: Int, crowdedOut: Int) {
        self.versions = versions
        self.bytes = bytes
        self.crowdedOut = crowdedOut
    }
}

/// A store of history that outlives the process.
public protocol HistoryStoring: Sendable {
    /// Whether other replicas write to it as well.
    var isShared: Bool { get }
    /// The records of these keys that it has, in no particular order.
    func records(of keys: [HistoryKey]) async throws -> [HistoryRecord]
    /// Writes a batch in one transaction.
    ///
    /// - Throws: ``HistoryDamage``, or the errors of the store.
    func write(_ batch: HistoryBatch) async throws
    /// Lets go of what is too old, and of what ``HistoryRetention`` says where there is too much.
    ///
    /// - Returns: what it has then; nil where another replica is at it.
    func forget(over bounds: HistoryBounds, now: Int64) async throws -> HistoryHoldings?
}

extension HistoryStoring {
    public var isShared: Bool { false }
}

/// How much history is kept, and for how long.
public struct HistoryBounds: Hashable, Sendable {
    /// For so many seconds after it was handed out or presented a version stays, whatever others ask for
    /// meanwhile; only a store that is full of such versions lets go of one.
    public static let protection: Int64 = 3600
    /// How many seconds may pass between the use of a version and the use that its record tells.
    static let useInterval: Int64 = 600

    /// Returns a Boolean value that indicates whether a noted use is so recent that another one is not noted.
    ///
    /// - Parameter time: the time of the noted use. It may be any number, as it may come from a store.
    static func isRecent(_ time: Int64, at now: Int64) -> Bool {
        let (age, overflow) = now.subtractingReportingOverflow(time)
        return !overflow && (0..<useInterval).contains(age)
    }

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
