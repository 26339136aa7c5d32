import Synchronization
import Testing

@testable import ScreenService

/// Tests of the events that report to a follower whether its version is current. If an expected event does not arrive, the test
/// fails at its time limit.
@Suite("Freshness", .timeLimit(.minutes(1))) struct FreshnessTests {
    private static let failure = DataUnavailable(reason: "away")
    private let turns = Turns()

    private func version(_ letters: LetterService) async throws -> String {
        try await letters.service.snapshot(of: letters.view()).value.version
    }

    // MARK: - The first event

    @Test func aFollowerIsNotifiedOnlyOnceThatItsVersionIsCurrent() async throws {
        let letters = try await LetterService()
        let follower = try await Follower(letters.service, letters.view(), since: try await version(letters))
        #expect(await follower.isReportedCurrent())
        #expect(follower.isSilent)
    }

    @Test(arguments: [nil, "nonsense"]) func aFollowerWithoutAKnownVersionReceivesADocumentFirst(version: String?) async throws {
        let letters = try await LetterService()
        let follower = try await Follower(letters.service, letters.view(), since: version)
        #expect(await follower.isSentDocument(saying: "the letter a"))
        #expect(follower.isSilent)
    }

    @Test func aVersionIsNotReportedAsCurrentIfTheDataChangedBeforeTheRequest() async throws {
        let letters = try await LetterService(["old"])
        let early = try await Follower(letters.service, letters.view())
        let old = try #require(await early.next()).version
        let gate = letters.store.hold()
        letters.store.write(["old"])
        await gate.isReached()
        letters.store.write(["new"])
        // The refresh in progress has read the old data.
        let coming = turns.start {
            let follower = try await Follower(letters.service, letters.view(), since: old)
            return await follower.isSentDocument(saying: "the letter new")
        }
        turns.settle()
        gate.open()
        #expect(try await coming.awaited)
    }

    @Test func theDataIsReadAgainForEachNewFollowerWhileReportsOfCommitsAreMissing() async throws {
        let letters = try await LetterService(["old"], received: ReceivedCommits())
        let old = try await version(letters)
        let first = try await Follower(letters.service, letters.view(), since: old)
        #expect(await first.isReportedCurrent())
        letters.store.writeUnheard(["new"])
        let second = try await Follower(letters.service, letters.view(), since: old)
        #expect(await second.isSentDocument(saying: "the letter new"))
    }

    // MARK: - Refreshes that fail

    @Test func repeatedRefreshFailuresAreReportedOnlyOnceToEachFollower() async throws {
        let (first, second) = (Gate(), Gate())
        let feed = try await FollowedFeed { failures in await (failures == 1 ? first : second).pass() }
        let followers = [try await feed.follower(), try await feed.follower()]
        for follower in followers { #expect(await follower.isReportedCurrent()) }
        feed.fail(Self.failure, times: 2)
        feed.write("old")
        for follower in followers { #expect(await follower.isReportedStale()) }
        await first.isReached()
        first.open()
        await second.isReached()
        for follower in followers { #expect(follower.isSilent) }
        second.open()
        for follower in followers { #expect(await follower.isReportedCurrent()) }
        for follower in followers { #expect(follower.isSilent) }
        feed.subscription.cancel()
    }

    @Test func aFollowerReceivesOnlyTheNewDocumentWhenARefreshSucceedsAfterFailures() async throws {
        let backoff = Gate()
        let feed = try await FollowedFeed { _ in await backoff.pass() }
        let follower = try await feed.follower()
        #expect(await follower.isReportedCurrent())
        feed.fail(Self.failure)
        feed.write("new")
        #expect(await follower.isReportedStale())
        backoff.open()
        #expect(await follower.isSentDocument(saying: "the letter new"))
        #expect(follower.isSilent)
        feed.subscription.cancel()
    }

    @Test func aRefreshThatTakesTooLongIsReported() async throws {
        let (time, backoff) = (HeldDeadline(), Gate())
        let feed = try await FollowedFeed(deadline: time.deadline) { _ in
            time.renew()
            await backoff.passUnlessCancelled()
        }
        let follower = try await feed.follower()
        #expect(await follower.isReportedCurrent())
        let gate = feed.letters.store.hold()
        feed.write("old")
        await gate.isReached()
        time.pass()
        #expect(await follower.isReportedStale())
        while !feed.feeds.isBackingOff { await Task.yield() }
        gate.open()
        #expect(await follower.isReportedCurrent())
        feed.subscription.cancel()
    }

    @Test func aFailedRefreshIsNotReportedIfARefreshAfterANewerCommitSucceeds() async throws {
        let feed = try await FollowedFeed { _ in Issue.record("there is a backoff") }
        let follower = try await feed.follower()
        #expect(await follower.isReportedCurrent())
        let gate = feed.letters.store.hold()
        feed.fail(Self.failure)
        feed.write("broken")
        await gate.isReached()
        feed.write("repaired")
        gate.open()
        #expect(await follower.isSentDocument(saying: "the letter repaired"))
        feed.subscription.cancel()
    }

    @Test func aFailedRefreshIsReportedEvenToAFollowerThatHasReceivedNothing() {
        let feed = ViewFeed(.some("a"))
        _ = feed.follow {}
        #expect(feed.becomeOutdated() && !feed.beginReading())
        let isWoken = Mutex(false)
        let id = feed.follow { isWoken.withLock { $0 = true } }
        #expect(!feed.add(Newcomer(needsNewReading: false) { _ in }, id: id))
        feed.stopWaiting(id, unlessReading: true)
        feed.becomeStale()
        feed.endReading(.failure(Self.failure)) { true }
        #expect(isWoken.withLock { $0 })
        let shown = feed.shown(to: id)
        #expect(shown.isStale && shown.latest == nil && !shown.hasEnded)
    }

    // MARK: - Commits that are not reported

    @Test func eachFollowerIsNotifiedOnceIfReportsOfCommitsAreMissing() async throws {
        let letters = try await LetterService(received: ReceivedCommits())
        let held = try await version(letters)
        var followers: [Follower] = []
        for _ in 0..<2 { followers.append(try await Follower(letters.service, letters.view(), since: held)) }
        followers.append(try await Follower(letters.service, letters.view(["q": "a"])))
        #expect(await followers[2].next() != nil)
        for follower in followers[..<2] { #expect(await follower.isReportedCurrent()) }
        letters.topics.announceMissed()
        for follower in followers { #expect(await follower.isReportedStale()) }
        letters.topics.announceMissed()
        // The second announcement refreshes the views again, but reports nothing to the followers.
        for follower in followers { while follower.feed.isRefreshing { await Task.yield() } }
        for follower in followers { #expect(follower.isSilent) }
        letters.topics.announceEverything()
        for follower in followers { #expect(await follower.isReportedCurrent()) }
        for follower in followers { #expect(follower.isSilent) }
    }

    @Test func aNewDocumentIsReportedAsPossiblyStaleWhileReportsOfCommitsAreMissing() async throws {
        let letters = try await LetterService(["old"], received: ReceivedCommits())
        let follower = try await Follower(letters.service, letters.view(), since: try await version(letters))
        #expect(await follower.isReportedCurrent())
        letters.topics.announceMissed()
        #expect(await follower.isReportedStale())
        letters.store.writeUnheard(["new"])
        letters.topics.announceMissed()
        #expect(await follower.isSentDocument(saying: "the letter new"))
        #expect(await follower.isReportedStale())
    }

    @Test func aNewFollowerIsNotifiedIfReportsOfCommitsAreMissing() async throws {
        let letters = try await LetterService(received: ReceivedCommits())
        let early = try await Follower(letters.service, letters.view())
        let held = try #require(await early.next()).version
        letters.topics.announceMissed()
        let late = try await Follower(letters.service, letters.view(), since: held)
        #expect(await late.isReportedStale())
        let first = try await Follower(letters.service, letters.view(["q": "b"]))
        #expect(await first.isSentDocument(saying: "the letter b"))
        #expect(await first.isReportedStale())
        letters.topics.announceEverything()
        for follower in [late, first] { #expect(await follower.isReportedCurrent()) }
    }

    @Test func aVersionIsNotReportedAsCurrentIfItsRefreshBeganWhileReportsOfCommitsWereMissing() async throws {
        let letters = try await LetterService(["old"], received: ReceivedCommits())
        let follower = try await Follower(letters.service, letters.view(), since: try await version(letters))
        #expect(await follower.isReportedCurrent())
        let gate = letters.store.hold()
        letters.topics.announceMissed()
        #expect(await follower.isReportedStale())
        // The refresh has read the old data.
        await gate.isReached()
        letters.store.writeUnheard(["new"])
        letters.topics.announceEverything()
        gate.open()
        #expect(await follower.isSentDocument(saying: "the letter new"))
        #expect(follower.isSilent)
    }
}
