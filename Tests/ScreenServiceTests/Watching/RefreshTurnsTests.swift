import Testing

@testable import ScreenService

@Suite("Refresh turns") struct RefreshTurnsTests {
    private func turn(
        _ number: Int, of screen: String = "letters", for caller: LimitKey? = nil, size: Int?
    ) -> RefreshTurns.Turn {
        let view = ScreenView(screen: screen, audience: .user("\(number)"), revision: 1, locale: .english, parameters: [])
        return RefreshTurns.Turn(feed: ViewFeed(view), failures: 0, size: size, caller: caller)
    }

    /// Adds turns, and ends each turn that has begun, in the order in which the turns began.
    ///
    /// - Returns: The turns in the order in which they began, and the maximum number of turns that ran at the same time.
    private func run(_ turns: [RefreshTurns.Turn]) -> (order: [RefreshTurns.Turn], most: Int) {
        var line = RefreshTurns()
        var (order, inProgress, most): ([RefreshTurns.Turn], [RefreshTurns.Turn], Int) = ([], [], 0)
        for turn in turns { inProgress += line.add(turn) }
        while !inProgress.isEmpty {
            most = max(most, inProgress.count)
            let turn = inProgress.removeFirst()
            order.append(turn)
            inProgress += line.end(turn)
        }
        return (order, most)
    }

    @Test(arguments: [(0, RefreshTurns.countLimit), (RefreshTurns.costLimit / 4, 4), (RefreshTurns.costLimit, 1), (100 << 20, 1)])
    func theTotalCostOfConcurrentRefreshesIsLimitedAndWaitingRefreshesKeepTheirOrder(size: Int, expected: Int) {
        let turns = (0..<3 * RefreshTurns.countLimit).map { turn($0, size: size) }
        let (order, most) = run(turns)
        #expect(most == expected)
        #expect(order.map(\.feed) == turns.map(\.feed))
    }

    @Test func aLargeViewReceivesItsRefreshTurnBeforeSmallViewsThatWereAddedLater() {
        var line = RefreshTurns()
        let short = (0..<10 * RefreshTurns.countLimit).map { turn($0, size: 0) }
        let long = turn(-1, size: 100 << 20)
        var inProgress = short.prefix(RefreshTurns.countLimit).flatMap { line.add($0) }
        #expect(inProgress.count == RefreshTurns.countLimit)
        inProgress += line.add(long)
        for one in short.dropFirst(RefreshTurns.countLimit) { inProgress += line.add(one) }
        for _ in 0..<RefreshTurns.countLimit { inProgress += line.end(inProgress.removeFirst()) }
        #expect(inProgress.map(\.feed) == [long.feed])
    }

    @Test(arguments: [nil, RefreshTurns.costLimit])
    func aCallerWithOneViewDoesNotWaitForAllViewsOfAnother(size: Int?) {
        let many = (0..<100).map { turn($0, for: .user("ada"), size: size) }
        let one = turn(100, for: .user("bea"), size: size)
        let (order, most) = run(many + [one])
        let place = order.firstIndex { $0.feed == one.feed }!
        #expect(place <= most + 1, "after the running refreshes and one more of the other caller")
    }

    @Test func eachScreenHasItsOwnRefreshTurns() {
        var line = RefreshTurns()
        let begun = ["letters", "notes"].flatMap { line.add(turn(0, of: $0, size: RefreshTurns.costLimit)) }
        #expect(begun.map(\.feed.view.screen) == ["letters", "notes"])
    }

    @Test func refreshesOfNewFeedsAlternateWithRefreshesOfOtherFeeds() {
        let size = RefreshTurns.costLimit
        let busy = turn(0, size: size)
        let others = (1...6).map { turn($0, size: size) }
        let firsts = (1...3).map { turn($0, size: nil) }
        let (order, _) = run([busy] + others + firsts)
        #expect(order.dropFirst().map { $0.size == nil } == [true, false, true, false, true, false, false, false, false])
    }

    @Test func aRefreshTurnThatHasEndedIsReleased() {
        var line = RefreshTurns()
        let first = turn(0, size: RefreshTurns.costLimit)
        _ = line.add(first)
        weak var feed: ViewFeed?
        do {
            let waiting = turn(1, size: RefreshTurns.costLimit)
            feed = waiting.feed
            _ = line.add(waiting)
            for number in 2...10 { _ = line.add(turn(number, size: RefreshTurns.costLimit)) }
            #expect(line.end(first).map(\.feed) == [waiting.feed])
            #expect(line.waitingCount == 9)
        }
        #expect(feed == nil)
    }
}
