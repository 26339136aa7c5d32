/// The effects of ``PostsFeed``: the fetching of the page that its state asks for, by the one process that leads.
///
/// At most one fetch is under way. What came of it is an event. They follow from the state alone: who comes to
/// lead fetches what another process was fetching before, and what any process has asked for.
struct PostsEffects: Sendable {
    private enum Input {
        case change
        case outcome(PostsFeed.Event, ofFetch: Int)
    }

    private struct Fetch {
        /// How many there were before: one that was replaced says nothing.
        let number: Int
        let page: Int
        let task: Task<Void, Never>
    }

    let source: any PostsFetching
    let feed: any PostsFeedStoring
    /// What passes before what the store has failed at so often is tried again.
    let pause: PostsLoader.Pause

    /// Runs them until the task is cancelled.
    func run() async {
        let (inputs, input) = AsyncStream.makeStream(of: Input.self)
        await withDiscardingTaskGroup { group in
            group.addTask { for await _ in feed.changes() { input.yield(.change) } }
            var (fetch, count): (Fetch?, Int) = (nil, 0)
            for await next in inputs {
                if case .outcome(_, let number) = next {
                    guard number == fetch?.number else { continue }
                    fetch = nil
                }
                guard let state = await state(after: next) else { break }
                let page = PostsFeed.pageToFetch(in: state)
                guard page != fetch?.page else { continue }
                fetch?.task.cancel()
                count += 1
                fetch = page.map { [count] in Fetch(number: count, page: $0, task: start(count, of: $0, input)) }
            }
            fetch?.task.cancel()
            group.cancelAll()
        }
    }

    /// The state that something led to; nil once the task is cancelled.
    private func state(after input: Input) async -> PostsFeed.State? {
        await feed.insist(pause) {
            switch input {
            case .change: try await feed.state()
            case .outcome(let event, _): try await feed.take(event)
            }
        }
    }

    /// Detached: one that is cancelled need not end before the next one begins.
    private func start(_ number: Int, of page: Int, _ input: AsyncStream<Input>.Continuation) -> Task<Void, Never> {
        Task.detached { [source] in
            do throws(PostsFailure) {
                input.yield(.outcome(.fetched(try await source.posts(onPage: page), page: page), ofFetch: number))
            } catch {
                input.yield(.outcome(.failed(error, page: page), ofFetch: number))
            }
        }
    }
}
