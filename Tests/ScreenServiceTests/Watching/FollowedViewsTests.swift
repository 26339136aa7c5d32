import SeededRandom
import Testing

@testable import ScreenService

@Suite("The limits of followed views") struct FollowedViewsTests {
    static let seeds = Seeds.first(10)
    private static let (ada, bea, cal) = (LimitKey.user("ada"), LimitKey.user("bea"), LimitKey.address(high: 0, low: 1))

    private func newFeed(_ name: String) -> ViewFeed {
        ViewFeed(.some(name))
    }

    /// Records the size of a view, and expects that these callers must stop following the view.
    private func expect(
        _ callers: Set<LimitKey>, toLeave feed: ViewFeed, with bytes: Int, _ followed: inout FollowedViews,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let removed = followed.update(feed, bytes: bytes)
        #expect(removed == callers, sourceLocation: sourceLocation)
    }

    @Test func aCallerCannotFollowMoreViewsThanItsShareAllows() {
        var followed = FollowedViews(within: FollowingBounds(views: 10, callerShare: 20))
        let feeds = ["a", "b", "c"].map(newFeed)
        for feed in feeds[..<2] {
            #expect(followed.refusal(of: Self.ada, to: nil, bytes: nil) == nil)
            followed.add(Self.ada, to: feed)
        }
        followed.add(Self.ada, to: feeds[0])
        #expect(followed.usage(of: Self.ada).views == 2 && followed.usage.views == 2)
        #expect(followed.refusal(of: Self.ada, to: feeds[1], bytes: nil) == nil, "it follows this one already")
        #expect(followed.refusal(of: Self.ada, to: nil, bytes: nil) == .callerLimitReached)
        #expect(followed.refusal(of: Self.bea, to: nil, bytes: nil) == nil)
        followed.remove(Self.ada, from: feeds[0])
        #expect(followed.refusal(of: Self.ada, to: nil, bytes: nil) == .callerLimitReached, "it has another stream of that view")
        followed.remove(Self.ada, from: feeds[0])
        #expect(followed.refusal(of: Self.ada, to: nil, bytes: nil) == nil)
    }

    @Test func theFollowersOfACallerAreLimitedEvenIfTheyFollowOneView() {
        var followed = FollowedViews(within: FollowingBounds(followersPerCaller: 2))
        let feed = newFeed("a")
        for _ in 0..<2 {
            #expect(followed.refusal(of: Self.ada, to: feed, bytes: nil) == nil)
            followed.add(Self.ada, to: feed)
        }
        #expect(followed.refusal(of: Self.ada, to: feed, bytes: nil) == .callerLimitReached)
        #expect(followed.refusal(of: Self.bea, to: feed, bytes: nil) == nil)
        followed.remove(Self.ada, from: feed)
        #expect(followed.refusal(of: Self.ada, to: feed, bytes: nil) == nil)
    }

    @Test func aCallerCanAlwaysFollowOneView() {
        var followed = FollowedViews(within: FollowingBounds(views: 4, callerShare: 20))
        #expect(followed.refusal(of: Self.ada, to: nil, bytes: nil) == nil)
        followed.add(Self.ada, to: newFeed("a"))
        #expect(followed.refusal(of: Self.ada, to: nil, bytes: nil) == .callerLimitReached)
        let none = FollowedViews(within: FollowingBounds(views: 0))
        #expect(none.refusal(of: Self.ada, to: nil, bytes: nil) == .callerLimitReached)
    }

    @Test func theNumberOfFollowedViewsOfAllCallersIsLimited() {
        var followed = FollowedViews(within: FollowingBounds(views: 2, callerShare: 100))
        let feeds = ["a", "b"].map(newFeed)
        for (caller, feed) in [(Self.ada, feeds[0]), (Self.bea, feeds[1]), (Self.cal, feeds[1])] { followed.add(caller, to: feed) }
        #expect(followed.usage.views == 2)
        #expect(followed.refusal(of: Self.cal, to: nil, bytes: nil) == .totalLimitReached)
        #expect(followed.refusal(of: Self.cal, to: feeds[0], bytes: nil) == nil)
        followed.remove(Self.ada, from: feeds[0])
        #expect(followed.refusal(of: Self.cal, to: nil, bytes: nil) == nil)
    }

    @Test func aCallerCannotFollowAViewThatIsKnownToExceedALimit() {
        // A new view is admitted only if all followed views, including the new view, use at most 1000 bytes, which is half of `bytes`. The
        // views of one caller may use at most 500 bytes, because `callerShare` is 50 percent.
        var followed = FollowedViews(within: FollowingBounds(bytes: 2000, callerShare: 50))
        let small = newFeed("a")
        followed.add(Self.ada, to: small)
        expect([], toLeave: small, with: 300, &followed)
        #expect(followed.refusal(of: Self.ada, to: nil, bytes: 200) == nil)
        #expect(followed.refusal(of: Self.ada, to: nil, bytes: 201) == .callerLimitReached)
        #expect(followed.refusal(of: Self.ada, to: nil, bytes: nil) == nil, "its size is not known")
        followed.add(Self.bea, to: small)
        #expect(followed.usage(of: Self.bea).bytes == 300 && followed.usage.bytes == 300)
        let other = newFeed("b")
        followed.add(Self.cal, to: other)
        expect([], toLeave: other, with: 500, &followed)
        #expect(followed.refusal(of: .user("dan"), to: nil, bytes: 201) == .totalLimitReached)
        #expect(followed.refusal(of: Self.cal, to: nil, bytes: nil) == .callerLimitReached, "it has no bytes left")
    }

    @Test func aViewOfKnownSizeIsCountedAsSoonAsItHasAFollower() {
        var followed = FollowedViews(within: FollowingBounds(bytes: 2000, callerShare: 50))
        let feed = newFeed("a")
        followed.add(Self.ada, to: feed, bytes: 300)
        #expect(followed.usage(of: Self.ada).bytes == 300 && followed.usage.bytes == 300)
        #expect(followed.refusal(of: Self.ada, to: nil, bytes: 201) == .callerLimitReached)
        followed.add(Self.bea, to: feed, bytes: 400)
        #expect(followed.usage(of: Self.bea).bytes == 300 && followed.usage.bytes == 300, "the view counts once")
        expect([], toLeave: feed, with: 300, &followed)
        for caller in [Self.ada, Self.bea] { followed.remove(caller, from: feed) }
        #expect(followed.usage == FollowedViews.Usage())
    }

    @Test func callersMustStopFollowingAViewThatExceedsTheirLimit() {
        var followed = FollowedViews(within: FollowingBounds(bytes: 2000, callerShare: 50))
        let (first, second, third) = (newFeed("a"), newFeed("b"), newFeed("c"))
        followed.add(Self.ada, to: first)
        expect([], toLeave: first, with: 400, &followed)
        for caller in [Self.ada, Self.bea] { followed.add(caller, to: second) }
        expect([Self.ada], toLeave: second, with: 200, &followed)
        followed.remove(Self.ada, from: second)
        #expect(followed.usage(of: Self.bea).bytes == 200 && followed.usage.bytes == 600)
        followed.add(Self.cal, to: third)
        expect([Self.cal], toLeave: third, with: 401, &followed)
        followed.remove(Self.cal, from: third)
        #expect(followed.usage == FollowedViews.Usage(views: 2, bytes: 600, followers: 2))
    }

    @Test func aFollowedViewCanExceedTheLimitForNewViewsByHalf() {
        var followed = FollowedViews(within: FollowingBounds(bytes: 4000, callerShare: 50))
        let feed = newFeed("a")
        followed.add(Self.ada, to: feed)
        expect([], toLeave: feed, with: 1000, &followed)
        expect([], toLeave: feed, with: 1500, &followed)
        expect([Self.ada], toLeave: feed, with: 1501, &followed)
        expect([], toLeave: feed, with: 1501, &followed)
        expect([], toLeave: feed, with: 100, &followed)
    }

    @Test(arguments: seeds) func randomChangesOfFollowedViewsNeverExceedTheLimits(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let bounds = FollowingBounds(views: 12, bytes: 4000, callerShare: 40)
        var followed = FollowedViews(within: bounds)
        let callers = (0..<5).map { LimitKey.user("\($0)") }
        var open: [(caller: LimitKey, feed: ViewFeed)] = []
        var bytes: [ViewFeed: Int] = [:]
        for number in 0..<200 {
            let caller = callers.randomElement(using: &generator)!
            switch Int.random(in: 0..<4, using: &generator) {
            case 0, 1:
                let joined = Bool.random(using: &generator) ? open.randomElement(using: &generator)?.feed : nil
                guard followed.refusal(of: caller, to: joined, bytes: nil) == nil else { continue }
                let feed = joined ?? newFeed("\(number)")
                followed.add(caller, to: feed)
                open.append((caller, feed))
            case 2:
                guard let index = open.indices.randomElement(using: &generator) else { continue }
                let (caller, feed) = open.remove(at: index)
                followed.remove(caller, from: feed)
            default:
                guard let feed = open.randomElement(using: &generator)?.feed else { continue }
                bytes[feed] = Int.random(in: 1...1000, using: &generator)
                let removed = followed.update(feed, bytes: bytes[feed]!)
                for (caller, feed) in open.filter({ $0.feed == feed && removed.contains($0.caller) }) {
                    followed.remove(caller, from: feed)
                }
                open.removeAll { $0.feed == feed && removed.contains($0.caller) }
            }
            let feeds = Set(open.map(\.feed))
            let bytesOfAll = feeds.reduce(0) { $0 + (bytes[$1] ?? 0) }
            #expect(followed.usage == .init(views: feeds.count, bytes: bytesOfAll, followers: open.count))
            #expect(followed.usage.views <= 12 && followed.usage.bytes <= 3000)
            for caller in callers {
                let followers = open.filter { $0.caller == caller }
                let own = Set(followers.map(\.feed))
                let bytesOfOwn = own.reduce(0) { $0 + (bytes[$1] ?? 0) }
                #expect(followed.usage(of: caller) == .init(views: own.count, bytes: bytesOfOwn, followers: followers.count))
                #expect(own.count <= 4 && followed.usage(of: caller).bytes <= 1200)
            }
        }
    }
}
