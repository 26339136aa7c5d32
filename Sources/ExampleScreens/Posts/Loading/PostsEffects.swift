import Synchronization

/// The effects of ``PostsFeed``: the fetching of the page that its state asks for, by the one process that leads.
///
/// At most one fetch is under way. What came of it is an event. They follow from the state alone: who comes to
/// lead fetches what another process was fetching before, and what any process has asked for.
struct PostsEffects: Sendable {
    /// What came of the last fetch that has ended, until it is taken.
    private final class Outcome: Sendable {
        private let latest = Mutex<(event: PostsFeed.Event, number: Int)?>(nil)

        func put(_ event: PostsFeed.Event, ofFetch number: Int) {
            latest.withLock { latest in
                if number > latest?.number ?? 0 { latest = (event, number) }
            }
        }

        /// - Returns: nil where nothing has come of that fetch.
        func take(ofFetch number: Int?) -> PostsFeed.Event? {
            latest.withLock { $0.take() }.flatMap { $0.number == number ? $0.event : nil }
        }
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
        // One is enough: whatever has happened, the state says what is to be done.
        let (news, noteNews) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let outcome = Outcome()
        await withDiscardingTaskGroup { group in
            group.addTask { for await _ in feed.changes() { noteNews.yield() } }
            var (fetch, count): (Fetch?, Int) = (nil, 0)
            for await _ in news {
                let event = outcome.take(ofFetch: fetch?.number)
                if event != nil { fetch = nil }
                guard let state = await state(after: event) else { break }
                let page = PostsFeed.pageToFetch(in: state)
                guard page != fetch?.page else { continue }
                fetch?.task.cancel()
                count += 1
                fetch = page.map { [count] page in
                    Fetch(number: count, page: page, task: start(page) { event in
                        outcome.put(event, ofFetch: count)
                        noteNews.yield()
                    })
                }
            }
            fetch?.task.cancel()
            group.cancelAll()
        }
    }

    /// The state that an event has led to, or the present one; nil once the task is cancelled.
    private func state(after event: PostsFeed.Event?) async -> PostsFeed.State? {
        await feed.insist(pause) {
            if let event { try await feed.take(event) } else { try await feed.state() }
        }
    }

    /// Detached: one that is cancelled need not end before the next one begins.
    private func start(_ page: Int, _ end: @escaping @Sendable (PostsFeed.Event) -> Void) -> Task<Void, Never> {
        Task.detached { [source] in
            do throws(PostsFailure) {
                end(.fetched(try await source.posts(onPage: page), page: page))
            } catch {
                end(.failed(error, page: page))
            }
        }
    }
}
