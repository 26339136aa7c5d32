import ExampleRecords
import ScreenModel
import ScreenService
import ScreenWire
import Testing

@testable import ExampleScreens

/// Tests of the snapshots and changesets of a screen whose posts come from an upstream server.
struct PostsServiceTests {
    @Test func requestingALongerListInsertsTwentyCells() async throws {
        try await withService { service in
            let held = try await opened(service)
            async let asked = service.changes(limit: 40, from: held.version)
            await service.source.answer(page(2))
            let changes = try await asked
            #expect(Set(changes.operations) == ["insertCells", "updateSections"])
            #expect(changes.operations("insertCells").flatMap { ids($0) } == (21...40).map { "post-\($0)" })
            let back = try await service.changes(limit: 20, from: changes["version"]?.text ?? "")
            #expect(Set(back.operations) == ["deleteCells", "updateSections"])
            #expect(back["version"]?.text == held.version)
            #expect(service.source.requested == [1, 2])
        }
    }

    @Test func loadingALongerListDoesNotChangeTheShorterList() async throws {
        try await withService { service in
            let held = try await opened(service)
            async let asked = service.snapshot(limit: 40)
            await service.source.answer(page(2))
            _ = try await asked
            #expect(try await service.changes(limit: 20, from: held.version).operations == [])
        }
    }

    @Test func aFailureIsShownInTheFooterAndARetryLoadsTheMissingPosts() async throws {
        try await withService { service in
            let held = try await opened(service)
            async let failing = service.changes(limit: 40, from: held.version)
            await service.source.fail(.status(500))
            let failed = try await failing
            #expect(failed.operations == ["updateSections"])
            let footer = try #require(failed.operations("updateSections").first?["footer"])
            #expect(footer["type"]?.text == "failure")
            #expect(footer["text"]?.text == "The source of the posts answered with an error (500).")
            #expect(footer["action"]?["name"]?.text == "retry")
            async let retrying = service.perform("retry", limit: 40, from: failed["version"]?.text ?? "")
            await service.source.answer(page(2))
            let retried = try await retrying
            #expect(Set(retried.operations) == ["insertCells", "updateSections"])
            #expect(service.source.requested == [1, 2, 2])
        }
    }

    @Test func aRefreshKeepsTheCellsOfExistingPosts() async throws {
        try await withService { service in
            let held = try await opened(service)
            async let refreshing = service.perform("refresh", limit: 20, from: held.version)
            let new = Post(id: 99, userID: 1, title: "New", body: "")
            let changed = Post(id: 1, userID: 1, title: "Changed", body: "")
            await service.source.answer([new, changed] + page(1)[1..<19])
            let changes = try await refreshing
            #expect(changes.operations("insertCells").flatMap { ids($0) } == ["post-99"])
            #expect(changes.operations("deleteCells").count == 1)
            #expect(changes.operations("updateCells").count == 1)
            #expect(changes.operations("moveCells").isEmpty)
        }
    }

    @Test func aRefreshWithTheSamePostsChangesNothing() async throws {
        try await withService { service in
            let held = try await opened(service)
            async let refreshing = service.perform("refresh", limit: 20, from: held.version)
            await service.source.answer(page(1))
            let changes = try await refreshing
            #expect(changes.operations == [])
            #expect(changes["version"]?.text == held.version)
        }
    }

    @Test func aFailureOfTheFirstPageIsShown() async throws {
        try await withService { service in
            async let asked = service.snapshot()
            await service.source.fail(.unreachable)
            let text = try await asked.text
            #expect(text.contains("The source of the posts cannot be reached."))
            #expect(text.contains(#""action":{"name":"retry"}"#))
        }
    }

    @Test func aRefreshShowsTheFirstPageBeforeItFetchesLaterPages() async throws {
        try await withService { service in
            _ = try await opened(service)
            async let asked = service.snapshot(limit: 40)
            await service.source.answer(page(2))
            let held = try await asked
            async let refreshing = service.perform("refresh", limit: 40, from: held.version)
            let new = Post(id: 99, userID: 1, title: "New", body: "")
            await service.source.answer([new] + page(1).dropLast())
            let changes = try await refreshing
            #expect(changes.operations("insertCells").flatMap { ids($0) } == ["post-99"])
            #expect(changes.operations("updateSections").first?["footer"]?["type"]?.text == "loading")
            await service.source.answer([page(1)[19]] + page(2).dropLast())
            #expect(service.source.requested == [1, 2, 1, 2])
        }
    }

    @Test func failedRequestsToTheUpstreamAreRetriedWhileTheScreenHasFollowers() async throws {
        try await withService(pause: { _ in }) { service in
            let (wakes, wake) = AsyncStream.makeStream(of: Void.self)
            async let following = service.follow { wake.yield() }
            await service.source.fail(.unreachable)
            await service.source.fail(.slow)
            await service.source.answer(page(1))
            let subscription = try await following
            var woken = wakes.makeAsyncIterator()
            while try await !service.snapshot().text.contains(#""id":"post-20""#) { _ = await woken.next() }
            #expect(service.source.requested == [1, 1, 1])
            subscription.cancel()
        }
    }

    @Test func refreshingAndRetryingSucceedWithoutAnUpstream() async throws {
        try await withStore(PostsTransaction.self) { store in
            let posts = Posts(store: store)
            #expect(posts.actions.map(\.name) == ["refresh", "retry"])
            for action in posts.actions { try await Performing(screen: posts)(action.name) }
            #expect(try await posts.content(for: .asking(posts)).model[0].count == 20)
        }
    }

    private func withService(
        pause: @escaping PostsLoader.Pause = PostsLoader.pauseAfterFailure, _ body: (PostsService) async throws -> Void
    ) async throws {
        try await withStore(PostsTransaction.self) { try await body(PostsService(store: $0, pause: pause)) }
    }

    private func opened(_ service: PostsService) async throws -> Document {
        async let asked = service.snapshot()
        await service.source.answer(page(1))
        return try await asked
    }

    private func ids(_ run: JSONValue) -> [String] {
        run["cells"].elements.compactMap { $0["id"]?.text }
    }
}
