import LogLines
import Logging
import Synchronization
import Testing

@testable import ScreenService

@Suite("Refreshes that fail", .timeLimit(.minutes(1))) struct FeedRetriesTests {
    private static let failure = DataUnavailable(reason: "away")
    private let backoffs = Backoffs()

    @Test func theLatestViewIsShownAndEachFailureIsLoggedWhileRefreshesFail() async throws {
        let lines = LogLines()
        let third = Gate()
        let feed = try await FollowedFeed(logger: lines.logger) { [backoffs] failures in
            backoffs.note(failures)
            if failures == 3 { await third.pass() }
        }
        let old = feed.latest
        feed.fail(Self.failure, times: 3)
        feed.write("new")
        await third.isReached()
        #expect(feed.latest === old && !feed.subscription.feed.hasEnded)
        third.open()
        #expect(await feed.shows("new"))
        // The refresh succeeded, so the failures are counted from 1 again.
        feed.fail(Self.failure)
        feed.write("newer")
        #expect(await feed.shows("newer"))
        #expect(backoffs.all == [1, 2, 3, 1])
        let line = "warning: a followed view could not be refreshed: error=DataUnavailable(reason: \"away\") failures="
        #expect(lines.all == ["1", "2", "3", "1"].map { "\(line)\($0) screen=letters" })
        #expect(feed.letters.service.metrics.current.failures == 4)
        feed.subscription.cancel()
        #expect(feed.feeds.count == 0)
    }

    @Test func theBackoffBeforeARetryGrowsUpToALimit() {
        #expect((1...6).map(Feeds.backoffTime) == [1, 2, 5, 15, 15, 15].map { .seconds($0) })
    }

    @Test func aRefreshFailsAtItsDeadlineAndIsRepeatedWhenItsComputationEnds() async throws {
        let time = HeldDeadline()
        let second = Gate()
        let feed = try await FollowedFeed(deadline: time.deadline) { failures in
            time.renew()
            if failures == 2 { await second.passUnlessCancelled() }
        }
        let gate = feed.letters.store.hold()
        feed.write("new")
        await gate.isReached()
        time.pass()
        await second.isReached()
        while !feed.feeds.isBackingOff { await Task.yield() }
        gate.open()
        #expect(await feed.shows("new"))
        feed.subscription.cancel()
    }

    @Test func aCommitDuringAFailingRefreshRepeatsTheRefreshWithoutABackoff() async throws {
        for error in [ScreenError.noSuchValue(parameter: "q", detail: "none"), Self.failure] as [any Error] {
            let feed = try await FollowedFeed { [backoffs] in backoffs.note($0) }
            let gate = feed.letters.store.hold()
            feed.fail(error)
            feed.write("broken")
            await gate.isReached()
            feed.write("repaired")
            gate.open()
            #expect(await feed.shows("repaired"))
            #expect(backoffs.all == [] && !feed.subscription.feed.hasEnded)
            feed.subscription.cancel()
        }
    }

    @Test(arguments: [false, true]) func aBackoffEndsEarlyOnlyIfATopicOfTheViewIsAnnounced(announcesAllTopics: Bool) async throws {
        let backoff = Gate()
        let isCancelled = Mutex(false)
        let feed = try await FollowedFeed { _ in await backoff.passUnlessCancelled { isCancelled.withLock { $0 = true } } }
        feed.fail(Self.failure)
        feed.write("new")
        await backoff.isReached()
        while !feed.feeds.isBackingOff { await Task.yield() }
        feed.letters.topics.announceMissed()
        feed.letters.store.write(["unread"], of: "somebody")
        #expect(!isCancelled.withLock { $0 })
        if announcesAllTopics { feed.letters.topics.announceEverything() } else { feed.write("new") }
        #expect(await feed.shows("new"))
        feed.subscription.cancel()
    }

    @Test func aNewFollowerDoesNotWaitForABackoff() async throws {
        let backoff = Gate()
        let feed = try await FollowedFeed { _ in await backoff.passUnlessCancelled() }
        feed.fail(Self.failure)
        feed.write("new")
        await backoff.isReached()
        let second = try await feed.feeds.follow(feed.letters.view()) {}.value
        #expect(second.feed === feed.subscription.feed)
        #expect(second.feed.latest?.snapshot.text.contains("the letter new") == true)
        feed.subscription.cancel()
        second.cancel()
    }

    @Test func retriesEndWhenTheLastFollowerHasLeft() async throws {
        let (first, second) = (Gate(), Gate())
        let feed = try await FollowedFeed { failures in await (failures == 1 ? first : second).pass() }
        feed.fail(Self.failure, times: 2)
        feed.write("new")
        await first.isReached()
        feed.subscription.cancel()
        first.open()
        while feed.subscription.feed.isRefreshing { await Task.yield() }
        #expect(feed.subscription.feed.hasEnded)
    }
}

/// Records the number of failures before each backoff.
private final class Backoffs: Sendable {
    private let failures = Mutex<[Int]>([])

    var all: [Int] { failures.withLock { $0 } }

    func note(_ count: Int) {
        failures.withLock { $0.append(count) }
    }
}
