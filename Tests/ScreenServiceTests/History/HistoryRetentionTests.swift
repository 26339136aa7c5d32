import SeededRandom
import Testing

@testable import ScreenService

@Suite("History retention") struct HistoryRetentionTests {
    private typealias Holding = HistoryRetention.Holding
    private static let now: Int64 = 1_000_000
    /// The time of the last use of a protected version (`lately`) and of an unprotected version (`longAgo`).
    private static let lately = now - HistoryBounds.protection, longAgo = now - HistoryBounds.protection - HistoryBounds.useInterval - 1

    private func retention(_ holdings: [Holding], limit: Int) -> HistoryRetention {
        HistoryRetention(of: holdings, byteLimit: limit, now: Self.now)
    }

    @Test func versionsAreRemovedOnlyIfTheByteLimitIsExceeded() {
        let holdings = (0..<10).map { Holding(id: $0, audience: 0, view: 0, bytes: 10, usedAt: 0) }
        #expect(retention(holdings, limit: 100).removed == [])
    }

    @Test func theLeastRecentlyUsedVersionsAreRemovedFirst() {
        let holdings = (0..<20).map { Holding(id: $0, audience: 0, view: Int($0), bytes: 10, usedAt: Self.longAgo - ($0 * 7) % 20) }
        let retention = retention(holdings, limit: 100)
        let kept = holdings.filter { !retention.removed.contains($0) }
        #expect(kept.count == 9)
        #expect(kept.map(\.usedAt).min()! > holdings.filter { retention.removed.contains($0) }.map(\.usedAt).max()!)
        #expect(retention.removedEarly == 0)
    }

    @Test func recentlyUsedVersionsAreNotRemovedIfEnoughOlderVersionsCanBeRemoved() {
        let mine = (0..<5).map { Holding(id: $0, audience: 0, view: 0, bytes: 10, usedAt: Self.lately) }
        let others = (5..<1000).map { Holding(id: $0, audience: 0, view: Int($0), bytes: 10, usedAt: Self.longAgo) }
        let retention = retention(others + mine, limit: 100)
        #expect(retention.removed.allSatisfy { $0.id >= 5 })
        #expect(retention.removedEarly == 0)
    }

    @Test func theVersionsOfTheLargestViewAreRemovedFirstIfAllVersionsWereUsedRecently() {
        let large = (0..<100).map { Holding(id: $0, audience: 0, view: 1, bytes: 10, usedAt: Self.lately + $0) }
        let small = (100..<150).map { Holding(id: $0, audience: 0, view: Int($0), bytes: 10, usedAt: Self.lately) }
        let retention = retention(small + large, limit: 1000)
        #expect(retention.removed.map(\.id) == Array(0..<60))
        #expect(retention.removedEarly == 60)
    }

    @Test func theVersionsOfTheLargestAudienceAreRemovedFirstIfAllViewsAreSmall() {
        let flood = (0..<1000).map { Holding(id: $0, audience: 1, view: Int($0), bytes: 10, usedAt: Self.lately + 1) }
        let quiet = (1000..<1020).map { Holding(id: $0, audience: Int($0), view: Int($0), bytes: 10, usedAt: Self.lately) }
        let retention = retention(quiet + flood, limit: 5000)
        #expect(retention.removed.count == 570)
        #expect(retention.removed.allSatisfy { $0.id < 1000 })
    }

    @Test(arguments: [Int.min, -1, .max]) func extremeStoredSizesAndTimesCauseNoOverflow(bytes: Int) {
        let holdings = (0..<4).map { Holding(id: $0, audience: 0, view: 0, bytes: $0 < 2 ? bytes : 10, usedAt: $0 < 3 ? .min : .max) }
        #expect(retention(holdings, limit: 10).removed.map(\.id) == [0, 1, 2, 3])
    }

    @Test(arguments: [Int.min, -1, Holding.byteLimit + 1, Int(Int32.max), .max])
    func aVersionWithADamagedSizeDoesNotCauseTheRemovalOfOtherVersions(bytes: Int) {
        let good = (0..<10).map { Holding(id: $0, audience: 0, view: 0, bytes: 10, usedAt: Self.lately) }
        let damaged = Holding(id: 10, audience: 0, view: 0, bytes: bytes, usedAt: Self.lately)
        #expect(retention(good + [damaged], limit: 100).removed == [])
    }

    /// The seeds are fixed, so that a run can be repeated.
    @Test(arguments: Seeds.first(60)) func onlyAsManyVersionsAsNecessaryAreRemoved(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let holdings = (0..<Int64(300)).map { id in
            Holding(
                id: id, audience: .random(in: 0..<6, using: &generator), view: .random(in: 0..<30, using: &generator),
                bytes: .random(in: 1..<50, using: &generator), usedAt: Self.now - .random(in: 0..<8000, using: &generator)
            )
        }
        let limit = Int.random(in: 0..<9000, using: &generator)
        let retention = retention(holdings, limit: limit)
        let gone = Set(retention.removed.map(\.id))
        #expect(gone.count == retention.removed.count)
        let total = holdings.reduce(0) { $0 + $1.bytes }
        let rest = holdings.filter { !gone.contains($0.id) }.reduce(0) { $0 + $1.bytes }
        if total <= limit { #expect(gone.isEmpty) } else { #expect(rest <= limit && rest > limit / 10 * 9 - 50) }
        let isProtected = { (holding: Holding) in holding.usedAt >= Self.now - HistoryBounds.protection - HistoryBounds.useInterval }
        #expect(retention.removedEarly == holdings.filter { gone.contains($0.id) && isProtected($0) }.count)
        if retention.removedEarly > 0 { #expect(holdings.allSatisfy { isProtected($0) || gone.contains($0.id) }) }
    }
}
