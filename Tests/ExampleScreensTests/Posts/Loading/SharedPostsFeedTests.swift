import ExampleRecords
import ScreenService
import TemporaryDatabase
import Testing

@testable import ExampleScreens

/// Tests of several processes that share the posts of one upstream through a database in memory.
struct SharedPostsFeedTests {
    private let database = SharedDatabase()

    @Test func allReplicasShowThePostsThatTheLeaderFetched() async throws {
        let (one, other) = (replica(leads: true), replica())
        async let first = one.loader.posts(upTo: 20)
        async let second = other.loader.posts(upTo: 20)
        await one.source.answer(page(1))
        #expect(try await first.posts == page(1))
        #expect(try await second.posts == page(1))
        #expect(one.source.requested == [1])
        #expect(other.source.requested == [])
    }

    @Test(arguments: [-1, Int.max]) func aSavedStateWithAnInvalidCountIsDiscarded(count: Int) throws {
        var state = PostsFeed.State()
        state.wanted = 20
        #expect(try PostsFeed.State(json: state.json) == state)
        state.failureCount = count
        #expect(try PostsFeed.State(json: state.json) == PostsFeed.State())
    }

    @Test func theLeaderFetchesPostsForAllReplicas() async throws {
        let (leader, other) = (replica(leads: true), replica())
        async let asked = other.loader.posts(upTo: 40)
        await leader.source.answer(page(1))
        await leader.source.fail(.slow)
        #expect(try await asked.failure == .slow)
        #expect(try await leader.loader.posts(upTo: 40).failure == .slow)
        try await other.loader.perform(.retry)
        await leader.source.answer(page(2))
        #expect(try await other.loader.posts(upTo: 40).posts == page(1) + page(2))
        async let refreshed: Void = other.loader.perform(.refresh)
        await leader.source.answer(page(3))
        try await refreshed
        #expect(try await other.loader.posts(upTo: 20).loaded.posts == page(3))
        #expect(leader.source.requested == [1, 2, 2, 1])
        #expect(other.source.requested == [])
    }

    @Test func theTopicThatScreensReadIsAnnouncedOnlyWhenTheShownContentChanges() async throws {
        let (leader, other) = (replica(leads: true), replica())
        async let asked = other.loader.posts(upTo: 20)
        await leader.source.answer(page(1))
        _ = try await asked
        for replica in [leader, other] {
            #expect(replica.announcements.commits == [["posts/feed/progress"], ["posts/feed/progress", "posts/feed"]])
            let (_, reads) = try await replica.announcements.topics.recordingReads { try await replica.loader.posts(upTo: 20) }
            #expect(reads == [Topic("posts/feed")])
            #expect(replica.announcements.all.count == 2)
        }
    }

    @Test func aNewLeaderFetchesThePageThatTheFormerLeaderWasFetching() async throws {
        let (one, other) = (replica(leads: true), replica())
        async let asked = one.loader.posts(upTo: 40)
        await one.source.answer(page(1))
        await one.source.waitForRequests(2)
        await one.leadership.end()
        other.leadership.begin()
        await other.source.waitForRequests(1)
        // The former leader's fetch fails, but its result is ignored.
        await one.source.fail(.unreachable)
        await other.source.answer(page(2))
        #expect(try await asked.posts == page(1) + page(2))
        #expect(try await other.loader.posts(upTo: 40).posts == page(1) + page(2))
        #expect(one.source.requested == [1, 2])
        #expect(other.source.requested == [2])
    }

    @Test func aFormerLeaderFetchesNothingUntilItLeadsAgain() async throws {
        let (one, other) = (replica(leads: true), replica())
        async let first = one.loader.posts(upTo: 20)
        await one.source.answer(page(1))
        _ = try await first
        await one.leadership.end()
        async let asked = one.loader.posts(upTo: 40)
        other.leadership.begin()
        await other.source.answer(page(2))
        #expect(try await asked.posts == page(1) + page(2))
        await other.leadership.end()
        one.leadership.begin()
        async let more = other.loader.posts(upTo: 60)
        await one.source.answer(page(3))
        #expect(try await more.posts == page(1) + page(2) + page(3))
        #expect(one.source.requested == [1, 3])
        #expect(other.source.requested == [2])
    }

    @Test func withoutALeaderARequestReturnsTheCurrentStateAfterTheMaximumWait() async throws {
        let announcements = Announcements()
        let loader = PostsLoader(
            source: ManualPosts(), topics: announcements.topics, feed: feed(announcements.topics),
            whileLeading: ManualLeadership().whileLeading
        ) { _ in }
        #expect(try await loader.posts(upTo: 20) == PostsFeed.State(phase: .loading, wanted: 20))
    }

    @Test func aFailedFetchIsRetriedOnceForAllReplicas() async throws {
        let (leader, other) = (replica(leads: true) { _ in }, replica { _ in })
        let watching = [leader, other].map { replica in Task { await replica.loader.retryFailures() } }
        async let asked = other.loader.posts(upTo: 20)
        for _ in 0..<5 { await leader.source.fail(.slow) }
        await leader.source.answer(page(1))
        _ = try await asked
        let feed = feed(other.announcements.topics)
        for await _ in feed.changes() where try await feed.state().posts == page(1) { break }
        for task in watching { task.cancel() }
        for task in watching { await task.value }
        #expect(leader.source.requested == [1, 1, 1, 1, 1, 1])
        #expect(other.source.requested == [])
    }

    @Test func aFetchedPageIsSavedAfterTheStoreRecovers() async throws {
        let pauses = RecordedValues<Int>()
        let (third, isThere) = AsyncStream.makeStream(of: Void.self)
        let leader = replica(leads: true) { failureCount in
            pauses.add(failureCount)
            if failureCount == 3 { isThere.finish() }
        }
        _ = try await feed(Topics()).take(.fetch(upTo: 20))
        await leader.source.waitForRequests(1)
        database.failNext(3)
        await leader.source.answer(page(1))
        for await _ in third {}
        #expect(try await leader.loader.posts(upTo: 20).posts == page(1))
        #expect(pauses.all == [1, 2, 3])
        #expect(leader.source.requested == [1])
    }

    @Test func requestsForPostsFailWhileTheStoreIsUnreachable() async throws {
        let other = replica()
        database.failNext(1)
        await #expect(throws: SharedDatabase.Unreachable.self) { try await other.loader.posts(upTo: 20) }
        database.failNext(1)
        await #expect(throws: SharedDatabase.Unreachable.self) { try await other.loader.perform(.refresh) }
    }

    @Test(arguments: [
        [PostsFeed.Event.fetch(upTo: 40)], [.fetch(upTo: 20), .fetched(page(1), page: 1), .refresh],
        [.fetch(upTo: 20), .fetched(page(1), page: 1), .refresh, .fetched(page(2), page: 1)],
        [.fetch(upTo: 20), .failed(.status(503), page: 1)], [.fetch(upTo: 20), .failed(.wrongShape(at: "/0/\"é"), page: 1)],
        [.fetch(upTo: 20), .failed(.tooLarge, page: 1), .retry], [.fetch(upTo: 20), .fetched([], page: 1)],
    ])
    func aSavedStateIsReadBackUnchanged(events: [PostsFeed.Event]) async throws {
        let feed = feed(Topics())
        var state = PostsFeed.State()
        for event in events {
            PostsFeed.reduce(&state, event)
            #expect(try await feed.take(event) == state)
            #expect(try await feed.state() == state)
        }
    }

    @Test(arguments: ["", "{}", #"{"phase":"elsewhere"}"#, "[1]"])
    func aSavedStateInAnotherFormatIsDiscarded(saved: String) async throws {
        database["upstream"] = saved
        #expect(try await feed(Topics()).state() == PostsFeed.State())
        let leader = replica(leads: true)
        async let asked = leader.loader.posts(upTo: 20)
        await leader.source.answer(page(1))
        #expect(try await asked.posts == page(1))
    }

    @Test func thePostsOfAnotherUpstreamAreNotShown() async throws {
        let (leader, other) = (replica(leads: true), feed(Topics(), of: "another"))
        async let asked = leader.loader.posts(upTo: 20)
        await leader.source.answer(page(1))
        #expect(try await asked.posts == page(1))
        #expect(try await other.state() == PostsFeed.State())
        _ = try await other.take(.fetch(upTo: 20))
        #expect(try await leader.loader.posts(upTo: 20).posts == page(1))
    }

    private func feed(_ topics: Topics, of upstream: String = "upstream") -> SharedPostsFeed {
        SharedPostsFeed(store: database.store(of: topics), upstream: upstream, topics: topics)
    }

    private func replica(leads: Bool = false, pause: @escaping PostsLoader.Pause = PostsLoader.pauseAfterFailure) -> Replica {
        let (source, leadership, announcements) = (ManualPosts(), ManualLeadership(), Announcements())
        if leads { leadership.begin() }
        let loader = PostsLoader(
            source: source, topics: announcements.topics, feed: feed(announcements.topics), whileLeading: leadership.whileLeading,
            patience: .seconds(3600), pause: pause
        )
        return Replica(source: source, leadership: leadership, announcements: announcements, loader: loader)
    }

    private struct Replica: Sendable {
        let source: ManualPosts
        let leadership: ManualLeadership
        let announcements: Announcements
        let loader: PostsLoader
    }
}
