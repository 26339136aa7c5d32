@testable import ScreenService
import SeededRandom
import Testing

@Suite("What a full store of history forgets") struct HistoryRetentionTests {
    private typealias Holding = HistoryRetention.Holding
    private static let now: Int64 = 1_000_000
    /// Protected, and not.
    private static let lately = now - HistoryBounds.protection, longAgo = now - HistoryBounds.protection - HistoryBounds.useInterval - 1

    private func forgotten(_ holdings: [Holding], limit: Int) -> HistoryRetention {
        HistoryRetention(of: holdings, byteLimit: limit, now: Self.now)
    }

    @Test func nothingGoesWithinTheBound() {
        let holdings = (0..<10).map { Holding(id: $0, audience: 0, view: 0, bytes: 10, usedAt: 0) }
        #expect(forgotten(holdings, limit: 100).forgotten == [])
    }

    @Test func theLeastRecentlyUsedGoesFirst() {
        let holdings = (0..<20).map { Holding(id: $0, audience: 0, view: Int($0), bytes: 10, usedAt: Self.longAgo - ($0 * 7) % 20) }
        let retention = forgotten(holdings, limit: 100)
        let kept = holdings.filter { !retention.forgotten.contains($0) }
        #expect(kept.count == 9)
        #expect(kept.map(\.usedAt).min()! > holdings.filter { retention.forgotten.contains($0) }.map(\.usedAt).max()!)
        #expect(retention.crowdedOut == 0)
    }

    @Test func whatWasUsedWithinTheHourStaysHoweverManyOthersThereAre() {
        let mine = (0..<5).map { Holding(id: $0, audience: 0, view: 0, bytes: 10, usedAt: Self.lately) }
        let others = (5..<1000).map { Holding(id: $0, audience: 0, view: Int($0), bytes: 10, usedAt: Self.longAgo) }
        let retention = forgotten(others + mine, limit: 100)
        #expect(retention.forgotten.allSatisfy { $0.id >= 5 })
        #expect(retention.crowdedOut == 0)
    }

    @Test func theViewThatHoldsMostLosesFirst() {
        let large = (0..<100).map { Holding(id: $0, audience: 0, view: 1, bytes: 10, usedAt: Self.lately + $0) }
        let small = (100..<150).map { Holding(id: $0, audience: 0, view: Int($0), bytes: 10, usedAt: Self.lately) }
        let retention = forgotten(small + large, limit: 1000)
        #expect(retention.forgotten.map(\.id) == Array(0..<60))
        #expect(retention.crowdedOut == 60)
    }

    @Test func ofManySmallViewsThoseOfTheAudienceThatHoldsMostGo() {
        let flood = (0..<1000).map { Holding(id: $0, audience: 1, view: Int($0), bytes: 10, usedAt: Self.lately + 1) }
        let quiet = (1000..<1020).map { Holding(id: $0, audience: Int($0), view: Int($0), bytes: 10, usedAt: Self.lately) }
        let retention = forgotten(quiet + flood, limit: 5000)
        #expect(retention.forgotten.count == 570)
        #expect(retention.forgotten.allSatisfy { $0.id < 1000 })
    }

    @Test(arguments: [Int.min, -1, .max]) func anyStoredSizeAndTimeIsCounted(bytes: Int) {
        let holdings = (0..<4).map { Holding(id: $0, audience: 0, view: 0, bytes: $0 < 2 ? bytes : 10, usedAt: $0 < 3 ? .min : .max) }
        #expect(forgotten(holdings, limit: 10).forgotten.map(\.id) == [0, 1, 2, 3])
    }

    @Test(arguments: [Int.min, -1, Holding.byteLimit + 1, Int(Int32.max), .max]) func aDamagedSizeHasNoOtherVersionRemoved(bytes: Int) {
        let good = (0..<10).map { Holding(id: $0, audience: 0, view: 0, bytes: 10, usedAt: Self.lately) }
        let damaged = Holding(id: 10, audience: 0, view: 0, bytes: bytes, usedAt: Self.lately)
        #expect(forgotten(good + [damaged], limit: 100).forgotten == [])
    }

    /// Printed with a failure by its argument; fixed, so that a run can be repeated.
    @Test(arguments: Seeds.first(60)) func itTakesNoMoreThanItMustAndNothingTwice(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let holdings = (0..<Int64(300)).map { id in
            Holding(
                id: id, audience: .random(in: 0..<6, using: &generator), view: .random(in: 0..<30, using: &generator),
                bytes: .random(in: 1..<50, using: &generator), usedAt: Self.now - .random(in: 0..<8000, using: &generator)
            )
        }
        let limit = Int.random(in: 0..<9000, using: &generator)
        let retention = forgotten(holdings, limit: limit)
        let gone = Set(retention.forgotten.map(\.id))
        #expect(gone.count == retention.forgotten.count)
        let total = holdings.reduce(0) { $0 + $1.bytes }
        let rest = holdings.filter { !gone.contains($0.id) }.reduce(0) { $0 + $1.bytes }
        if total <= limit { #expect(gone.isEmpty) } else { #expect(rest <= limit && rest > limit / 10 * 9 - 50) }
        let isProtected = { (holding: Holding) in holding.usedAt >= Self.now - HistoryBounds.protection - HistoryBounds.useInterval }
        #expect(retention.crowdedOut == holdings.filter { gone.contains($0.id) && isProtected($0) }.count)
        if retention.crowdedOut > 0 { #expect(holdings.allSatisfy { isProtected($0) || gone.contains($0.id) }) }
    }
}
