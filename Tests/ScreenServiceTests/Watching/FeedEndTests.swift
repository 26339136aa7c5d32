import LogLines
import Logging
@testable import ScreenService
import Synchronization
import Testing

@Suite("The end of feeds", .timeLimit(.minutes(1))) struct FeedEndTests {
    private struct Failure: Error {}

    @Test func theLastWhoLeavesEndsTheFeedAndNothingStays() async throws {
        let letters = try await LetterService()
        let first = try await Follower(letters.service, letters.view())
        let second = try await Follower(letters.service, letters.view())
        let other = try await Follower(letters.service, letters.view(["q": "a"]))
        #expect(letters.service.followedViewCount == 2)
        #expect(letters.service.cache.isFollowed(letters.view()))
        first.leave()
        first.leave()
        #expect(letters.service.followedViewCount == 2)
        second.leave()
        #expect(letters.service.followedViewCount == 1)
        other.leave()
        #expect(letters.service.followedViewCount == 0)
        #expect(!letters.service.cache.isFollowed(letters.view()))
    }

    @Test func aSubscriptionThatIsLetGoOfLeaves() async throws {
        let letters = try await LetterService()
        var subscription: Subscription? = try await letters.service.follow(letters.view()) {}.value
        #expect(subscription != nil && letters.service.followedViewCount == 1)
        subscription = nil
        #expect(letters.service.followedViewCount == 0)
        #expect(!letters.service.cache.isFollowed(letters.view()))
    }

    @Test func aWakeThatIsSetLaterReplacesTheFirst() async throws {
        let letters = try await LetterService()
        let (wakes, wake) = AsyncStream.makeStream(of: String.self)
        let subscription = try await letters.service.follow(letters.view()) { wake.yield("first") }.value
        subscription.setWake { wake.yield("second") }
        letters.store.write(["new"])
        #expect(await wakes.first { _ in true } == "second")
        subscription.cancel()
        subscription.setWake { wake.yield("third") }
        #expect(!subscription.feed.isFollowed, "who has left does not come back")
    }

    @Test func whatComesBeforeItsWakeIsFoundByWhoLooks() async throws {
        let letters = try await LetterService()
        let other = try await Follower(letters.service, letters.view())
        let version = try #require(await other.next()).version
        guard case .now(let subscription) = letters.service.follow(letters.view()) else {
            Issue.record("there is nothing to wait for")
            return
        }
        letters.store.write(["new"])
        #expect(await other.document(saying: "the letter new") != nil)
        subscription.setWake {}
        guard case .document = subscription.news(since: version) else {
            Issue.record("what came before is missed")
            return
        }
    }

    @Test func whatIsFollowedAndCurrentIsFollowedAtOnce() async throws {
        let letters = try await LetterService()
        guard case .later = letters.service.follow(letters.view()) else {
            Issue.record("nobody has computed it yet")
            return
        }
        #expect(letters.service.followedViewCount == 0, "who does not wait for it has left")
        let first = try await Follower(letters.service, letters.view())
        // Its follower is resumed before the refresh has ended.
        while first.feed.isRefreshing { await Task.yield() }
        guard case .now(let second) = letters.service.follow(letters.view()) else {
            Issue.record("there is nothing to wait for")
            return
        }
        first.leave()
        #expect(letters.service.followedViewCount == 1)
        second.cancel()
        #expect(letters.service.followedViewCount == 0)
    }

    @Test func whoLeavesWhileARefreshComputesLeavesNothingBehind() async throws {
        let letters = try await LetterService()
        let follower = try await Follower(letters.service, letters.view())
        let feed = follower.feed
        let gate = letters.store.hold()
        letters.store.write(["new"])
        await gate.isReached()
        follower.leave()
        gate.open()
        // The feed's refresh waits for the same computation.
        _ = try await letters.service.snapshot(of: letters.view()).value
        while feed.isRefreshing { await Task.yield() }
        #expect(letters.service.followedViewCount == 0)
        #expect(!letters.service.cache.isFollowed(letters.view()))
    }

    @Test func aViewThatCannotBeComputedIsNotFollowed() async throws {
        let letters = try await LetterService()
        let errors: [any Error] = [ScreenError.noSuchValue(parameter: "q", detail: "none"), DataUnavailable(reason: "away")]
        for error in errors {
            letters.store.fail(error)
            await #expect(throws: (any Error).self) { try await Follower(letters.service, letters.view()) }
            #expect(letters.service.followedViewCount == 0)
            #expect(!letters.service.cache.isFollowed(letters.view()))
        }
    }

    @Test func whoFollowsKeepsWhatItHasWhileComputationsFail() async throws {
        let letters = try await LetterService(["old"])
        let pauses = Gate()
        let counted = Mutex<[Int]>([])
        let feeds = letters.feeds { failures in
            counted.withLock { $0.append(failures) }
            if failures == 3 { await pauses.pass() }
        }
        let (woken, wake) = AsyncStream.makeStream(of: Void.self)
        let subscription = try await feeds.follow(letters.view()) { wake.yield() }.value
        let old = subscription.feed.latest
        for _ in 0..<3 { letters.store.fail(Failure()) }
        letters.store.write(["new"])
        await pauses.isReached()
        #expect(subscription.feed.latest === old && !subscription.feed.hasEnded)
        pauses.open()
        _ = await woken.first { true }
        #expect(subscription.feed.latest?.snapshot.text.contains("the letter new") == true)
        #expect(counted.withLock { $0 } == [1, 2, 3])
        subscription.cancel()
        #expect(feeds.count == 0)
    }

    @Test func whatFailsForWhoFollowsIsLoggedWithItsCauseAndCounted() async throws {
        let lines = LogLines()
        let letters = try await LetterService(["old"])
        let pauses = Pauses()
        let feeds = letters.feeds(logger: lines.logger) { pauses.note($0) }
        let (woken, wake) = AsyncStream.makeStream(of: Void.self)
        let subscription = try await feeds.follow(letters.view()) { wake.yield() }.value
        var wakes = woken.makeAsyncIterator()
        for letter in ["new", "newer"] {
            for _ in 0..<2 { letters.store.fail(DataUnavailable(reason: "away")) }
            letters.store.write([letter])
            _ = await wakes.next()
        }
        let line = "warning: a followed view could not be computed anew: error=DataUnavailable(reason: \"away\") failures="
        #expect(lines.all == ["1", "2", "1", "2"].map { "\(line)\($0) screen=letters" })
        #expect(pauses.all == [1, 2, 1, 2])
        #expect(letters.service.metrics.current.failures == 4)
        subscription.cancel()
    }

    @Test func pausesGrowUpToABound() {
        #expect((1...6).map(Feeds.pause) == [1, 2, 5, 15, 15, 15].map { .seconds($0) })
    }

    @Test func aRefreshThatHangsIsAFailureAndTriedAgainOnceItHasEnded() async throws {
        let time = HeldDeadline()
        let letters = try await LetterService(["old"], deadline: time.deadline)
        // Cached, so that the first computation is the one that hangs.
        _ = try await letters.service.snapshot(of: letters.view()).value
        let gate = letters.store.hold()
        let pauses = Pauses()
        let feeds = letters.feeds { failures in
            pauses.note(failures)
            time.renew()
            guard failures == 2 else { return }
            gate.open()
            while letters.service.stragglerCount > 0 { await Task.yield() }
        }
        let (woken, wake) = AsyncStream.makeStream(of: Void.self)
        let subscription = try await feeds.follow(letters.view()) { wake.yield() }.value
        letters.store.write(["new"])
        await gate.isReached()
        time.pass()
        _ = await woken.first { true }
        #expect(subscription.feed.latest?.snapshot.text.contains("the letter new") == true)
        #expect(pauses.all == [1, 2])
        subscription.cancel()
    }

    @Test func aViewThatIsBackBeforeItWasFoundGoneIsFollowedOn() async throws {
        let letters = try await LetterService(["old"])
        let feeds = letters.feeds { _ in }
        let (woken, wake) = AsyncStream.makeStream(of: Void.self)
        let subscription = try await feeds.follow(letters.view()) { wake.yield() }.value
        let gate = letters.store.hold()
        letters.store.fail(ScreenError.noSuchValue(parameter: "q", detail: "none"))
        letters.store.write(["gone"])
        await gate.isReached()
        letters.store.write(["back"])
        gate.open()
        _ = await woken.first { true }
        #expect(!subscription.feed.hasEnded)
        #expect(subscription.feed.latest?.snapshot.text.contains("the letter back") == true)
        subscription.cancel()
    }

    @Test func retriesEndWhenNobodyFollowsAnyMore() async throws {
        let letters = try await LetterService()
        let (pause, ended) = (Gate(), Gate())
        let feeds = letters.feeds { failures in await (failures == 1 ? pause : ended).pass() }
        let subscription = try await feeds.follow(letters.view()) {}.value
        for _ in 0..<2 { letters.store.fail(Failure()) }
        letters.store.write(["new"])
        await pause.isReached()
        subscription.cancel()
        pause.open()
        while subscription.feed.isRefreshing { await Task.yield() }
        #expect(subscription.feed.hasEnded)
    }

    @Test func whatMayBeInReachAgainIsTriedAtOnce() async throws {
        let letters = try await LetterService()
        let pause = Gate()
        let isCut = Mutex(false)
        let feeds = letters.feeds { _ in await pause.passUnlessCancelled { isCut.withLock { $0 = true } } }
        let (woken, wake) = AsyncStream.makeStream(of: Void.self)
        let subscription = try await feeds.follow(letters.view()) { wake.yield() }.value
        letters.store.fail(Failure())
        letters.store.write(["new"])
        await pause.isReached()
        while !feeds.isPausing { await Task.yield() }
        // Nothing says by that that it is.
        letters.topics.announceUnheard()
        #expect(!isCut.withLock { $0 })
        letters.topics.announceEverything()
        _ = await woken.first { true }
        #expect(subscription.feed.latest?.snapshot.text.contains("the letter new") == true)
        subscription.cancel()
    }

    @Test func aCommitThatTouchesWhatAFailedRefreshHasReadEndsItsPause() async throws {
        let letters = try await LetterService()
        let pause = Gate()
        let isCut = Mutex(false)
        let feeds = letters.feeds { _ in await pause.passUnlessCancelled { isCut.withLock { $0 = true } } }
        let (woken, wake) = AsyncStream.makeStream(of: Void.self)
        let subscription = try await feeds.follow(letters.view()) { wake.yield() }.value
        letters.store.fail(Failure())
        letters.store.write(["broken"])
        await pause.isReached()
        while !feeds.isPausing { await Task.yield() }
        letters.store.write(["unread"], of: "somebody")
        #expect(!isCut.withLock { $0 })
        letters.store.write(["repaired"])
        _ = await woken.first { true }
        #expect(subscription.feed.latest?.snapshot.text.contains("the letter repaired") == true)
        subscription.cancel()
        #expect(!letters.service.cache.isFollowed(letters.view()))
    }

    @Test func aCommitWhileARefreshFailsHasItReadAgainAtOnce() async throws {
        let letters = try await LetterService()
        let pauses = Pauses()
        let feeds = letters.feeds { pauses.note($0) }
        let (woken, wake) = AsyncStream.makeStream(of: Void.self)
        let subscription = try await feeds.follow(letters.view()) { wake.yield() }.value
        let gate = letters.store.hold()
        letters.store.fail(Failure())
        letters.store.write(["broken"])
        await gate.isReached()
        letters.store.write(["repaired"])
        gate.open()
        _ = await woken.first { true }
        #expect(subscription.feed.latest?.snapshot.text.contains("the letter repaired") == true)
        #expect(pauses.all == [])
        subscription.cancel()
    }

    @Test func aFeedThatHungIsComputedAgainAsSoonAsThatHasEnded() async throws {
        let time = HeldDeadline()
        let letters = try await LetterService(deadline: time.deadline)
        let pause = Gate()
        let feeds = letters.feeds { _ in await pause.passUnlessCancelled {} }
        let (woken, wake) = AsyncStream.makeStream(of: Void.self)
        let subscription = try await feeds.follow(letters.view()) { wake.yield() }.value
        let gate = letters.store.hold()
        letters.store.write(["hanging"])
        await gate.isReached()
        time.pass()
        await pause.isReached()
        time.renew()
        letters.store.write(["repaired"])
        gate.open()
        _ = await woken.first { true }
        #expect(subscription.feed.latest?.snapshot.text.contains("the letter repaired") == true)
        subscription.cancel()
    }

    @Test func aNewFollowerDoesNotWaitForAPause() async throws {
        let letters = try await LetterService(["old"])
        let pause = Gate()
        let feeds = letters.feeds { _ in await pause.passUnlessCancelled {} }
        let first = try await feeds.follow(letters.view()) {}.value
        letters.store.fail(Failure())
        letters.store.write(["new"])
        await pause.isReached()
        let second = try await feeds.follow(letters.view()) {}.value
        #expect(second.feed === first.feed)
        #expect(second.feed.latest?.snapshot.text.contains("the letter new") == true)
        first.cancel()
        second.cancel()
    }

    @Test func aViewThatIsGoneEndsItsFeed() async throws {
        let letters = try await LetterService()
        let follower = try await Follower(letters.service, letters.view())
        _ = await follower.next()
        letters.store.fail(ScreenError.noSuchValue(parameter: "q", detail: "none"))
        letters.store.write(["new"])
        #expect(await follower.next() == nil && follower.feed.hasEnded)
    }

    @Test func aViewThatCameBackIsFollowedAgainThoughSomebodyHasNotLeftItsEnd() async throws {
        let letters = try await LetterService()
        let slow = try await Follower(letters.service, letters.view())
        _ = await slow.next()
        letters.store.fail(ScreenError.noSuchValue(parameter: "q", detail: "none"))
        letters.store.write(["gone"])
        #expect(await slow.next() == nil)
        let newcomer = try await Follower(letters.service, letters.view())
        #expect(try #require(await newcomer.next()).text.contains("the letter gone"))
        slow.leave()
        letters.store.write(["back"])
        #expect(await newcomer.document(saying: "the letter back") != nil)
        newcomer.leave()
        #expect(letters.service.followedViewCount == 0)
        #expect(!letters.service.cache.isFollowed(letters.view()))
    }

    @Test func drainingEndsAllFeedsAndThoseThatCome() async throws {
        let letters = try await LetterService()
        let followers = [
            try await Follower(letters.service, letters.view()), try await Follower(letters.service, letters.view(["q": "a"])),
        ]
        for follower in followers { _ = await follower.next() }
        letters.service.drain()
        for follower in followers { #expect(await follower.next() == nil) }
        for view in [letters.view(), letters.view(["q": "b"])] {
            #expect(await (try Follower(letters.service, view)).next() == nil)
        }
        for follower in followers { follower.leave() }
        #expect(letters.service.followedViewCount == 0)
    }
}

/// Keeps how many failures each pause came after.
private final class Pauses: Sendable {
    private let noted = Mutex<[Int]>([])

    var all: [Int] { noted.withLock { $0 } }

    func note(_ failures: Int) {
        noted.withLock { $0.append(failures) }
    }
}

extension Gate {
    /// Passes, and calls `cancelled` where that is because of a cancellation.
    fileprivate func passUnlessCancelled(_ cancelled: @escaping @Sendable () -> Void) async {
        await withTaskCancellationHandler {
            await pass()
        } onCancel: {
            cancelled()
            open()
        }
    }
}

extension LetterService {
    /// Feeds of the same views, which pause as the test says.
    fileprivate func feeds(
        logger: Logger = .silent, pause: @escaping @Sendable (_ failures: Int) async -> Void
    ) -> Feeds {
        let feeds = Feeds(
            computations: service.computations, topics: topics, cache: service.cache, answers: service.answers,
            attendance: Attendance(catalog: service.catalog), refreshing: RefreshExecutor(), timers: service.timers, logger: logger,
            pause: pause
        )
        _ = topics.observe { announced in
            feeds.endPauses(reading: announced)
            return nil
        }
        return feeds
    }
}
