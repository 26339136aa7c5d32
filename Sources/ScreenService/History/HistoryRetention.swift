/// The choice of versions to remove from a store of history that exceeds its byte limit.
///
/// Versions are removed in three steps. A step begins only if the previous steps did not remove enough bytes.
/// 1. Unprotected versions are removed, beginning with the least recently used version. See ``HistoryBounds/protection``.
/// 2. Protected versions of the views with the most bytes are removed, until no view has more than a 64th of the limit.
/// 3. Protected versions of the audiences with the most bytes are removed.
///
/// In steps 2 and 3, the least recently used versions are removed first.
public struct HistoryRetention {
    /// A version in a store. The store represents audiences and views by numbers.
    public struct Holding: Hashable, Sendable {
        public let id: Int64
        public let audience: Int
        public let view: Int
        /// The approximate size of the record in bytes. See ``HistoryRecord/cost``.
        public let bytes: Int
        /// The time of the last use, in seconds since 1970. In a damaged store, it can be any number.
        public let usedAt: Int64

        /// The maximum size of a version in bytes, enough for a million cells. A larger stored size is the result of damage.
        public static let byteLimit = 16 << 20

        /// Creates the description of a stored version. A size outside of `0...byteLimit` is replaced by 0. Otherwise one damaged size
        /// could cause the removal of all other versions.
        public init(id: Int64, audience: Int, view: Int, bytes: Int, usedAt: Int64) {
            self.id = id
            self.audience = audience
            self.view = view
            self.bytes = (0...Self.byteLimit).contains(bytes) ? bytes : 0
            self.usedAt = usedAt
        }
    }

    /// The versions that were chosen for removal. If one of them was used after this choice, the store must not remove it.
    public private(set) var removed: [Holding] = []
    /// The number of protected versions among ``removed``.
    public private(set) var removedEarly = 0
    private var excess: Int

    /// Returns the start of the protected period, in seconds since 1970. A version is protected if the recorded time of its last use is not
    /// earlier than this start.
    ///
    /// The period is longer than ``HistoryBounds/protection`` by `HistoryBounds.useInterval`, because the actual last use can be this much
    /// later than the recorded time.
    public static func protectedSince(_ now: Int64) -> Int64 {
        now - HistoryBounds.protection - HistoryBounds.useInterval
    }

    /// Chooses the versions to remove, so that the remaining versions fit into `byteLimit`.
    public init(of holdings: [Holding], byteLimit: Int, now: Int64) {
        let total = holdings.reduce(0) { $0 + $1.bytes }
        // Versions are removed until the remaining versions fit into nine tenths of the limit. Otherwise every new version would require
        // another removal.
        excess = total > byteLimit ? total - byteLimit / 10 * 9 : 0
        guard excess > 0 else { return }
        let protectedSince = Self.protectedSince(now)
        var rest = holdings.sorted { ($0.usedAt, $0.id) < ($1.usedAt, $1.id) }[...]
        while excess > 0, let first = rest.first, first.usedAt < protectedSince { remove(rest.removeFirst()) }
        let unprotectedCount = removed.count
        level(&rest, by: \.view, downTo: byteLimit / 64)
        level(&rest, by: \.audience, downTo: 0)
        removedEarly = removed.count - unprotectedCount
    }

    private mutating func remove(_ holding: Holding) {
        removed.append(holding)
        excess -= holding.bytes
    }

    /// Removes versions of the groups with the most bytes, until enough bytes are removed or no group has more than `floor` bytes.
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
                remove(holding)
            } else {
                kept.append(holding)
            }
        }
        holdings = kept
    }

    /// Returns the level to which all larger amounts must be reduced so that the sum of all amounts decreases by at least `excess`.
    private static func level(of amounts: [Int], taking excess: Int) -> Int {
        var above = 0
        for (index, amount) in amounts.sorted(by: >).enumerated() {
            // `index` is the number of earlier amounts. They are at least as large as this amount, and their sum is `above`. If each of
            // them is reduced to this amount, their sum decreases by `above - amount * index`.
            if above - amount * index >= excess { return (above - excess) / index }
            above += amount
        }
        return max(0, (above - excess) / max(1, amounts.count))
    }
}
