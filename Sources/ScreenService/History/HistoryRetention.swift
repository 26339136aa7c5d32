/// The choice of what a store of history lets go of when it has more bytes than it may.
///
/// What nobody has used for the time that ``HistoryBounds`` protects goes first, the least recently used before
/// all. If that is not enough, whoever crowds the others out loses first: the views that hold most, as long as
/// they hold a 64th of the bound or more, then the audiences that hold most; of each its least recently used.
public struct HistoryRetention {
    /// A version in a store. Audiences and views are told apart by numbers of the store's own.
    public struct Holding: Hashable, Sendable {
        public let id: Int64
        public let audience: Int
        public let view: Int
        /// ``HistoryRecord/cost``.
        public let bytes: Int
        /// Any number, as the store has it.
        public let usedAt: Int64

        /// The maximum size of a version: an outline of a million cells. A larger size in a store is damaged.
        public static let byteLimit = 16 << 20

        /// - Parameter bytes: a size outside of `0...byteLimit` counts as 0. Otherwise one damaged size would have all other versions
        ///   removed.
        public init(id: Int64, audience: Int, view: Int, bytes: Int, usedAt: Int64) {
            self.id = id
            self.audience = audience
            self.view = view
            self.bytes = (0...Self.byteLimit).contains(bytes) ? bytes : 0
            self.usedAt = usedAt
        }
    }

    /// What goes, unless it has been used since.
    public private(set) var forgotten: [Holding] = []
    /// How many of them were protected.
    public private(set) var crowdedOut = 0
    private var excess: Int

    /// The time since which a version must have been used to be protected.
    public static func protectedSince(_ now: Int64) -> Int64 {
        now - HistoryBounds.protection - HistoryBounds.useInterval
    }

    /// - Parameter now: in seconds since 1970.
    public init(of holdings: [Holding], byteLimit: Int, now: Int64) {
        let total = holdings.reduce(0) { $0 + $1.bytes }
        // Down to nine tenths, so that not every new version has all of them looked at.
        excess = total > byteLimit ? total - byteLimit / 10 * 9 : 0
        guard excess > 0 else { return }
        let protectedSince = Self.protectedSince(now)
        var rest = holdings.sorted { ($0.usedAt, $0.id) < ($1.usedAt, $1.id) }[...]
        while excess > 0, let first = rest.first, first.usedAt < protectedSince { forget(rest.removeFirst()) }
        let spentCount = forgotten.count
        level(&rest, by: \.view, downTo: byteLimit / 64)
        level(&rest, by: \.audience, downTo: 0)
        crowdedOut = forgotten.count - spentCount
    }

    private mutating func forget(_ holding: Holding) {
        forgotten.append(holding)
        excess -= holding.bytes
    }

    /// Takes from the groups that hold most, until the excess is gone or none holds more than `floor`.
    private mutating func level(_ holdings: inout ArraySlice<Holding>, by group: (Holding) -> Int, downTo floor: Int) {
        guard excess > 0 else { return }
        var held: [Int: Int] = [:]
        for holding in holdings { held[group(holding), default: 0] += holding.bytes }
        let level = max(floor, Self.level(of: Array(held.values), taking: excess))
        var kept: ArraySlice<Holding> = []
        for holding in holdings {
            let group = group(holding)
            if excess > 0, held[group]! > level {
                held[group]! -= holding.bytes
                forget(holding)
            } else {
                kept.append(holding)
            }
        }
        holdings = kept
    }

    /// The amount to which the largest have to come down so that so much is taken from all of them together.
    private static func level(of amounts: [Int], taking excess: Int) -> Int {
        var above = 0
        for (index, amount) in amounts.sorted(by: >).enumerated() {
            // Down to this amount, those before it would give so much.
            if above - amount * index >= excess { return (above - excess) / index }
            above += amount
        }
        return max(0, (above - excess) / max(1, amounts.count))
    }
}
