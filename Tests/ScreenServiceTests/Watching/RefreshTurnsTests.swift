@testable import ScreenService
import Testing

@Suite("Refresh turns") struct RefreshTurnsTests {
    private func turn(_ number: Int, of screen: String = "letters") -> RefreshTurns.Turn {
        let view = ScreenView(screen: screen, audience: .user("\(number)"), revision: 1, locale: .english, parameters: [])
        return RefreshTurns.Turn(feed: ViewFeed(view), failures: 0)
    }

    @Test func ofEachScreenSoManyAreRefreshedAtATimeAndTheRestInTheirOrder() {
        var turns = RefreshTurns()
        let all = (0..<3 * RefreshTurns.limit).map { turn($0) }
        let begun = all.map { turns.begin($0) }
        #expect(begun == all.indices.map { $0 < RefreshTurns.limit })
        let isOtherBegun = turns.begin(turn(0, of: "notes"))
        #expect(isOtherBegun)
        for (index, one) in all.enumerated() {
            let next = turns.end(one)
            let expected = index + RefreshTurns.limit
            #expect(next?.feed === (expected < all.count ? all[expected].feed : nil))
        }
        let isBegunAtOnce = turns.begin(turn(0))
        #expect(isBegunAtOnce)
    }

    @Test func whatHasHadItsTurnIsLetGoOf() {
        var turns = RefreshTurns()
        let first = (0..<RefreshTurns.limit).map { turn($0) }
        for one in first { _ = turns.begin(one) }
        weak var feed: ViewFeed?
        do {
            let waiting = turn(0)
            feed = waiting.feed
            _ = turns.begin(waiting)
            for number in 1...10 { _ = turns.begin(turn(number)) }
            let next = turns.end(first[0])
            #expect(next?.feed === waiting.feed)
        }
        #expect(feed == nil)
    }
}
