import ExampleRecords
import ScreenService
import TemporaryDatabase
import Testing

@testable import ExampleScreens

struct PostsLoaderTests {
    private let source = ManualPosts()
    private let announcements = Announcements()

    @Test func concurrentRequestsShareOneFetch() async throws {
        let loader = patientLoader()
        try await withThrowingTaskGroup { group in
            for _ in 0..<100 { group.addTask { try await loader.posts(upTo: 20) } }
            await source.answer(page(1))
            for try await feed in group { #expect(feed.loaded.posts == page(1)) }
        }
        #expect(source.requested == [1])
        #expect(announcements.all == [[PostsLoader.topic]])
    }

    @Test func aFetchHasTheTraceOfTheLastRequestForPosts() async throws {
        let loader = patientLoader()
        for (number, id) in [(1, "first"), (2, "second")] {
            try await RequestTrace.$current.withValue(RequestTrace(requestID: id)) {
                async let posts = loader.posts(upTo: 20 * number)
                await source.answer(page(number))
                _ = try await posts
            }
        }
        #expect(source.traces == ["first", "second"])
    }

    @Test func requestsForDifferentNumbersOfPostsShareTheFetchedPages() async throws {
        let loader = patientLoader()
        async let few = loader.posts(upTo: 5)
        async let some = loader.posts(upTo: 40)
        async let many = loader.posts(upTo: 60)
        for number in 1...3 { await source.answer(page(number)) }
        #expect(try await few.loaded.posts.starts(with: page(1)))
        #expect(try await some.loaded.posts.starts(with: page(1) + page(2)))
        #expect(try await many.loaded.posts == page(1) + page(2) + page(3))
        #expect(source.requested == [1, 2, 3])
    }

    @Test func loadedPostsAreReturnedImmediatelyAndNotAnnounced() async throws {
        let loader = try await loadedLoader()
        let count = announcements.all.count
        #expect(try await loader.posts(upTo: 20).loaded.posts == page(1))
        #expect(source.requested == [1])
        #expect(announcements.all.count == count)
    }

    @Test func aRequestThatHasWaitedForTheMaximumTimeReturnsTheCurrentState() async throws {
        let durations = RecordedValues<Duration>()
        let loader = PostsLoader(source: source, topics: announcements.topics, patience: .seconds(7)) { durations.add($0) }
        #expect(try await loader.posts(upTo: 20) == PostsFeed.State(phase: .loading, wanted: 20))
        #expect(durations.all == [.seconds(7)])
        await source.answer(page(1))
        withExtendedLifetime(loader) {}
    }

    @Test func aFailedFetchIsAnnouncedAndEndsTheRequestsThatWaitForIt() async throws {
        let loader = try await loadedLoader()
        async let more = loader.posts(upTo: 40)
        await source.fail(.status(503))
        #expect(try await more.failure == .status(503))
        #expect(try await more.loaded.posts == page(1))
        #expect(announcements.all.count == 2)
        #expect(try await loader.posts(upTo: 60).failure == .status(503))
        #expect(source.requested == [1, 2])
    }

    @Test func aRetryReturnsAfterTheFailedPageIsFetchedAgain() async throws {
        let loader = patientLoader()
        async let first = loader.posts(upTo: 20)
        await source.fail(.slow)
        #expect(try await first.failure == .slow)
        async let retried: Void = loader.perform(.retry)
        await source.answer(page(1))
        try await retried
        #expect(try await loader.posts(upTo: 20) == PostsFeed.State(phase: .loaded, loaded: .of(page(1)), wanted: 20))
        #expect(source.requested == [1, 1])
        // Three changes are announced: the failure, its removal by the retry, and the new posts.
        #expect(announcements.all.count == 3)
    }

    @Test func concurrentRetriesShareOneFetch() async throws {
        let loader = patientLoader()
        async let first = loader.posts(upTo: 20)
        await source.fail(.slow)
        _ = try await first
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 { group.addTask { try await loader.perform(.retry) } }
            await source.answer(page(1))
            try await group.waitForAll()
        }
        #expect(source.requested == [1, 1])
    }

    @Test func aRefreshKeepsThePostsUntilNewPostsAreLoaded() async throws {
        let loader = try await loadedLoader()
        async let refreshed: Void = loader.perform(.refresh)
        await source.waitForRequests(2)
        let during = try await loader.posts(upTo: 20)
        #expect(during.loaded.posts == page(1))
        #expect(during.isRefreshing)
        await source.answer(page(2))
        try await refreshed
        #expect(try await loader.posts(upTo: 20).loaded.posts == page(2))
        #expect(announcements.all.count == 3)
    }

    @Test func theResultOfAFetchIsIgnoredIfARefreshBeginsDuringTheFetch() async throws {
        let loader = try await loadedLoader()
        async let more = loader.posts(upTo: 40)
        await source.waitForRequests(2)
        async let refreshed: Void = loader.perform(.refresh)
        await source.waitForRequests(3)
        await source.fail(.unreachable)
        await source.answer(page(1))
        await source.answer(page(2))
        try await refreshed
        #expect(try await more.failure == nil)
        #expect(try await more.loaded.posts == page(1) + page(2))
        #expect(source.requested == [1, 2, 1, 2])
    }

    @Test func eachOfManyConsecutiveRefreshesFetchesTheFirstPage() async throws {
        let loader = try await loadedLoader()
        for _ in 1...200 {
            async let refreshed: Void = loader.perform(.refresh)
            await source.answer(page(1))
            try await refreshed
        }
        #expect(source.requested == Array(repeating: 1, count: 201))
    }

    @Test func readingPostsRecordsTheirTopic() async throws {
        let loader = try await loadedLoader()
        let (_, reads) = try await announcements.topics.recordingReads { try await loader.posts(upTo: 20) }
        #expect(reads == [Topic("posts/feed")])
    }

    @Test func aCancelledRequestDoesNotCancelTheFetch() async throws {
        let loader = patientLoader()
        let leaving = Task { try await loader.posts(upTo: 20) }
        await source.waitForRequests(1)
        leaving.cancel()
        #expect(try await leaving.value.phase == .loading)
        async let staying = loader.posts(upTo: 20)
        await source.answer(page(1))
        #expect(try await staying.loaded.posts == page(1))
        #expect(source.requested == [1])
    }

    // MARK: Retries

    @Test func failedPagesAreRetriedWithLongerAndLongerPauses() async throws {
        let pauses = RecordedValues<Int>()
        let loader = patientLoader { pauses.add($0) }
        let watching = Task { await loader.retryFailures() }
        async let first = loader.posts(upTo: 20)
        for _ in 0..<3 { await source.fail(.slow) }
        await source.answer(page(1))
        _ = try await first
        #expect(try await loader.posts(upTo: 20).loaded.posts == page(1))
        async let more = loader.posts(upTo: 40)
        await source.fail(.notJSON)
        await source.answer(page(2))
        _ = try await more
        #expect(try await loader.posts(upTo: 40).loaded.posts == page(1) + page(2))
        watching.cancel()
        await watching.value
        #expect(source.requested == [1, 1, 1, 1, 2, 2])
        #expect(pauses.all == [1, 2, 3, 1])
    }

    @Test func noFetchIsRetriedAfterTheRetryTaskIsCancelled() async throws {
        let (began, continuation) = AsyncStream.makeStream(of: Void.self)
        let loader = patientLoader { _ in
            continuation.yield()
            try await Task.sleep(for: .seconds(3600))
        }
        let watching = Task { await loader.retryFailures() }
        async let first = loader.posts(upTo: 20)
        await source.fail(.slow)
        for await _ in began { break }
        watching.cancel()
        await watching.value
        _ = try await first
        #expect(source.requested == [1])
        #expect(try await loader.posts(upTo: 20).failure == .slow)
    }

    @Test func pausesBetweenRetriesGrowUpToAMinute() {
        #expect((1...8).map { PostsLoader.delay(after: $0) } == [2, 4, 8, 16, 32, 60, 60, 60].map { Duration.seconds($0) })
        #expect(PostsLoader.delay(after: .max) == .seconds(60))
    }

    /// Creates a loader whose requests wait for up to an hour, so that no test reaches the maximum waiting time.
    private func patientLoader(pause: @escaping PostsLoader.Pause = PostsLoader.pauseAfterFailure) -> PostsLoader {
        PostsLoader(source: source, topics: announcements.topics, patience: .seconds(3600), pause: pause)
    }

    private func loadedLoader() async throws -> PostsLoader {
        let loader = patientLoader()
        async let first = loader.posts(upTo: 20)
        await source.answer(page(1))
        _ = try await first
        return loader
    }
}

extension PostsPages {
    static func of(_ pages: [Post]...) -> PostsPages {
        pages.reduce(into: PostsPages()) { $0.append($1) }
    }
}
