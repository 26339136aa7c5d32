import Synchronization

/// Keeps computed views until data that they read is announced, up to a number of bytes.
///
/// Stores announce to it; the service asks it before it computes. One lock is around cached views
/// and generations of topics alike, so that nothing is announced between "still current" and "kept".
public final class ViewCache: TopicAnnouncing {
    fileprivate struct State {
        var views: CostBoundedCache<ScreenView, ComputedView>
        var readers: [Topic: Set<ScreenView>] = [:]
        var generations = TopicGenerations()
        var feeds = FeedRegister()
    }

    private let state: Mutex<State>

    /// - Parameter byteLimit: how many bytes all views may take together, about. Parameters make
    ///   views without end.
    public init(byteLimit: Int) {
        state = Mutex(State(views: CostBoundedCache(costLimit: byteLimit)))
    }

    public func announce(_ topics: Set<Topic>) {
        state.withLock { state in
            state.generations.advance(topics)
            for view in topics.reduce(into: Set(), { $0.formUnion(state.readers[$1] ?? []) }) {
                guard let stale = state.views.remove(view) else { continue }
                state.forget(stale)
            }
            // Under the lock, so that nobody is shown a view as current whose successor others can get.
            for feed in state.feeds.takeAll(reading: topics) { feed.becomeStale() }
        }
    }

    /// How many views are kept, and the bytes that they take, about.
    public var usage: (views: Int, bytes: Int) {
        state.withLock { ($0.views.count, $0.views.totalCost) }
    }

    func view(_ view: ScreenView) -> ComputedView? {
        state.withLock { $0.views.use(view) }
    }

    /// The present generation of topics.
    var generation: TopicGenerations.Generation {
        state.withLock { $0.generations.now }
    }

    /// Notes the generation that a computation begins in. Each must be ended.
    func beginComputation() -> TopicGenerations.Generation {
        state.withLock { $0.generations.begin() }
    }

    /// Ends a computation, and keeps its result if nothing that it read was announced meanwhile.
    ///
    /// - Parameter result: nil if the computation failed.
    /// - Returns: whether the result is current.
    @discardableResult
    func endComputation(_ result: ComputedView?) -> Bool {
        state.withLock { state in
            defer { state.generations.end() }
            guard let result else { return false }
            guard !state.generations.hasAdvanced(anyOf: result.topics, since: result.generation) else { return false }
            if let replaced = state.views.remove(result.view) { state.forget(replaced) }
            for topic in result.topics { state.readers[topic, default: []].insert(result.view) }
            for evicted in state.views.insert(result, for: result.view, cost: result.cost) { state.forget(evicted) }
            return true
        }
    }

    /// Has a feed told, once, when something that a view was computed from is announced.
    ///
    /// A computation must be under way since before `computed` was asked for.
    ///
    /// - Returns: false, and it is told nothing, if that has happened since it was computed.
    func register(_ feed: ViewFeed, for computed: ComputedView) -> Bool {
        state.withLock { state in
            guard !state.generations.hasAdvanced(anyOf: computed.topics, since: computed.generation) else { return false }
            state.feeds.add(feed, reading: computed.topics)
            return true
        }
    }

    /// How many feeds are told of announcements, and of how many topics.
    var registered: (feeds: Int, topics: Int) {
        state.withLock { ($0.feeds.count, $0.feeds.topicCount) }
    }

    /// Has a feed told nothing more.
    func forget(_ feed: ViewFeed) {
        state.withLock { $0.feeds.remove(feed) }
    }

    /// Says that a view has come to take more bytes.
    func add(cost: Int, to view: ScreenView) {
        guard cost > 0 else { return }
        state.withLock { state in
            for evicted in state.views.add(cost: cost, to: view) { state.forget(evicted) }
        }
    }
}

extension ViewCache.State {
    fileprivate mutating func forget(_ computed: ComputedView) {
        for topic in computed.topics {
            readers[topic]?.remove(computed.view)
            if readers[topic]?.isEmpty == true { readers[topic] = nil }
        }
    }
}
