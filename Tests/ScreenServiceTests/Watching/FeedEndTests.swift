import Testing

@testable import ScreenService

@Suite("The beginning and end of subscriptions", .timeLimit(.minutes(1))) struct FeedEndTests {
    private func expectNothingFollowed(in letters: LetterService, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(letters.service.followedViewCount == 0, sourceLocation: sourceLocation)
        #expect(!letters.service.cache.isFollowed(letters.view()), sourceLocation: sourceLocation)
    }

    @Test func aFeedEndsWhenItsLastFollowerLeaves() async throws {
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
        expectNothingFollowed(in: letters)
    }

    @Test func aSubscriptionEndsWhenItIsReleased() async throws {
        let letters = try await LetterService()
        var subscription: Subscription? = try await letters.service.follow(letters.view()) {}.value
        #expect(subscription != nil && letters.service.followedViewCount == 1)
        subscription = nil
        expectNothingFollowed(in: letters)
    }

    @Test func aReplacedWakeFunctionIsNoLongerCalled() async throws {
        let letters = try await LetterService()
        let (wakes, wake) = AsyncStream.makeStream(of: String.self)
        let subscription = try await letters.service.follow(letters.view()) { wake.yield("first") }.value
        subscription.setWake { wake.yield("second") }
        letters.store.write(["new"])
        #expect(await wakes.first { _ in true } == "second")
        subscription.cancel()
        subscription.setWake { wake.yield("third") }
        #expect(!subscription.feed.isFollowed, "a cancelled subscription does not follow again")
    }

    @Test func aDocumentCanBeReadEvenIfItIsPublishedBeforeTheWakeFunctionIsSet() async throws {
        let letters = try await LetterService()
        let other = try await Follower(letters.service, letters.view())
        let version = try #require(await other.next()).version
        let subscription = try #require(letters.service.follow(letters.view()).immediateValue)
        letters.store.write(["new"])
        #expect(await other.document(saying: "the letter new") != nil)
        subscription.setWake {}
        guard case .document = subscription.news(since: version, reported: .unknown) else {
            Issue.record("there is no news")
            return
        }
    }

    @Test func aSecondFollowerOfACurrentViewDoesNotWaitForAComputation() async throws {
        let letters = try await LetterService()
        #expect(letters.service.follow(letters.view()).immediateValue == nil, "the view is not computed yet")
        #expect(letters.service.followedViewCount == 0, "a subscription that nothing waits for has ended")
        let first = try await Follower(letters.service, letters.view())
        // The follower is resumed before the refresh has ended.
        while first.feed.isRefreshing { await Task.yield() }
        let second = try #require(letters.service.follow(letters.view()).immediateValue)
        first.leave()
        #expect(letters.service.followedViewCount == 1)
        second.cancel()
        #expect(letters.service.followedViewCount == 0)
    }

    @Test func aFeedEndsIfItsOnlyFollowerLeavesDuringARefresh() async throws {
        let letters = try await LetterService()
        let follower = try await Follower(letters.service, letters.view())
        let feed = follower.feed
        let gate = letters.store.hold()
        letters.store.write(["new"])
        await gate.isReached()
        follower.leave()
        gate.open()
        // This request waits for the same computation as the refresh of the feed.
        _ = try await letters.service.snapshot(of: letters.view()).value
        while feed.isRefreshing { await Task.yield() }
        expectNothingFollowed(in: letters)
    }

    @Test func aViewIsNotFollowedIfItsFirstComputationFails() async throws {
        let letters = try await LetterService()
        let errors: [any Error] = [ScreenError.noSuchValue(parameter: "q", detail: "none"), DataUnavailable(reason: "away")]
        for error in errors {
            letters.store.fail(error)
            await #expect(throws: (any Error).self) { try await Follower(letters.service, letters.view()) }
            expectNothingFollowed(in: letters)
        }
    }

    @Test func theFeedOfARemovedViewEndsAndALaterFollowerReceivesANewFeed() async throws {
        let letters = try await LetterService()
        let slow = try await Follower(letters.service, letters.view())
        _ = await slow.next()
        letters.store.fail(ScreenError.noSuchValue(parameter: "q", detail: "none"))
        letters.store.write(["gone"])
        #expect(await slow.next() == nil && slow.feed.hasEnded)
        let later = try await Follower(letters.service, letters.view())
        #expect(try #require(await later.next()).text.contains("the letter gone"))
        slow.leave()
        letters.store.write(["back"])
        #expect(await later.document(saying: "the letter back") != nil)
        later.leave()
        expectNothingFollowed(in: letters)
    }

    @Test func aDrainedServiceEndsItsCurrentAndNewFeeds() async throws {
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
