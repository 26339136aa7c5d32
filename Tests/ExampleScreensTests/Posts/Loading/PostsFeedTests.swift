import ExampleRecords
import Testing

@testable import ExampleScreens

/// Tests of the state of a feed after each event, and of the page that the feed fetches next.
struct PostsFeedTests {
    typealias State = PostsFeed.State

    // MARK: The initial state

    @Test func theInitialStateFetchesNothing() {
        #expect(
            State()
                == State(phase: .initial, loaded: PostsPages(), earlier: [], startsOver: false, failure: nil, failureCount: 0, wanted: 0))
        #expect(PostsFeed.pageToFetch(in: State()) == nil)
    }

    @Test func theFirstRequestFetchesTheFirstPage() {
        let state = after(.fetch(upTo: 20))
        #expect(state == State(phase: .loading, wanted: 20))
        #expect(PostsFeed.pageToFetch(in: state) == 1)
    }

    @Test func aRefreshInTheInitialStateFetchesTheFirstPage() {
        let state = after(.refresh)
        #expect(state.phase == .loading)
        #expect(PostsFeed.pageToFetch(in: state) == 1)
        let loaded = after(.refresh, .fetched(page(1), page: 1))
        #expect(loaded == State(phase: .loaded, loaded: pages(1)))
    }

    @Test(arguments: [
        PostsFeed.Event.retry, .fetched(page(1), page: 1), .failed(.slow, page: 1), .fetch(upTo: 0),
    ])
    func retriesAndResultsOfFetchesDoNotChangeTheInitialState(event: PostsFeed.Event) {
        #expect(after(event) == State())
    }

    // MARK: While pages are loading

    @Test func aRequestDuringAFetchChangesOnlyTheNumberOfRequestedPosts() {
        #expect(after(.fetch(upTo: 20), .fetch(upTo: 60)) == State(phase: .loading, wanted: 60))
        #expect(after(.fetch(upTo: 60), .fetch(upTo: 20)) == State(phase: .loading, wanted: 60))
    }

    @Test func theFeedStopsLoadingWhenAllRequestedPostsAreLoaded() {
        #expect(after(.fetch(upTo: 20), .fetched(page(1), page: 1)) == State(phase: .loaded, loaded: pages(1), wanted: 20))
    }

    @Test func pagesAreFetchedInOrderUntilTheRequestedPostsAreLoaded() {
        let state = after(.fetch(upTo: 41), .fetched(page(1), page: 1))
        #expect(state == State(phase: .loading, loaded: pages(1), wanted: 41))
        #expect(PostsFeed.pageToFetch(in: state) == 2)
        #expect(PostsFeed.pageToFetch(in: after(.fetched(page(2), page: 2), in: state)) == 3)
        let loaded = after(.fetched(page(2), page: 2), .fetched(page(3), page: 3), in: state)
        #expect(loaded == State(phase: .loaded, loaded: pages(3), wanted: 41))
    }

    @Test(arguments: [0, 1, 19]) func aPageThatIsNotFullIsTheLastPage(count: Int) {
        let state = after(.fetch(upTo: 1000), .fetched(Array(page(1).prefix(count)), page: 1))
        #expect(state.phase == .loaded)
        #expect(state.loaded.isAtEnd)
        #expect(state.loaded.posts.count == count)
        #expect(after(.fetch(upTo: 1000), in: state) == state)
    }

    @Test func onlyTheFirstOfSeveralPostsWithTheSameIDIsKept() {
        let repeating = [Post(id: 20, userID: 9, title: "again", body: "")] + page(2).dropLast()
        let state = after(.fetch(upTo: 40), .fetched(page(1), page: 1), .fetched(repeating, page: 2))
        #expect(state.loaded.posts == page(1) + page(2).dropLast())
        #expect(PostsFeed.pageToFetch(in: state) == 3)
        let twice = after(.fetch(upTo: 20), .fetched(page(1).map { _ in page(1)[0] }, page: 1))
        #expect(twice.loaded.posts == [page(1)[0]])
    }

    @Test func aPageWithoutNewPostsIsTheLastPage() {
        let state = after(.fetch(upTo: 1000), .fetched(page(1), page: 1), .fetched(page(1), page: 2))
        #expect(state.phase == .loaded)
        #expect(state.loaded.isAtEnd)
        #expect(state.loaded.posts == page(1))
    }

    @Test func aFailureStopsLoadingAndKeepsTheLoadedPosts() {
        let state = after(.fetch(upTo: 40), .fetched(page(1), page: 1), .failed(.status(500), page: 2))
        #expect(state == State(phase: .loaded, loaded: pages(1), failure: .status(500), failureCount: 1, wanted: 21))
        #expect(PostsFeed.pageToFetch(in: state) == nil)
    }

    @Test(arguments: [
        PostsFeed.Event.fetched(page(2), page: 2), .fetched(page(1), page: 0), .failed(.slow, page: 2), .retry, .refresh,
    ])
    func retriesRefreshesAndOtherPagesAreIgnoredWhileTheFirstPageIsFetched(event: PostsFeed.Event) {
        let state = after(.fetch(upTo: 20))
        #expect(after(event, in: state) == state)
    }

    @Test func aRefreshDuringTheFetchOfALaterPageFetchesTheFirstPage() {
        let state = after(.fetch(upTo: 40), .fetched(page(1), page: 1), .refresh)
        #expect(state == State(phase: .loading, loaded: pages(1), startsOver: true))
        #expect(PostsFeed.pageToFetch(in: state) == 1)
        #expect(after(.fetched(page(2), page: 2), in: state) == state)
        #expect(PostsFeed.pageToFetch(in: after(.fetched(page(1), page: 1), in: state)) == nil)
        #expect(PostsFeed.pageToFetch(in: after(.fetch(upTo: 40), .fetched(page(1), page: 1), in: state)) == 2)
    }

    // MARK: After the requested posts are loaded

    @Test(arguments: [1, 20]) func aRequestForLoadedPostsChangesNothing(count: Int) {
        let state = after(.fetch(upTo: 20), .fetched(page(1), page: 1))
        #expect(after(.fetch(upTo: count), in: state) == state)
    }

    @Test func aRequestForMorePostsFetchesTheNextPage() {
        let state = after(.fetch(upTo: 20), .fetched(page(1), page: 1), .fetch(upTo: 21))
        #expect(state == State(phase: .loading, loaded: pages(1), wanted: 21))
        #expect(PostsFeed.pageToFetch(in: state) == 2)
    }

    @Test(arguments: [
        PostsFeed.Event.retry, .fetched(page(2), page: 2), .fetched(page(1), page: 1), .failed(.slow, page: 2),
    ])
    func resultsOfFetchesAndRetriesAreIgnoredAfterASuccessfulFetch(event: PostsFeed.Event) {
        let state = after(.fetch(upTo: 20), .fetched(page(1), page: 1))
        #expect(after(event, in: state) == state)
    }

    @Test func aRefreshKeepsThePostsUntilTheirPagesAreLoadedAgain() {
        let loaded = after(.fetch(upTo: 40), .fetched(page(1), page: 1), .fetched(page(2), page: 2))
        let begun = after(.refresh, in: loaded)
        #expect(begun.isRefreshing)
        #expect(begun.loaded == loaded.loaded)
        #expect(PostsFeed.pageToFetch(in: begun) == 1)
        #expect(after(.refresh, in: begun) == begun)
        let half = after(.fetch(upTo: 40), .fetched(changed(page(1)), page: 1), in: begun)
        #expect(!half.isRefreshing)
        #expect(half.posts == changed(page(1)) + page(2))
        #expect(half.isMissingPosts(upTo: 40))
        #expect(!half.isMissingPosts(upTo: 20))
        #expect(PostsFeed.pageToFetch(in: half) == 2)
        let whole = after(.fetched(changed(page(2)), page: 2), in: half)
        #expect(whole == State(phase: .loaded, loaded: .of(changed(page(1)), changed(page(2))), wanted: 40))
    }

    @Test func afterARefreshTheEarlierPostsAreShownBelowTheNewFirstPage() {
        let loaded = after(.fetch(upTo: 40), .fetched(page(1), page: 1), .fetched(page(2), page: 2))
        func shown(after first: [Post]) -> [Int] { after(.refresh, .fetched(first, page: 1), in: loaded).posts.map(\.id) }
        let new = Post(id: 99, userID: 1, title: "New", body: "")
        #expect(shown(after: [new] + page(1).dropLast()) == [99] + Array(1...40))
        #expect(shown(after: Array((page(1) + page(2))[2..<22])) == Array(3...40))
        #expect(shown(after: [page(2)[19]] + page(1).dropLast()) == [40] + Array(1...39))
        #expect(shown(after: page(4)) == Array(61...80) + Array(1...40))
        #expect(shown(after: Array(page(4).dropLast())) == Array(61...79))
    }

    @Test func aRefreshKeepsOnlyALimitedNumberOfEarlierPosts() {
        var state = after(.fetch(upTo: 20), .fetched(page(1), page: 1))
        for number in 2...100 { state = after(.refresh, .fetched(page(number), page: 1), in: state) }
        #expect(state.loaded.posts == page(100))
        #expect(state.earlier.count == Posts.limits.upperBound)
    }

    @Test func aRefreshFetchesLaterPagesOnlyWhenTheirPostsAreRequested() {
        let loaded = after(.fetch(upTo: 60), .fetched(page(1), page: 1), .fetched(page(2), page: 2), .fetched(page(3), page: 3))
        let begun = after(.refresh, .fetched(changed(page(1)), page: 1), in: loaded)
        #expect(PostsFeed.pageToFetch(in: begun) == nil)
        #expect(PostsExcerpt(of: begun, upTo: 20).posts == changed(page(1)))
        #expect(PostsExcerpt(of: begun, upTo: 60).posts == changed(page(1)) + page(2) + page(3))
        let asked = after(.fetch(upTo: 40), in: begun)
        #expect(PostsFeed.pageToFetch(in: asked) == 2)
        let enough = after(.fetched(changed(page(2)), page: 2), in: asked)
        #expect(PostsFeed.pageToFetch(in: enough) == nil)
        #expect(PostsExcerpt(of: enough, upTo: 60).posts == changed(page(1) + page(2)) + page(3))
    }

    @Test func aRefreshRemovesPostsThatTheUpstreamNoLongerHas() {
        let loaded = after(.fetch(upTo: 40), .fetched(page(1), page: 1), .fetched(page(2), page: 2))
        #expect(after(.refresh, .fetched([], page: 1), in: loaded).loaded.posts == [])
        #expect(after(.refresh, .fetched([], page: 1), in: loaded).phase == .loaded)
    }

    @Test func postsRequestedDuringARefreshAreFetchedAfterTheFirstPage() {
        let state = after(.fetch(upTo: 20), .fetched(page(1), page: 1), .refresh, .fetch(upTo: 40))
        #expect(PostsFeed.pageToFetch(in: state) == 1)
        #expect(PostsFeed.pageToFetch(in: after(.fetched(page(1), page: 1), in: state)) == 2)
    }

    // MARK: After a failure

    @Test func nothingIsFetchedAfterAFailureUntilARetry() {
        let state = after(.fetch(upTo: 20), .failed(.unreachable, page: 1))
        #expect(state == State(phase: .loaded, failure: .unreachable, failureCount: 1, wanted: 1))
        let asked = after(.fetch(upTo: 40), in: state)
        #expect(asked.failure == .unreachable)
        #expect(PostsFeed.pageToFetch(in: asked) == nil)
        #expect(after(.fetched(page(1), page: 1), .failed(.slow, page: 1), in: state) == state)
    }

    @Test func aRetryFetchesTheFailedPage() {
        let state = after(.fetch(upTo: 40), .fetched(page(1), page: 1), .failed(.slow, page: 2), .retry)
        #expect(state == State(phase: .loading, loaded: pages(1), failureCount: 1, wanted: 21))
        #expect(PostsFeed.pageToFetch(in: state) == 2)
        #expect(after(.retry, in: state) == state)
    }

    @Test func anAutomaticRetryOfAnEarlierFailureIsIgnored() {
        let state = after(.fetch(upTo: 20), .failed(.slow, page: 1), .retry, .failed(.unreachable, page: 1))
        #expect(after(.retryFailure(number: 1), in: state) == state)
        #expect(after(.retryFailure(number: 2), in: state) == after(.retry, in: state))
        #expect(after(.retryFailure(number: 2), .retryFailure(number: 2), in: state) == after(.retry, in: state))
        #expect(after(.retryFailure(number: 0)) == State())
    }

    @Test func aRetryFetchesOnlyTheFailedPageAndPagesRequestedAfterTheFailure() {
        let failed = after(.fetch(upTo: 1000), .fetched(page(1), page: 1), .failed(.slow, page: 2))
        let retried = after(.retry, .fetched(page(2), page: 2), in: failed)
        #expect(retried == State(phase: .loaded, loaded: pages(2), wanted: 21))
        let asked = after(.fetch(upTo: 60), .retry, .fetched(page(2), page: 2), in: failed)
        #expect(PostsFeed.pageToFetch(in: asked) == 3)
    }

    @Test func theFailureCountGrowsUntilAPageIsLoaded() {
        let failed = after(.fetch(upTo: 20), .failed(.slow, page: 1), .retry, .failed(.slow, page: 1), .refresh, .failed(.slow, page: 1))
        #expect(failed.failureCount == 3)
        #expect(after(.retry, .fetched(page(1), page: 1), in: failed).failureCount == 0)
    }

    @Test func aFailureOfALaterPageIsShownOnlyInViewsThatNeedThatPage() {
        let loaded = after(.fetch(upTo: 40), .fetched(page(1), page: 1), .fetched(page(2), page: 2))
        let failed = after(.refresh, .fetch(upTo: 40), .fetched(changed(page(1)), page: 1), .failed(.slow, page: 2), in: loaded)
        let (short, long) = (PostsExcerpt(of: failed, upTo: 20), PostsExcerpt(of: failed, upTo: 40))
        #expect(short.posts == changed(page(1)))
        #expect(short.rest == .more)
        #expect(long.posts == changed(page(1)) + page(2))
        #expect(long.rest == .failed(.slow))
    }

    @Test func aRefreshAfterAFailureFetchesTheFirstPage() {
        let state = after(.fetch(upTo: 40), .fetched(page(1), page: 1), .failed(.slow, page: 2), .refresh)
        #expect(state.failure == nil)
        #expect(PostsFeed.pageToFetch(in: state) == 1)
    }

    @Test func aFailedRefreshKeepsThePostsAndARetryContinuesTheRefresh() {
        let loaded = after(.fetch(upTo: 40), .fetched(page(1), page: 1), .fetched(page(2), page: 2))
        let failed = after(.refresh, .failed(.notJSON, page: 1), in: loaded)
        #expect(failed.posts == loaded.posts)
        #expect(failed.failure == .notJSON)
        #expect(!failed.isRefreshing)
        for limit in [20, 40] { #expect(PostsExcerpt(of: failed, upTo: limit).rest == .failed(.notJSON)) }
        let retried = after(.retry, in: failed)
        #expect(retried.isRefreshing)
        #expect(PostsFeed.pageToFetch(in: retried) == 1)
        #expect(after(.fetched(changed(page(1)), page: 1), in: retried).posts == changed(page(1)) + page(2))
        #expect(PostsFeed.pageToFetch(in: after(.refresh, in: failed)) == 1)
    }

    private func after(_ events: PostsFeed.Event..., in state: State = State()) -> State {
        events.reduce(into: state) { PostsFeed.reduce(&$0, $1) }
    }

    private func changed(_ posts: [Post]) -> [Post] {
        posts.map { Post(id: $0.id, userID: $0.userID, title: $0.title + "!", body: $0.body) }
    }

    private func pages(_ count: Int) -> PostsPages {
        (1...count).reduce(into: PostsPages()) { $0.append(page($1)) }
    }
}

/// Returns a full page of twenty posts. The first page has the posts 1 to 20.
func page(_ number: Int) -> [Post] {
    (1...20).map { (number - 1) * 20 + $0 }.map { Post(id: $0, userID: 1, title: "Title \($0)", body: "Body \($0)") }
}
