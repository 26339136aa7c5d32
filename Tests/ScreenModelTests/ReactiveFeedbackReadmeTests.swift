import ScreenModel
import Testing

// The examples of ReactiveFeedback's README as they are written with `FeedbackLoop`, with other content.

/// The state machine of a list that loads page after page. A failed page can be requested again.
private enum Paging {
    struct Page: Equatable {
        var number = 0
        var pageCount = 1
        var harvests: [String] = []
    }

    struct Context: Equatable {
        var page = Page()
        var harvests: [String] = []
    }

    enum State: Equatable {
        case loadedPage(context: Context)
        case paging(context: Context)
        case error(error: FetchError, context: Context)
        case retry(context: Context)

        var context: Context {
            switch self {
            case .loadedPage(let context), .paging(let context), .error(_, let context), .retry(let context): context
            }
        }

        var nextPage: Int? {
            switch self {
            case .paging(let context), .retry(let context): context.page.number + 1
            case .loadedPage, .error: nil
            }
        }

        var lastError: FetchError? {
            if case .error(let error, _) = self { error } else { nil }
        }
    }

    enum Event {
        case startLoadingNextPage
        case response(Page)
        case failed(FetchError)
        case retry
    }

    @Sendable static func reduce(_ state: inout State, _ event: Event) {
        var context = state.context
        switch event {
        case .startLoadingNextPage:
            guard state.nextPage == nil, context.page.number < context.page.pageCount else { return }
            state = .paging(context: context)
        case .response(let page):
            context.page = page
            context.harvests += page.harvests
            state = .loadedPage(context: context)
        case .failed(let error):
            state = .error(error: error, context: context)
        case .retry:
            state = .retry(context: context)
        }
    }

    static func pagingFeedback(_ fetch: @escaping @Sendable (Int) async throws -> Page) -> FeedbackLoop<State, Event>.Feedback {
        .init(skippingRepeated: { $0.nextPage }) { page, send in
            do {
                send(.response(try await fetch(page)))
            } catch {
                send(.failed(FetchError(page: page)))
            }
        }
    }
}

private struct FetchError: Error, Equatable {
    let page: Int
}

private enum CounterEvent {
    case increment, decrement
}

@Suite(.timeLimit(.minutes(2))) struct ReactiveFeedbackReadmeTests {
    @Test func theCounterInTheReadmeCountsUpAndDown() async {
        let system = FeedbackLoop<Int, CounterEvent>(initial: 0) { count, event in
            switch event {
            case .increment: count += 1
            case .decrement: count -= 1
            }
        }
        let label = system.map { "\($0)" }
        system.send(.increment)
        system.send(.increment)
        system.send(.decrement)
        #expect(label.value == "1")
        #expect(await label.first { _ in true } == "1")
    }

    @Test func theListInTheReadmeLoadsItsPagesAndRetriesAFailedPage() async {
        let fetches = FeedbackLoop<[Int], Int>(initial: [], reduce: { $0.append($1) })
        // The number of the last page that the server sends.
        let sent = FeedbackLoop<Int, Int>(initial: 0, reduce: { $0 = $1 })
        let loop = FeedbackLoop(
            initial: .loadedPage(context: Paging.Context()), reduce: Paging.reduce,
            feedbacks: [
                Paging.pagingFeedback { page in
                    fetches.send(page)
                    _ = await sent.states.first { $0 >= page }
                    guard fetches.state != [1, 2] else { throw FetchError(page: page) }
                    return Paging.Page(number: page, pageCount: 2, harvests: ["\(page)a", "\(page)b"])
                }
            ]
        )
        let harvests = loop.map(\.context.harvests)
        loop.send(.startLoadingNextPage)
        loop.send(.startLoadingNextPage)
        sent.send(1)
        _ = await harvests.first { $0 == ["1a", "1b"] }
        loop.send(.startLoadingNextPage)
        sent.send(2)
        _ = await loop.map(\.lastError).first { $0 == FetchError(page: 2) }
        #expect(harvests.value == ["1a", "1b"])
        loop.send(.retry)
        _ = await harvests.first { $0 == ["1a", "1b", "2a", "2b"] }
        loop.send(.startLoadingNextPage)
        #expect(loop.state.nextPage == nil && fetches.state == [1, 2, 2])
    }
}
